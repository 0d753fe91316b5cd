package io.movr.lab;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Table;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A database for each stage that is measured, all with the same rows on the same pages: the first is loaded, each later
 * one is a copy of the one before, brought to its stage. Experiments that write have copies of their own, so that those
 * that read find the rows where loading put them.
 */
public final class StageDatabases implements AutoCloseable {

    private final Databases databases;
    private final Map<Stage, Gateway> forReading = new EnumMap<>(Stage.class);
    private final Map<Stage, Gateway> forWriting = new EnumMap<>(Stage.class);

    /** Those that experiments need. */
    StageDatabases(
            Cluster cluster,
            DatasetSpec spec,
            int connections,
            List<Experiment> experiments,
            LoadProgress progress,
            Consumer<String> step) {
        this(cluster, spec, connections, stages(experiments, false), stages(experiments, true), progress, step);
    }

    /**
     * Loads and copies.
     *
     * @param read stages that are read
     * @param written stages that are written
     * @param step is told what is being done
     * @throws Refusal when a database cannot be prepared
     */
    public StageDatabases(
            Cluster cluster,
            DatasetSpec spec,
            int connections,
            Set<Stage> read,
            Set<Stage> written,
            LoadProgress progress,
            Consumer<String> step) {
        databases = new Databases(cluster);
        try {
            step.accept("Loading " + String.format("%,d", spec.totalRows()) + " rows");
            Gateway last = databases.create("loaded");
            BulkLoader loader = new BulkLoader(cluster.engine(), last, progress);
            if (read.contains(Stage.BASELINE) || written.contains(Stage.BASELINE)) {
                loader.loadWithoutForeignKeys(spec, connections);
            } else {
                loader.load(spec, connections, IfFilled.REFUSE);
            }
            for (Stage stage : Stage.values()) {
                if (!read.contains(stage) && !written.contains(stage)) {
                    continue;
                }
                step.accept("Preparing stage " + stage);
                last = databases.copy(last, stage.id());
                new Schema(cluster.engine(), last).migrateTo(stage);
                gatherStatistics(last);
                forReading.put(stage, last);
                if (written.contains(stage)) {
                    Gateway copy = databases.copy(last, stage.id() + "-written");
                    gatherStatistics(copy);
                    forWriting.put(stage, copy);
                }
            }
            if (cluster.embedded()) {
                writeOutDirtyPages(last);
            }
        } catch (SQLException failed) {
            close();
            throw new Refusal("Cannot prepare the databases: " + Refusal.firstLine(failed), failed);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private static Set<Stage> stages(List<Experiment> experiments, boolean writing) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        for (Experiment experiment : experiments) {
            if (experiment.writes() == writing) {
                stages.add(experiment.before().stage());
                stages.add(experiment.after().stage());
            }
        }
        return stages;
    }

    /** The database at a stage, the one that may be written or the one that must not be. */
    public Gateway at(Stage stage, boolean writing) {
        Gateway gateway = (writing ? forWriting : forReading).get(stage);
        if (gateway == null) {
            throw new IllegalArgumentException("No database was prepared for stage " + stage);
        }
        return gateway;
    }

    /** One of them, for questions that all answer alike. */
    public Gateway any() {
        return forReading.values().iterator().next();
    }

    @Override
    public void close() {
        databases.close();
    }

    private static void gatherStatistics(Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect()) {
            for (Table table : Table.values()) {
                Rows.execute(connection, "VACUUM (ANALYZE) " + table.sql());
            }
        }
    }

    private static void writeOutDirtyPages(Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, "CHECKPOINT");
        }
    }
}
