package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Statements on one server of several that together have all rows. */
final class ServerSql {

    private ServerSql() {}

    interface Work {
        void on(Statement statement) throws SQLException;
    }

    /** Opens a connection for some statements, each a transaction by itself. */
    static void on(Gateway server, Work work) {
        try (Connection connection = server.connect(MigrationWatch.MIGRATING);
                Statement statement = connection.createStatement()) {
            work.on(statement);
        } catch (SQLException failed) {
            throw new UserError("A region's server refused: " + UserError.firstLine(failed), failed);
        }
    }

    /** Runs some statements in one transaction. */
    static void transaction(Statement statement, Work steps) throws SQLException {
        Connection connection = statement.getConnection();
        connection.setAutoCommit(false);
        try {
            steps.on(statement);
            connection.commit();
        } catch (SQLException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    static void executeAll(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            executeAll(statement, statements);
        }
    }

    static void executeAll(Statement statement, List<String> statements) throws SQLException {
        for (String sql : statements) {
            statement.execute(sql);
        }
    }

    static boolean exists(Statement statement, String from) throws SQLException {
        return text(statement, "SELECT EXISTS (SELECT 1 FROM " + from + ")").equals("t");
    }

    /** Returns the first cell of a query's result; empty for NULL. */
    static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return Optional.ofNullable(answer.getString(1)).orElse("");
        }
    }

    static long number(Gateway server, String sql) {
        long[] found = new long[1];
        on(server, statement -> found[0] = Long.parseLong(text(statement, sql)));
        return found[0];
    }

    /** Drops a subscription without its slot, because the two are on different servers. */
    static void dropSubscription(Statement statement, String name) throws SQLException {
        if (exists(statement, "pg_subscription WHERE subname = '" + name + "'")) {
            statement.execute("ALTER SUBSCRIPTION " + name + " DISABLE");
            statement.execute("ALTER SUBSCRIPTION " + name + " SET (slot_name = NONE)");
            statement.execute("DROP SUBSCRIPTION " + name);
        }
    }

    /** Drops replication slots, which would retain WAL for a subscriber that no longer exists. */
    static void dropSlots(Statement statement, String prefix) throws SQLException {
        String mine = " FROM pg_replication_slots WHERE starts_with(slot_name, '" + prefix + "')";
        text(statement, "SELECT count(pg_terminate_backend(active_pid, 5000))" + mine);
        text(statement, "SELECT count(pg_drop_replication_slot(slot_name))" + mine);
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("The migration was interrupted", interrupted);
        }
    }
}
