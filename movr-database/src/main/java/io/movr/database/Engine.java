package io.movr.database;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import org.postgresql.PGConnection;

/** A kind of database: which migrations, statements and plans are its own. */
public enum Engine {
    POSTGRESQL("PostgreSQL", "postgresql"),
    COCKROACHDB("CockroachDB", "cockroachdb");

    private final String title;
    private final String folder;

    Engine(String title, String folder) {
        this.title = title;
        this.folder = folder;
    }

    /** The statement that gathers what plans of a table depend on, and on PostgreSQL removes its dead rows. */
    public String statisticsOf(String table) {
        return (this == POSTGRESQL ? "VACUUM (ANALYZE) " : "ANALYZE ") + table;
    }

    public String title() {
        return title;
    }

    /** The name that stands in paths: of its migrations, of run bundles. */
    public String folder() {
        return folder;
    }

    /**
     * Finds an engine by its name, whole or in short.
     *
     * @throws UserError when there is none
     */
    public static Engine named(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "postgresql", "postgres" -> POSTGRESQL;
            case "cockroachdb", "cockroach" -> COCKROACHDB;
            default -> throw new UserError("There is no engine '" + text + "': choose postgresql or cockroach");
        };
    }

    /** The engine that a connection leads to, from what the server said when it was opened. */
    public static Engine of(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getParameterStatus("crdb_version") == null
                ? POSTGRESQL
                : COCKROACHDB;
    }

    /** Reads an engine from what {@code SELECT version()} answers. */
    public static Engine ofVersion(String version) {
        return version.startsWith("CockroachDB") ? COCKROACHDB : POSTGRESQL;
    }
}
