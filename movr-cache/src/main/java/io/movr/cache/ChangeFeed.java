package io.movr.cache;

import io.movr.UserError;
import io.movr.cache.ResultCache.Rows;
import io.movr.cache.Sql.Name;
import io.movr.database.SqlState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A sinkless changefeed of CockroachDB. It streams the keys of written rows, and periodically a resolved timestamp. The feed has
 * failed if that timestamp lags too far behind, even if other messages arrive.
 */
final class ChangeFeed implements ChangeSource {

    /** Closed timestamps are 3 s old when they come, and come every 3 s; a long transaction holds them up for 10 s. */
    private static final Duration MAX_LAG = Duration.ofSeconds(20);

    private static final Duration CATALOG_LIMIT = Duration.ofSeconds(10);
    private static final String CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::INT8";
    private static final String SETTING = "kv.rangefeed.enabled";
    private static final String ENABLE = "SET CLUSTER SETTING " + SETTING + " = true";

    private final CachingDataSource cache;
    private final Function<Collection<Name>, String> statement;
    private final Duration maxLag;

    ChangeFeed(CachingDataSource cache) {
        this(cache, ChangeFeed::statement, MAX_LAG);
    }

    /**
     * A feed of another statement.
     *
     * @param statement by the tables to watch
     * @param maxLag the maximum lag of the resolved timestamp
     */
    ChangeFeed(CachingDataSource cache, Function<Collection<Name>, String> statement, Duration maxLag) {
        this.cache = cache;
        this.statement = statement;
        this.maxLag = maxLag;
    }

    /** Enables changefeeds in a cluster permanently, which makes its writes some percent slower. */
    public static void enable(Connection connection) throws SQLException {
        try (Statement setting = connection.createStatement()) {
            setting.execute(ENABLE);
        }
    }

    /**
     * Returns the statement of the feed, without a sink, so that its rows are the result. It ends if the tables change, because
     * their keys may.
     */
    static String statement(Collection<Name> tables) {
        return "CREATE CHANGEFEED FOR TABLE "
                + tables.stream()
                        .map(name -> quoted(name.schema()) + "." + quoted(name.table()))
                        .sorted()
                        .collect(Collectors.joining(", "))
                + " WITH envelope = 'key_only', initial_scan = 'no', resolved = '1s', min_checkpoint_frequency = '1s',"
                + " schema_change_events = 'column_changes', schema_change_policy = 'stop'";
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void hear(Connection connection) throws SQLException, InterruptedException {
        if (!cache.awaitReady(CATALOG_LIMIT)) {
            throw new SQLException("The cache cannot read which tables there are");
        }
        Catalog catalog = cache.catalog();
        if (catalog == null) {
            return;
        }
        Reading reading = new Reading(connection);
        try {
            reading.run(catalog);
        } catch (SQLException failed) {
            // It also ends when a table is changed, truncated or dropped.
            cache.tablesChangedElsewhere();
            throw reading.explained(failed);
        }
    }

    /** One execution of the statement. */
    private final class Reading {

        private final Connection connection;
        /** The deadline, by the local clock, for the next resolved timestamp. */
        private long due = System.nanoTime() + maxLag.toNanos();

        Reading(Connection connection) {
            this.connection = connection;
        }

        void run(Catalog known) throws SQLException {
            removeReadTimeout();
            WatchedTables watched = WatchedTables.of(known, connection);
            if (watched.tables().isEmpty()) {
                throw new SQLException("No table has writes that a changefeed can watch");
            }
            long begun = System.nanoTime();
            long clockMillis = prepare();
            connection.setAutoCommit(false);
            try (Statement feed = connection.createStatement()) {
                // The driver returns rows when it has received the fetch size, and in no transaction at all
                // only when it has all.
                feed.setFetchSize(1);
                try (ResultSet rows =
                        feed.executeQuery(statement.apply(watched.tables().keySet()))) {
                    // The first row has come.
                    cache.invalidationUp(watched::contains);
                    while (rows.next()) {
                        String table = rows.getString("table");
                        if (table == null) {
                            long resolved = WatchedTables.resolvedMillis(text(rows, "value")) - clockMillis;
                            due = begun + TimeUnit.MILLISECONDS.toNanos(resolved) + maxLag.toNanos();
                        } else {
                            changed(watched.changed(table, text(rows, "key")));
                        }
                        removeReadTimeout();
                        Catalog now = cache.catalog();
                        if (now != null && !WatchedTables.of(now).equals(watched.tables())) {
                            return;
                        }
                    }
                }
            }
            throw new SQLException("The changefeed has ended");
        }

        /** Sets the socket timeout for the next answer. */
        private void removeReadTimeout() throws SQLException {
            long left = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
            if (left <= 0) {
                throw new SQLException("too late");
            }
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(left));
        }

        /** Returns the time of the database's clock, in milliseconds. */
        private long prepare() throws SQLException {
            try (Statement settings = connection.createStatement()) {
                settings.execute("SET statement_timeout = 0");
                settings.execute("SET idle_in_transaction_session_timeout = 0");
                try {
                    // To the server this statement defines something, and would end the transaction it is read in.
                    settings.execute("SET autocommit_before_ddl = false");
                } catch (SQLException older) {
                    if (!SqlState.UNDEFINED_OBJECT.equals(older.getSQLState())) {
                        throw older;
                    }
                }
                try (ResultSet clock = settings.executeQuery(CLOCK)) {
                    clock.next();
                    return clock.getLong(1);
                }
            }
        }

        private void changed(List<Rows> rows) {
            if (rows.isEmpty()) {
                cache.changedElsewhere();
            } else {
                rows.forEach(cache::changedElsewhere);
            }
        }

        private String text(ResultSet rows, String column) throws SQLException {
            byte[] bytes = rows.getBytes(column);
            return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
        }

        private SQLException explained(SQLException failed) {
            String reason = UserError.firstLine(failed);
            if (reason.contains(SETTING)) {
                reason += ": an administrator must " + ENABLE;
            } else if (SqlState.INSUFFICIENT_PRIVILEGE.equals(failed.getSQLState())) {
                reason += ": grant SELECT and CHANGEFEED on every table of the database to this user";
            } else if (System.nanoTime() - due >= 0) {
                reason = "The changefeed is more than " + maxLag.toSeconds() + " s behind, or cannot be reached";
            }
            return new SQLException(reason, failed.getSQLState(), failed);
        }
    }
}
