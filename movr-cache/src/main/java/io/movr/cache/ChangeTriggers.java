package io.movr.cache;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.StatementWatchdog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Triggers of PostgreSQL that notify listeners of all writes to a table: of the table, and of the keys of the rows if there are
 * few.
 *
 * <p>A transaction that notifies takes a lock of the whole server while it commits, so that such commits happen one after
 * the other. Rows that arrive by logical replication set off no triggers.
 */
public final class ChangeTriggers {

    static final String CHANNEL = "movr_cache";

    private static final String APPLICATION_NAME = "movr-migrate";

    /** The maximum of rows of a statement whose keys are sent; for more, only the table is sent. */
    private static final int MAX_KEYS = 20;

    private static final String FUNCTION = """
            CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
            DECLARE
                keys text := '';
                written bigint;
                message text;
            BEGIN
                IF TG_OP <> 'TRUNCATE' AND TG_NARGS > 0 THEN
                    SELECT string_agg(format('(r.%%I)::text', name), ', ') INTO keys FROM unnest(TG_ARGV) AS name;
                    EXECUTE 'SELECT count(*) FROM ' || CASE TG_OP WHEN 'DELETE' THEN 'before' ELSE 'after' END INTO written;
                    IF written = 0 THEN
                        RETURN NULL;
                    END IF;
                    IF written <= %2$d THEN
                        FOR message IN EXECUTE format(
                            'SELECT DISTINCT json_build_array(%%L::text, %%L::text, %%s)::text FROM %%s r',
                            TG_TABLE_SCHEMA, TG_TABLE_NAME, keys,
                            CASE TG_OP WHEN 'DELETE' THEN 'before' WHEN 'INSERT' THEN 'after'
                                ELSE '(SELECT * FROM before UNION ALL SELECT * FROM after)' END)
                        LOOP
                            PERFORM pg_notify('%1$s', CASE WHEN octet_length(message) < 7000 THEN message
                                ELSE json_build_array(TG_TABLE_SCHEMA, TG_TABLE_NAME)::text END);
                        END LOOP;
                        RETURN NULL;
                    END IF;
                END IF;
                PERFORM pg_notify('%1$s', json_build_array(TG_TABLE_SCHEMA, TG_TABLE_NAME)::text);
                RETURN NULL;
            END $body$""".formatted(CHANNEL, MAX_KEYS);

    /** Tables with the columns of their primary keys, in the order of {@link Catalog}. */
    private static final String TABLES = """
            SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname),
                coalesce((SELECT string_agg(quote_literal(a.attname), ', ' ORDER BY a.attnum)
                    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                    WHERE i.indrelid = c.oid AND i.indisprimary), '')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND n.nspname <> 'information_schema'
                AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1""";

    private ChangeTriggers() {}

    /**
     * Creates the triggers on every table, in one transaction; existing ones are replaced.
     *
     * @return the number of tables that notify of writes
     * @throws UserError when the server is no PostgreSQL
     */
    public static int install(Connection connection) throws SQLException {
        refuseOthers(connection);
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(FUNCTION);
            List<String[]> tables = tables(statement);
            for (String[] table : tables) {
                drop(statement, table[0]);
                create(statement, table[0], "insert", "INSERT", "REFERENCING NEW TABLE AS after", table[1]);
                create(
                        statement,
                        table[0],
                        "update",
                        "UPDATE",
                        "REFERENCING OLD TABLE AS before NEW TABLE AS after",
                        table[1]);
                create(statement, table[0], "delete", "DELETE", "REFERENCING OLD TABLE AS before", table[1]);
                create(statement, table[0], "truncate", "TRUNCATE", "", table[1]);
            }
            connection.commit();
            return tables.size();
        } finally {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        }
    }

    /** Drops the triggers. */
    public static void remove(Connection connection) throws SQLException {
        refuseOthers(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP FUNCTION IF EXISTS " + CHANNEL + "() CASCADE");
        }
    }

    /**
     * Creates the triggers of a database, or drops them, however long its statements wait for locks.
     *
     * @param wanted whether writes shall notify
     * @param trouble receives what a statement waits for; empty if it waits for nothing
     * @return the number of tables that notify of writes
     * @throws UserError if the triggers cannot be set
     */
    public static int set(Cluster cluster, boolean wanted, Consumer<String> trouble) {
        StatementWatchdog.Question question = StatementWatchdog.activity(cluster.engine(), APPLICATION_NAME, trouble);
        try (StatementWatchdog watch =
                new StatementWatchdog(cluster.gateway(), StatementWatchdog.Limits.STANDARD, question)) {
            try (Connection connection = watch.connect(APPLICATION_NAME)) {
                if (wanted) {
                    return install(connection);
                }
                remove(connection);
                return 0;
            } catch (SQLException failed) {
                throw new UserError("The triggers cannot be set: " + watch.reason(failed), failed);
            }
        }
    }

    private static void refuseOthers(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet version = statement.executeQuery("SELECT version()")) {
            version.next();
            if (!version.getString(1).startsWith("PostgreSQL")) {
                throw new UserError("Triggers that notify are PostgreSQL's; this server is " + version.getString(1));
            }
        }
    }

    private static List<String[]> tables(Statement statement) throws SQLException {
        List<String[]> tables = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(TABLES)) {
            while (rows.next()) {
                tables.add(new String[] {rows.getString(1), rows.getString(2)});
            }
        }
        return tables;
    }

    private static void drop(Statement statement, String table) throws SQLException {
        for (String kind : List.of("insert", "update", "delete", "truncate")) {
            statement.execute("DROP TRIGGER IF EXISTS " + CHANNEL + "_" + kind + " ON " + table);
        }
    }

    private static void create(Statement statement, String table, String name, String event, String rows, String key)
            throws SQLException {
        statement.execute("CREATE TRIGGER " + CHANNEL + "_" + name + " AFTER " + event + " ON " + table + " " + rows
                + " FOR EACH STATEMENT EXECUTE FUNCTION " + CHANNEL + "(" + key + ")");
    }
}
