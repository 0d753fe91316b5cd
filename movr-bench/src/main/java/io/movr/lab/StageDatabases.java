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
final class StageDatabases implements AutoCloseable {

    private final Databases databases;
    private final Map<Stage, Gateway> forReading = new EnumMap<>(Stage.class);
    private final Map<Stage, Gateway> forWriting = new EnumMap<>(Stage.class);

    StageDatabases(
            Cluster cluster,
            DatasetSpec spec,
            int connections,
            List<Experiment> experiments,
            LoadProgress progress,
            Consumer<String> step) {
        databases = new Databases(cluster);
        try {
            step.accept("Loading " + String.format("%,d", spec.totalRows()) + " rows");
            Gateway last = databases.create("loaded");
            new BulkLoader(cluster.engine(), last, progress).load(spec, connections, IfFilled.REFUSE);
            Set<Stage> read = stages(experiments, false);
            Set<Stage> written = stages(experiments, true);
            for (Stage stage : Stage.values()) {
                if (!read.contains(stage) && !written.contains(stage)) {
                    continue;
                }
                step.accept("Preparing stage " + stage);
                if (stage.isBefore(Stage.FOREIGN_KEYS)) {
                    throw new IllegalArgumentException("Stage " + stage + " comes before the rows");
                }
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

    Gateway at(Stage stage, boolean writing) {
        Gateway gateway = (writing ? forWriting : forReading).get(stage);
        if (gateway == null) {
            throw new IllegalArgumentException("No database was prepared for stage " + stage);
        }
        return gateway;
    }

    /** One of them, for questions that all answer alike. */
    Gateway any() {
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
