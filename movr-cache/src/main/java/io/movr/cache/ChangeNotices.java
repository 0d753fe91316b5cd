package io.movr.cache;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Makes a database notify of writes until closed: by triggers on PostgreSQL, by changefeeds on CockroachDB. It enables
 * changefeeds, permanently, only in a cluster that movr started.
 */
public final class ChangeNotices implements AutoCloseable {

    private final Gateway database;
    private final boolean triggers;

    private ChangeNotices(Gateway database, boolean triggers) {
        this.database = database;
        this.triggers = triggers;
    }

    /** Starts with the current tables of the database. */
    public static ChangeNotices begin(Cluster cluster, Gateway database) throws SQLException {
        boolean triggers = cluster.engine().hasNotify();
        try (Connection connection = connect(database)) {
            if (triggers) {
                ChangeTriggers.install(connection);
            } else if (cluster.embedded()) {
                ChangeFeed.enable(connection);
            }
        }
        return new ChangeNotices(database, triggers);
    }

    /** Returns whether triggers notify of writes, which requires no cluster setting. */
    public boolean areByTriggers() {
        return triggers;
    }

    private static Connection connect(Gateway database) throws SQLException {
        return database.connect("movr-cache-notices");
    }

    @Override
    public void close() throws SQLException {
        if (triggers) {
            try (Connection connection = connect(database)) {
                ChangeTriggers.remove(connection);
            }
        }
    }
}
