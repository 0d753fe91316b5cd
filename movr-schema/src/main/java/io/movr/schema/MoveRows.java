package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.TemporaryFiles;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The stage that moves the rows of each city to the server of its region. Logical replication copies them while the service is
 * running. Then the tables are locked until the last change has arrived and every region's partition has replaced its table.
 */
final class MoveRows implements StageHandler {

    private static final String NAME = "movr_move";
    private static final Duration COPY_STALLED = Duration.ofMinutes(1);
    private static final Duration LAG_LIMIT = Duration.ofMinutes(1);
    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 20;
    private static final long PROGRESS_MILLIS = 500;

    private final RegionServers servers;
    private final RegionMap regions;
    private final TableLock lock = new TableLock();

    MoveRows(RegionServers servers) {
        this.servers = servers;
        this.regions = servers.regions();
    }

    /** Removes the publication and the slots of the primary region's server. */
    void end() {
        ServerSql.on(servers.primary(), statement -> {
            ServerSql.dropSlots(statement, NAME);
            for (Region region : servers.others().keySet()) {
                statement.execute("DROP PUBLICATION IF EXISTS " + name(region));
            }
        });
    }

    /** Removes the subscription of another region's server. */
    static void endOn(Region region, Statement statement) throws SQLException {
        ServerSql.dropSubscription(statement, name(region));
    }

    @Override
    public void prepare(Consumer<MigrationProgress> progress) {
        long begun = System.nanoTime();
        removeEarlierAttempt();
        servers.others().forEach((region, server) -> {
            ServerSql.on(server, statement -> createTables(region, statement));
            ServerSql.on(servers.primary(), statement -> publish(region, statement));
            ServerSql.on(
                    server,
                    statement -> statement.execute("CREATE SUBSCRIPTION " + name(region) + " CONNECTION "
                            + servers.primarySeenFrom(region, " application_name=" + name(region))
                            + " PUBLICATION " + name(region)));
        });
        awaitCopies(begun, progress);
        servers.others()
                .forEach((region, server) -> ServerSql.on(server, statement -> servers.analyze(statement, region)));
        // Few changes should remain when the tables are locked.
        ServerSql.on(servers.primary(), statement -> awaitArrival(statement, LAG_LIMIT));
    }

    private void removeEarlierAttempt() {
        servers.others()
                .forEach((region, server) -> ServerSql.on(server, statement -> {
                    endOn(region, statement);
                    PublishPromoCodes.endOn(statement);
                }));
        ServerSql.on(servers.primary(), statement -> {
            ServerSql.dropSlots(statement, NAME);
            // Slots of tables whose copy was interrupted. No other subscription of this server is copying at this time.
            ServerSql.dropSlots(statement, "pg_");
        });
    }

    private void createTables(Region region, Statement statement) throws SQLException {
        statement.execute("DROP SCHEMA public CASCADE");
        statement.execute("CREATE SCHEMA public");
        statement.execute(Schema.file(Engine.POSTGRESQL, Stage.BASELINE));
        statement.execute("DROP TABLE promo_codes");
        statement.execute("IMPORT FOREIGN SCHEMA public LIMIT TO (promo_codes, " + MultiServerMigration.HISTORY
                + ") FROM SERVER " + Sql.name(regions.primary().name()) + " INTO public");
        statement.execute("ALTER FOREIGN TABLE " + MultiServerMigration.HISTORY + " RENAME TO "
                + MultiServerMigration.HISTORY + "_primary");
        statement.execute("CREATE TABLE " + MultiServerMigration.HISTORY + " (LIKE " + MultiServerMigration.HISTORY
                + "_primary)");
        ServerSql.executeAll(statement, servers.partitions(region));
        ServerSql.executeAll(statement, servers.keys(region));
    }

    private void publish(Region region, Statement statement) throws SQLException {
        statement.execute("DROP PUBLICATION IF EXISTS " + name(region));
        // A publication does not accept IN.
        String ofRegion = regions.citiesOf(region).stream()
                .map(city -> "city = " + Sql.text(city))
                .collect(Collectors.joining(" OR "));
        statement.execute("CREATE PUBLICATION " + name(region) + " FOR TABLE "
                + EngineStages.TABLES.stream()
                        .map(table -> table + " WHERE (" + ofRegion + ")")
                        .collect(Collectors.joining(", ")));
    }

