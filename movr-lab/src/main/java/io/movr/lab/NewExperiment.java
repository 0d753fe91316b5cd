package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The folder of a new experiment, made from a statement on a database that is opened for it. */
public final class NewExperiment {

    private static final int MAX_STATEMENTS = 20;

    private NewExperiment() {}

    /**
     * Returns the statements that took the most time in a database.
     *
     * @throws UserError if no running database is named, or it has no statistics
     */
    public static List<StatementStatistics> costliestStatements(DatabaseSource database) {
        requireUrl(database);
        try (Cluster cluster = database.temporary()) {
            return costliest(cluster);
        }
    }

    /**
     * Returns one of the statements that took the most time in a database, with values from its rows.
     *
     * @param number its place among {@link #costliestStatements}, from 1
     * @param notes receives a note for each value that is a guess
     * @throws UserError if there is no such statement
     */
    public static String costliestStatement(DatabaseSource database, int number, Consumer<String> notes) {
        requireUrl(database);
        try (Cluster cluster = database.temporary()) {
            List<StatementStatistics> statements = costliest(cluster);
            if (number < 1 || number > statements.size()) {
                throw new UserError("--from-statistics " + number + " is out of range: 1 to " + statements.size()
                        + ", as 'movr experiment top' numbers the statements");
            }
            return statements.get(number - 1).withValues(cluster.gateway(), notes);
        }
    }

    private static void requireUrl(DatabaseSource database) {
        if (!database.hasUrl()) {
            throw new UserError("Statistics are those of a database that is in use: name it with --url");
        }
    }

    private static List<StatementStatistics> costliest(Cluster cluster) {
        List<StatementStatistics> statements =
                StatementStatistics.costliest(cluster.gateway(), cluster.engine(), MAX_STATEMENTS);
        if (statements.isEmpty()) {
            throw new UserError("The server has no statistics of statements in this database yet");
        }
        return statements;
    }

    /**
     * Writes the folder.
     *
     * @param database that the statement reads; if no running one is named, a database with MovR's rows is made
     * @param rows of MovR
     * @throws UserError if the statement cannot be measured, or the folder exists
     */
    public static ExperimentSkeleton.Written write(
            Path folder,
            String statement,
            DatabaseSource database,
            DatasetSpec rows,
            RunDisplay display,
            LabRun.Watcher watcher) {
        boolean copies = database.hasUrl();
        ExperimentSkeleton skeleton = new ExperimentSkeleton(folder, statement, !copies);
        display.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        try (Cluster cluster = database.temporary();
                LabRun.Watch watch = watcher.watch(progress, rows.totalRows())) {
            if (copies) {
                return skeleton.write(cluster.gateway(), cluster.engine());
            }
            try (StageDatabases databases = new StageDatabases(
                    cluster,
                    rows,
                    BulkLoader.defaultConnections(),
                    Set.of(Stage.FOREIGN_KEYS),
                    Set.of(),
                    progress,
                    watch::preparing)) {
                return skeleton.write(databases.at(Stage.FOREIGN_KEYS, false), cluster.engine());
            }
        } finally {
            display.clear();
        }
    }
}
