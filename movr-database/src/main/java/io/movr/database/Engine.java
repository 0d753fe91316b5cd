package io.movr.database;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * A kind of database: its capabilities and its dialect of SQL. Differences that take more than a statement have an interface
 * with an implementation for each engine, such as {@code PlanReader}.
 */
public enum Engine {
    POSTGRESQL("PostgreSQL", "postgresql") {
        @Override
        public boolean isMultiRegion() {
            return false;
        }

        @Override
        public boolean hasTransactionalDdl() {
            return true;
        }

        @Override
        public boolean copiesDatabases() {
            return true;
        }

        @Override
        public boolean hasColumnFamilies() {
            return false;
        }

        @Override
        public boolean hasLargeTransactions() {
            return true;
        }

        @Override
        public boolean hasNotify() {
            return true;
        }

        @Override
        public boolean recommendsIndexes() {
            return false;
        }

        @Override
        public String statisticsOf(String table) {
            return "VACUUM (ANALYZE) " + table;
        }

        @Override
        Optional<String> vacuum(String table) {
            return Optional.of("VACUUM " + table);
        }

        @Override
        public Gateway preferringIndexes(Gateway gateway) {
            return gateway.withOptions("-c random_page_cost=1.1");
        }

        @Override
        String createDatabase(String name) {
            return "CREATE DATABASE \"" + name + "\" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'";
        }

        @Override
        String dropDatabase(String name) {
            return "DROP DATABASE IF EXISTS \"" + name + "\" WITH (FORCE)";
        }

        @Override
        String mayCreateDatabases() {
            return "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user";
        }

        @Override
        public String sessions() {
            return "pg_stat_activity";
        }

        @Override
        public String shell(Gateway gateway) {
            return "psql " + quotedForShell(gateway.libpq());
        }

        @Override
        public String activity(String names) {
            return """
                    SELECT coalesce('%s' || blocked_by || ': ', '') || left(regexp_replace(query, '^(\\s*--[^\\n]*\\n)+\\s*', ''), 200)
                        || coalesce(' (waits for ' || wait_event_type || ' ' || wait_event || ')', '') AS activity
                    FROM pg_stat_activity AS session, LATERAL (
                        SELECT string_agg(pid || coalesce(' (' || nullif(application_name, '') || ')', ''), ', ' ORDER BY pid)
                            AS blocked_by
                        FROM pg_stat_activity
                        WHERE session.wait_event_type = 'Lock' AND pid = ANY (pg_blocking_pids(session.pid))) AS others
                    WHERE application_name LIKE '%s%%' AND state = 'active' AND datname = current_database()
                      AND pid <> pg_backend_pid()
                    ORDER BY blocked_by IS NULL, query_start LIMIT 1""".formatted(LOCKED, names);
        }

        @Override
        public String costliestStatements(Connection connection) throws SQLException {
            return """
                    SELECT sum(calls)::bigint, sum(total_exec_time), sum(rows)::float8, min(query)
                    FROM pg_stat_statements
                    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                      AND query ~* '^[\\s(]*(select|with|values|table|insert|update|delete|merge)\\M'
                      AND query NOT LIKE 'SELECT /* movr */%'
                      AND query !~* '\\m(pg_[a-z_]+|information_schema)\\M'
                    GROUP BY queryid ORDER BY 2 DESC LIMIT ?""";
        }

        @Override
        public Optional<String> statisticsObstacle(SQLException failed) {
            return switch (String.valueOf(SqlState.of(failed))) {
                case SqlState.UNDEFINED_TABLE ->
                    Optional.of("This database has no statistics of statements: run CREATE"
                            + " EXTENSION pg_stat_statements in it, and let it gather some");
                case SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE ->
                    Optional.of("The server gathers no statistics of"
                            + " statements: add pg_stat_statements to shared_preload_libraries and restart it");
                default -> Optional.empty();
            };
        }
    },

