package io.movr.instance;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The open database of a service, with MovR's tables.
 *
 * @param stage of the schema
 */
record ServedDatabase(Cluster cluster, Stage stage) {

    private static final String APPLICATION_NAME = "movr-serve";

    /**
     * Opens a database. An embedded database is loaded first if no load has been completed; another one must have the tables.
     *
     * @throws UserError if the database cannot be served
     */
    static ServedDatabase open(DatabaseSource source, DatasetSpec rows, ServiceLauncher.Listener listener) {
        Cluster cluster = source.kept();
        try {
            Stage stage =
                    cluster.embedded() ? load(cluster, rows, listener) : requireTables(cluster.gateway(), listener);
            listener.progress("Starting the service…");
            return new ServedDatabase(cluster, stage);
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    private static Stage load(Cluster cluster, DatasetSpec rows, ServiceLauncher.Listener listener) {
        LoadProgress progress = new LoadProgress();
        BulkLoader loader = new BulkLoader(cluster.engine(), cluster.gateway(), progress);
        // One query if the rows are loaded; otherwise the loader calls Flyway.
        Optional<Stage> stage = readStage(cluster.gateway());
        if (stage.isPresent() && !loader.isPending()) {
            return stage.get();
        }
        Runnable loaded = listener.loading(progress, rows);
        try {
            loader.load(rows, BulkLoader.defaultConnections(), IfFilled.KEEP);
        } finally {
            loaded.run();
        }
        return new Schema(cluster.engine(), cluster.gateway()).current().orElseThrow();
    }

    private static Optional<Stage> readStage(Gateway gateway) {
        try (Connection connection = gateway.connect(APPLICATION_NAME)) {
            return Schema.readStage(connection);
        } catch (SQLException failed) {
            throw new UserError(
                    "The stage of " + gateway.shown() + " cannot be read: " + UserError.firstLine(failed), failed);
        }
    }

    private static Stage requireTables(Gateway gateway, ServiceLauncher.Listener listener) {
        try (Connection connection = gateway.connect(APPLICATION_NAME)) {
            Stage stage = Schema.readStage(connection)
                    .orElseThrow(() -> new UserError(
                            "There are no tables of MovR at " + gateway.shown() + ": run 'movr load --url …' first"));
            if (isEmpty(connection)) {
                listener.line("! The tables at " + gateway.shown() + " are empty: 'movr load --url …' fills them");
            }
            return stage;
        } catch (SQLException failed) {
            throw new UserError(
                    "The stage and the rows of " + gateway.shown() + " cannot be read: " + UserError.firstLine(failed),
                    failed);
        }
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try {
            return !BulkLoader.hasRows(connection);
        } catch (SQLException refused) {
            if (SqlState.INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState())) {
                // The service may need only the tables that this user may read.
                return false;
            }
            throw refused;
        }
    }
}
