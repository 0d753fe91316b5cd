package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.report.ByteSize;
import io.movr.report.LabResults.Check;
import io.movr.schema.ServiceAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the requirements of the commands for a PostgreSQL database and its role. */
public final class Requirements {

    private static final String OWN_DATABASES = "experiment, lab, check, calibrate";

    /** No row for a role that may not read it, or for a server that answers at another address than this machine's own. */
    private static final String DATA_DIRECTORY = "SELECT setting FROM pg_settings WHERE name = 'data_directory'"
            + " AND coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true)";

    private Requirements() {}

    /** Checks a database, a line for each requirement. */
    public static List<Check> of(Gateway gateway) {
        List<Check> checks = new ArrayList<>();
        try (Connection connection =
                StatementTimeout.bounded(gateway, StatementTimeout.SAMPLE_LIMIT).connect("movr-doctor")) {
            String role = Rows.one(connection, "SELECT quote_ident(current_user)");
            checks.add(access(connection));
            checks.add(createDatabases(connection, role));
            checks.add(createTables(connection, role));
            checks.add(statementStatistics(connection));
            checks.add(space(connection));
            checks.add(encoding(connection));
            checks.add(eventTriggers(connection));
        } catch (SQLException failed) {
            checks.add(new Check("requirements", "unknown", UserError.firstLine(failed), "look into the server's log"));
        }
        return checks;
    }

    private static Check access(Connection connection) throws SQLException {
        List<String> problems = ServiceAccess.problems(connection);
        return problems.isEmpty()
                ? new Check("writes", "ok", "nothing keeps serve from writing to the tables that are there", "")
                : new Check(
                        "writes",
                        "problem",
                        String.join("; ", problems) + ": serve answers writes with status 503",
                        "grant the privileges, reset the setting, or name the primary server and another role");
    }

    private static Check createDatabases(Connection connection, String role) throws SQLException {
        boolean may = isTrue(connection, "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user");
        return may
                ? new Check("own databases", "ok", "role " + role + " may create databases", "")
                : new Check(
                        "own databases",
                        "warning",
                        "role " + role + " lacks CREATEDB, which " + OWN_DATABASES + " need",
                        "ALTER ROLE " + role + " CREATEDB, as a superuser");
    }

    private static Check createTables(Connection connection, String role) throws SQLException {
        boolean may = isTrue(connection, "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)");
        return may
                ? new Check("own tables", "ok", "role " + role + " may create tables", "")
                : new Check(
                        "own tables",
                        "warning",
                        "role " + role + " may not create tables in the current schema, which load and migrate do",
                        "GRANT CREATE ON SCHEMA public TO " + role + ", as the owner of the database");
    }

    private static Check statementStatistics(Connection connection) throws SQLException {
        try {
            Rows.one(connection, "SELECT count(*) FROM (SELECT 1 FROM pg_stat_statements LIMIT 1) AS statements");
            return new Check("statement statistics", "ok", "pg_stat_statements can be read", "");
        } catch (SQLException failed) {
            String state = SqlState.of(failed);
            String remedy = SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE.equals(state)
                    ? "add pg_stat_statements to shared_preload_libraries and restart the server"
                    : "CREATE EXTENSION pg_stat_statements, as a superuser, with the library in"
                            + " shared_preload_libraries";
            return new Check(
                    "statement statistics",
                    "warning",
                    "movr experiment top cannot read pg_stat_statements: " + UserError.firstLine(failed),
                    remedy);
        }
    }

    private static Check space(Connection connection) throws SQLException {
        long size = Long.parseLong(Rows.one(connection, "SELECT pg_database_size(current_database())"));
        long copies = 2 * size;
        String needed = "this database takes " + ByteSize.text(size)
                + ", and the two copies that experiment run --url makes for an" + " experiment up to "
                + ByteSize.text(copies) + " and as much WAL; ";
        Path data = dataDirectory(connection);
        if (data == null) {
            return new Check(
                    "space",
                    "ok",
                    needed + "the server must have that free, which SQL does not show",
                    "see the free space on the server's machine");
        }
        try {
            long free = Files.getFileStore(data).getUsableSpace();
            boolean enough = free >= 2 * copies;
            return new Check(
                    "space",
                    enough ? "ok" : "warning",
                    needed + ByteSize.text(free) + " are free at " + data,
                    enough ? "" : "free some space, or measure on a scratch database itself with --in-place");
        } catch (IOException failed) {
            return new Check(
                    "space", "unknown", needed + UserError.firstLine(failed), "see whether " + data + " can be read");
        }
    }

    /**
     * Returns the data directory of a server on this machine; {@code null} if the role may not read it or the server runs
     * elsewhere.
     */
    private static @Nullable Path dataDirectory(Connection connection) throws SQLException {
        for (List<String> row : Rows.query(connection, DATA_DIRECTORY, List.of())) {
            Path folder = Path.of(row.get(0));
            if (Files.isDirectory(folder)) {
                return folder;
            }
        }
        return null;
    }

    private static Check encoding(Connection connection) throws SQLException {
        String encoding = Rows.one(connection, "SELECT current_setting('server_encoding')");
        return encoding.equals("UTF8")
                ? new Check("encoding", "ok", "UTF8", "")
                : new Check(
                        "encoding",
                        "problem",
                        encoding + ": MovR's scripts and rows need UTF8",
                        "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and name that one");
    }

    private static Check eventTriggers(Connection connection) throws SQLException {
        List<String> triggers = Rows.query(
                        connection,
                        "SELECT quote_ident(evtname) || ' (on ' || evtevent || ')' FROM pg_event_trigger"
                                + " WHERE evtenabled <> 'D' ORDER BY evtname",
                        List.of())
                .stream()
                .map(row -> row.get(0))
                .toList();
        return triggers.isEmpty()
                ? new Check("event triggers", "ok", "none", "")
                : new Check(
                        "event triggers",
                        "warning",
                        String.join(", ", triggers) + ": they run with each statement of load, migrate and lab that"
                                + " changes the schema, and may refuse it",
                        "ALTER EVENT TRIGGER … DISABLE, or name another database, if a command fails");
    }

    private static boolean isTrue(Connection connection, String query) throws SQLException {
        String answer = Rows.one(connection, query);
        return answer.equals("t") || answer.equals("true");
    }
}
