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
 * What a changefeed of CockroachDB tells that streams to its client: the keys of the rows that were written, and now and then
 * a time up to which it has told everything. It has fallen silent when that time lies too far behind, whatever else arrives.
 */
public final class ChangeFeed implements ChangeSource {

    /** Closed timestamps are 3 s old when they come, and come every 3 s; a long transaction holds them up for 10 s. */
    private static final Duration MAX_LAG = Duration.ofSeconds(20);

    private static final Duration CATALOG_LIMIT = Duration.ofSeconds(10);
    private static final String CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::INT8";
    private static final String SETTING = "kv.rangefeed.enabled";
    private static final String ENABLE = "SET CLUSTER SETTING " + SETTING + " = true";

    private final CachingDataSource cache;
    private final Function<Collection<Name>, String> statement;
    private final Duration mostBehind;

    ChangeFeed(CachingDataSource cache) {
        this(cache, ChangeFeed::statement, MAX_LAG);
    }

    /**
     * A feed of another statement.
     *
     * @param statement by the tables it is to tell of
     * @param mostBehind how long ago may be what it has told everything up to
     */
    ChangeFeed(CachingDataSource cache, Function<Collection<Name>, String> statement, Duration mostBehind) {
        this.cache = cache;
        this.statement = statement;
        this.mostBehind = mostBehind;
    }

    /** Lets a cluster have changefeeds, for good, which makes its writes dearer by some percent. */
    public static void enable(Connection connection) throws SQLException {
        try (Statement setting = connection.createStatement()) {
            setting.execute(ENABLE);
        }
    }

    /** Without a sink, so that the rows are the answer; it ends when the tables change, because their keys may. */
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
        /** By the clock here: when the feed will be too far behind, if it says no more. */
        private long due = System.nanoTime() + mostBehind.toNanos();

        Reading(Connection connection) {
            this.connection = connection;
        }

        void run(Catalog known) throws SQLException {
            removeReadTimeout();
            WatchedTables watched = WatchedTables.of(known, connection);
            if (watched.tables().isEmpty()) {
                throw new SQLException("There is no table whose writes could be heard of");
            }
            long begun = System.nanoTime();
            long clockMillis = prepare();
            connection.setAutoCommit(false);
            try (Statement feed = connection.createStatement()) {
                // The driver hands out rows when it has as many as it was told to fetch, and in no transaction at all
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
                            due = begun + TimeUnit.MILLISECONDS.toNanos(resolved) + mostBehind.toNanos();
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

        /** Bounds how long the next answer may take. */
        private void removeReadTimeout() throws SQLException {
            long left = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
            if (left <= 0) {
                throw new SQLException("too late");
            }
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(left));
        }

        /** Answers what the database's clock shows, in milliseconds. */
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
                reason = "The changefeed is more than " + mostBehind.toSeconds() + " s behind, or cannot be reached";
            }
            return new SQLException(reason, failed.getSQLState(), failed);
        }
    }
}
