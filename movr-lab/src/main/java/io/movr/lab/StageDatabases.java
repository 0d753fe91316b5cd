package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Table;
import io.movr.environment.StatementTimeout;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The databases of the stages that are measured, with the same rows on the same pages. The first is loaded; each later
 * one is a copy of the one before, migrated to its stage. Experiments that write have their own copies, so that
 * experiments that read find the rows as they were loaded. CockroachDB restores a backup; if the user may not do that,
 * each database is loaded with the same rows.
 */
public final class StageDatabases implements AutoCloseable {

    private final Cluster cluster;
    private final DatasetSpec spec;
    private final int connections;
    private final LoadProgress progress;
    private final Databases databases;
    /** The backup of the loaded rows; {@code null} if there is none. */
    private @Nullable Backup backup;

    private final Map<Stage, Gateway> forReading = new EnumMap<>(Stage.class);
    private final Map<Stage, Gateway> forWriting = new EnumMap<>(Stage.class);

    /**
     * Loads and copies the databases.
     *
     * @param read the stages that are read
     * @param written the stages that are written
     * @param step receives what is done next
     * @throws UserError if a database cannot be prepared
     */
    public StageDatabases(
            Cluster cluster,
            DatasetSpec spec,
            int connections,
            Set<Stage> read,
            Set<Stage> written,
            LoadProgress progress,
            Consumer<String> step) {
        this.cluster = cluster;
        this.spec = spec;
        this.connections = connections;
        this.progress = progress;
        databases = new Databases(cluster);
        try {
            Set<Stage> all = EnumSet.noneOf(Stage.class);
            all.addAll(read);
            all.addAll(written);
            prepare(all, written, step);
        } catch (SQLException failed) {
            throw Closeables.closeAfter(
                    new UserError("Cannot prepare the databases: " + UserError.firstLine(failed), failed), this);
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, this);
        }
    }

    private void prepare(Set<Stage> all, Set<Stage> written, Consumer<String> step) throws SQLException {
        step.accept("Loading " + String.format("%,d", spec.totalRows()) + " rows");
        Stage first = all.contains(Stage.BASELINE) ? Stage.BASELINE : Stage.FOREIGN_KEYS;
        Gateway last = loaded(first, "loaded");
        if (!cluster.engine().copiesDatabases()) {
            backup = new Backup(databases, last);
        }
        for (Stage stage : all) {
            step.accept("Preparing stage " + stage);
            last = copy(last, stage, stage.id());
            if (cluster.engine().copiesDatabases()) {
                // A copy has the stage before. A restored or loaded database has its stage already.
                new Schema(cluster.engine(), last).migrateTo(stage);
            }
            gatherStatistics(cluster.engine(), last);
            forReading.put(stage, last);
            if (written.contains(stage)) {
                Gateway copy = copy(last, stage, stage.id() + "-written");
                gatherStatistics(cluster.engine(), copy);
                forWriting.put(stage, copy);
            }
        }
        if (cluster.embedded() && cluster.engine().copiesDatabases()) {
            writeOutDirtyPages(last);
        }
    }

    /**
     * Makes another database with the same rows.
     *
     * @param like the database that is copied, if the engine copies databases; otherwise the new one is migrated to the
     *     stage
     */
    private Gateway copy(Gateway like, Stage stage, String name) throws SQLException {
        if (cluster.engine().copiesDatabases()) {
            return databases.copy(like, name);
        }
        Gateway restored = backup == null ? null : backup.restored(name);
        if (restored == null) {
            return loaded(stage, name);
        }
        // A backup of each stage would take longer than the migration.
        new Schema(cluster.engine(), restored).migrateTo(stage);
        return restored;
    }

    private Gateway loaded(Stage stage, String name) throws SQLException {
        Gateway database = databases.create(name);
        BulkLoader loader = new BulkLoader(cluster.engine(), database, progress);
        if (stage == Stage.BASELINE) {
            loader.loadWithoutForeignKeys(spec, connections);
        } else {
            loader.load(spec, connections, IfFilled.REFUSE);
            if (Stage.FOREIGN_KEYS.isBefore(stage)) {
                new Schema(cluster.engine(), database).migrateTo(stage);
                gatherStatistics(cluster.engine(), database);
            }
        }
        return database;
    }

    /** Returns the database at a stage: the one that may be written, or the one that must not be. */
    public Gateway at(Stage stage, boolean writing) {
        Gateway gateway = (writing ? forWriting : forReading).get(stage);
        if (gateway == null) {
            throw new IllegalArgumentException("No database was prepared for stage " + stage);
        }
        return gateway;
    }

    /** Makes another database with the rows of a stage, whose schema may be changed. */
    Gateway another(Stage stage, String name) throws SQLException {
        return copy(at(stage, false), stage, name);
    }

    /** Returns any of the databases. */
    public Gateway any() {
        return forReading.values().iterator().next();
    }

    @Override
    public void close() {
        databases.close();
    }

    private static void gatherStatistics(Engine engine, Gateway gateway) throws SQLException {
        try (Connection connection = StatementTimeout.bounded(gateway, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect()) {
            for (Table table : Table.values()) {
                Rows.execute(connection, engine.statisticsOf(table.sql()));
            }
        }
    }

    private static void writeOutDirtyPages(Gateway gateway) throws SQLException {
        try (Connection connection = StatementTimeout.bounded(gateway, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect()) {
            Rows.execute(connection, "CHECKPOINT");
        }
    }
}
