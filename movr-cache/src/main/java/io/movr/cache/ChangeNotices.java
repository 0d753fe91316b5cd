package io.movr.cache;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Has a database tell of writes as its engine does, until closed: by triggers on PostgreSQL; by changefeeds on
 * CockroachDB, which are allowed, for good, only in a cluster that is ours.
 */
public final class ChangeNotices implements AutoCloseable {

    private final Gateway database;
    private final boolean triggers;

    private ChangeNotices(Gateway database, boolean triggers) {
        this.database = database;
        this.triggers = triggers;
    }

    /** Begins with the tables that the database has now. */
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

    /** Returns whether triggers tell of writes, which needs nothing that the cluster may not have. */
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