    /** Waits until every subscription has copied its tables. */
    private void awaitCopies(long begun, Consumer<MigrationProgress> progress) {
        int tables = servers.others().size() * EngineStages.TABLES.size();
        long lastCopied = 0;
        int lastLeft = tables;
        long moved = begun;
        long lastReport = begun;
        while (true) {
            int left = 0;
            long copied = 0;
            for (Gateway server : servers.others().values()) {
                left += (int)
                        ServerSql.number(server, "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'");
                copied += ServerSql.number(
                        server, "SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy");
            }
            if (left == 0) {
                return;
            }
            moved = left == lastLeft && copied == lastCopied ? moved : System.nanoTime();
            lastLeft = left;
            lastCopied = copied;
            if (System.nanoTime() - moved > COPY_STALLED.toNanos()) {
                throw new UserError(
                        "No row has come to its region for " + COPY_STALLED.toSeconds() + " s, and those of " + left
                                + " tables are missing: mend the links that are cut, then migrate again");
            }
            if (System.nanoTime() - lastReport > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS)) {
                lastReport = System.nanoTime();
                progress.accept(new MigrationProgress(
                        "copying rows to their regions, while the service is running",
                        Duration.ofNanos(lastReport - begun),
                        (double) (tables - left) / tables));
            }
            ServerSql.pause(POLL_MILLIS);
        }
    }

    @Override
    public void apply(Connection primary) throws SQLException {
        lock.on(List.of(primary));
        try (Statement statement = primary.createStatement()) {
            awaitArrival(statement, ARRIVAL_LIMIT);
            for (Map.Entry<Region, Gateway> other : servers.others().entrySet()) {
                requireSameRows(statement, other.getKey(), other.getValue());
                ServerSql.on(other.getValue(), elsewhere -> endOn(other.getKey(), elsewhere));
            }
            Region here = regions.primary();
            ServerSql.executeAll(statement, servers.partitions(here));
            for (String table : EngineStages.TABLES) {
                String rows = "SELECT * FROM " + RegionServers.before(table) + " WHERE city ";
                copyFrozen(
                        primary,
                        table + "_" + EngineStages.partition(here),
                        rows + "IN (" + Sql.texts(regions.citiesOf(here)) + ")");
                copyFrozen(
                        primary,
                        table + "_" + PostgresStages.ELSEWHERE,
                        rows + "NOT IN (" + Sql.texts(regions.allCities()) + ")");
            }
            ServerSql.executeAll(statement, servers.keys(here));
            servers.analyze(statement, here);
        }
    }

    @Override
    public void finish() {
        servers.rerouteToHomes();
        end();
    }

    @Override
    public Optional<Duration> pause() {
        return Optional.of(lock.held());
    }

    /**
     * Fills a table that this transaction has created with frozen rows, which every transaction sees. A transaction that waits
     * for the lock has already taken its snapshot, and would otherwise see none of the rows.
     */
    private static void copyFrozen(Connection connection, String table, String query) throws SQLException {
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        try {
            // One connection cannot read and write at once, and no other one may read what is locked.
            Path rows = TemporaryFiles.file("rows-", ".copy");
            try {
                try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(rows))) {
                    copy.copyOut("COPY (" + query + ") TO STDOUT", file);
                }
                try (InputStream file = new BufferedInputStream(Files.newInputStream(rows))) {
                    copy.copyIn("COPY " + table + " FROM STDIN WITH (FREEZE)", file);
                }
            } finally {
                Files.delete(rows);
            }
        } catch (IOException failed) {
            throw new SQLException("the rows of " + table + " cannot be moved: " + failed.getMessage(), failed);
        }
    }

    /** Waits until every change that was made before has been applied in its region. */
    private void awaitArrival(Statement primary, Duration longest) throws SQLException {
        String end = ServerSql.text(primary, "SELECT pg_current_wal_insert_lsn()");
        // A message that is sent at once, even if no other change is written.
        ServerSql.text(primary, "SELECT pg_logical_emit_message(false, 'movr', 'switch', true)");
        long limit = System.nanoTime() + longest.toNanos();
        String late = "SELECT count(*) FROM pg_replication_slots WHERE starts_with(slot_name, '" + NAME
                + "') AND confirmed_flush_lsn < '" + end + "'";
        while (!ServerSql.text(primary, late).equals("0")) {
            if (System.nanoTime() > limit) {
                throw new SQLException("the last changes did not arrive in their regions within " + longest.toSeconds()
                        + " s: mend the links that are cut, then migrate again");
            }
            ServerSql.pause(POLL_MILLIS);
        }
    }

    private void requireSameRows(Statement primary, Region region, Gateway server) throws SQLException {
        String where = " WHERE city IN (" + Sql.texts(regions.citiesOf(region)) + ")";
        String counts = EngineStages.TABLES.stream()
                .map(table -> "(SELECT count(*) FROM " + table + where + ")")
                .collect(Collectors.joining(" || ' ' || ", "SELECT ", ""));
        String here = ServerSql.text(primary, counts);
        String[] there = new String[1];
        ServerSql.on(
                server,
                statement -> there[0] =
                        ServerSql.text(statement, counts.replace(where, "_" + EngineStages.partition(region))));
        if (!here.equals(there[0])) {
            throw new SQLException("the rows of " + region + " did not arrive: " + here + " in " + EngineStages.TABLES
                    + " here, " + there[0] + " there");
        }
    }

    private static String name(Region region) {
        return NAME + "_" + EngineStages.partition(region);
    }
}
