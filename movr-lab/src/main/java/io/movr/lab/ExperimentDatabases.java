package io.movr.lab;

import io.movr.report.LabResults.Check;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The databases on which the sides of experiments run. They are dropped or stopped when this is closed. */
interface ExperimentDatabases extends AutoCloseable {

    /** Returns where a side of an experiment runs. */
    Endpoints at(Experiment experiment, Side side);

    /** Returns the number of rows by table before the first run; {@code null} if they are those of the dataset. */
    @Nullable
    Map<String, Long> rows(Experiment experiment) throws SQLException;

    /** Returns what a reader of the results must know of the databases. */
    List<Check> checks();

    @Override
    void close();
}