    COCKROACHDB("CockroachDB", "cockroachdb") {
        @Override
        public boolean isMultiRegion() {
            return true;
        }

        @Override
        public boolean hasTransactionalDdl() {
            return false;
        }

        @Override
        public boolean copiesDatabases() {
            return false;
        }

        @Override
        public boolean hasColumnFamilies() {
            return true;
        }

        @Override
        public boolean hasLargeTransactions() {
            return false;
        }

        @Override
        public boolean hasNotify() {
            return false;
        }

        @Override
        public boolean recommendsIndexes() {
            return true;
        }

        @Override
        public String statisticsOf(String table) {
            return "ANALYZE " + table;
        }

        @Override
        Optional<String> vacuum(String table) {
            return Optional.empty();
        }

        @Override
        public Gateway preferringIndexes(Gateway gateway) {
            return gateway;
        }

        @Override
        String createDatabase(String name) {
            return "CREATE DATABASE \"" + name + '"';
        }

        @Override
        String dropDatabase(String name) {
            return "DROP DATABASE IF EXISTS \"" + name + "\" CASCADE";
        }

        /** PostgreSQL reports missing rights at the first creation. */
        @Override
        String mayCreateDatabases() {
            return "SELECT true";
        }

        @Override
        public String sessions() {
            return "[SHOW CLUSTER SESSIONS]";
        }

        @Override
        public String shell(Gateway gateway) {
            return "cockroach sql --url=" + quotedForShell(gateway.libpq());
        }

        @Override
        public String activity(String names) {
            return "SELECT substr(query, 1, 200) || ' (' || phase || ')' AS activity FROM [SHOW CLUSTER STATEMENTS]"
                    + " WHERE application_name LIKE '" + names + "%' ORDER BY start LIMIT 1";
        }

        @Override
        public String costliestStatements(Connection connection) throws SQLException {
            // From 26.3 on, the metadata has neither the statement nor its database.
            boolean asColumns =
                    columns(connection, "crdb_internal.statement_statistics").containsAll(List.of("query", "database"));
            String query = asColumns ? "coalesce(nullif(query, ''), metadata ->> 'query')" : "metadata ->> 'query'";
            String database = asColumns ? "coalesce(nullif(database, ''), metadata ->> 'db')" : "metadata ->> 'db'";
            // A row for each hour, plan and transaction.
            return """
                    SELECT sum(cnt)::INT, sum(cnt * seconds) * 1000, sum(cnt * rows), query FROM (
                        SELECT {query} AS query,
                               (statistics -> 'statistics' ->> 'cnt')::FLOAT AS cnt,
                               (statistics -> 'statistics' -> 'svcLat' ->> 'mean')::FLOAT AS seconds,
                               (statistics -> 'statistics' -> 'numRows' ->> 'mean')::FLOAT AS rows
                        FROM crdb_internal.statement_statistics
                        WHERE {database} = current_database() AND metadata ->> 'stmtType' = 'TypeDML'
                          AND {query} ~* '^[\\s(]*(select|with|values|table|insert|update|upsert|delete)\\s'
                          AND {query} !~* '(^|[^a-z_])(pg_[a-z_]+|information_schema|crdb_internal)([^a-z_]|$)'
                          AND app_name NOT LIKE '$ internal%' AND app_name NOT LIKE 'movr-lab%') AS each
                    GROUP BY query ORDER BY 2 DESC LIMIT ?""".replace("{query}", query).replace("{database}", database);
        }

        private static Set<String> columns(Connection connection, String table) throws SQLException {
            Set<String> columns = new HashSet<>();
            try (Statement statement = connection.createStatement();
                    ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
                for (int column = 1; column <= none.getMetaData().getColumnCount(); column++) {
                    columns.add(none.getMetaData().getColumnName(column));
                }
            }
            return columns;
        }

        @Override
        public Optional<String> statisticsObstacle(SQLException failed) {
            return SqlState.INSUFFICIENT_PRIVILEGE.equals(SqlState.of(failed))
                    ? Optional.of("This role may not read statistics of statements: GRANT SYSTEM VIEWACTIVITY TO it")
                    : Optional.empty();
        }
    };

    /** The prefix of an {@link #activity} that waits for a lock of other sessions. */
    static final String LOCKED = "waits for a lock of session ";

    private final String title;
    private final String folder;

    Engine(String title, String folder) {
        this.title = title;
        this.folder = folder;
    }

    public String title() {
        return title;
    }

    /** The name of the engine in paths of migrations and run bundles. */
    public String folder() {
        return folder;
    }

    /**
     * Returns whether one of its databases spans regions: it places rows and moves leaseholders by itself, knows in which
     * region a gateway is, and can survive the loss of a region.
     */
    public abstract boolean isMultiRegion();

    /** Returns whether DDL is transactional, so that a stage is applied as a whole or not at all. */
    public abstract boolean hasTransactionalDdl();

    /** Returns whether a database can be made as a copy of another one. */
    public abstract boolean copiesDatabases();

    /** Returns whether the columns of a row can be stored apart from each other. */
    public abstract boolean hasColumnFamilies();

    /** Returns whether one transaction may load millions of rows. */
    public abstract boolean hasLargeTransactions();

    /** Returns whether triggers can notify other sessions of writes, by {@code NOTIFY}. */
    public abstract boolean hasNotify();

    /** Returns whether its plans recommend indexes. */
    public abstract boolean recommendsIndexes();

    /** Returns the statement that gathers what plans of a table depend on, and does what {@link #vacuum} does. */
    public abstract String statisticsOf(String table);

    /** Returns the statement that removes a table's dead rows, empty where that is not asked for by statement. */
    abstract Optional<String> vacuum(String table);

    /** Returns the same endpoint, with sessions that choose an index even for tables that fit into a few pages. */
    public abstract Gateway preferringIndexes(Gateway gateway);

    /** Returns the statement that creates an empty database whose text sorts by bytes. */
    abstract String createDatabase(String name);

    /** Returns the statement that drops a database, even if sessions are connected to it. */
    abstract String dropDatabase(String name);

    /** Returns a query for whether the user may create databases. */
    abstract String mayCreateDatabases();

    /** Returns the relation that lists the sessions of all nodes, with their {@code application_name}. */
    public abstract String sessions();

    /** In single quotes a shell interprets nothing. */
    private static String quotedForShell(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns the command that opens the engine's own shell on a database, without a password that the address may hold. */
    public abstract String shell(Gateway gateway);

    /**
     * Returns a query for the oldest statement that sessions are executing and what it waits for, in one column of text. On
     * PostgreSQL a statement that waits for a lock comes first, with the sessions that hold it.
     *
     * @param names how the application names of these sessions begin
     */
    public abstract String activity(String names);

    /**
     * Returns a query for the statements that took the most time in the database that one is connected to, in all since
     * the server's statistics began: how often each ran, milliseconds and rows in all, and its text with placeholders in
     * place of values; the costliest first. Its parameter is how many there are to be.
     */
    public abstract String costliestStatements(Connection connection) throws SQLException;

    /** Returns what to do where {@link #costliestStatements} fails like this; empty if that is another failure. */
    public abstract Optional<String> statisticsObstacle(SQLException failed);

    /**
     * Finds an engine by its name or its short name.
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

    /** Returns the engine that a connection leads to, from what the server said when it was opened. */
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
