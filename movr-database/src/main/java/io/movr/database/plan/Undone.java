package io.movr.database.plan;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** What a connection writes before this is closed is rolled back; what its open transaction wrote earlier is kept. */
final class Undone implements AutoCloseable {

    private final Connection connection;
    private final @Nullable Savepoint before;

    Undone(Connection connection) throws SQLException {
        this.connection = connection;
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
            before = null;
        } else {
            before = connection.setSavepoint();
        }
    }

    @Override
    public void close() throws SQLException {
        if (before == null) {
            connection.rollback();
            connection.setAutoCommit(true);
        } else {
            connection.rollback(before);
            connection.releaseSavepoint(before);
        }
    }
}
