package io.movr.schema;

import io.movr.UserError;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * Stages 7 to 10 where each region has a PostgreSQL server of its own. Rows are copied to their regions by logical
 * replication while the service goes on; then the tables are locked until the last change has arrived and every region's
 * partition has taken its place. That happens in the transaction in which Flyway notes the stage on the primary region's
 * server, so that a stage which was interrupted is begun anew, and one that was reached is complete.
 */
final class MultiServerMigration {

    private static final String MOVE = "movr_move";
    private static final String PROMO_CODES = "movr_promo_codes";
    private static final String HISTORY = "flyway_schema_history";
    /** Several times as long as another region's statement waits for a lock, so that it is never this one that gives way. */
    private static final Duration LOCK_LIMIT = EmbeddedRegions.REMOTE_LOCK_LIMIT.multipliedBy(4);

    private static final int LOCK_TRIES = 10;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final Duration COPY_STALLED = Duration.ofMinutes(1);
    private static final Duration LAG_LIMIT = Duration.ofMinutes(1);
    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 20;
    private static final long PROGRESS_MILLIS = 500;

    private final EmbeddedRegions cluster;
    private final RegionMap regions;
    private final Map<Region, Gateway> others = new LinkedHashMap<>();
    private final Map<Stage, Duration> pauses = new EnumMap<>(Stage.class);
    private long lockedAt;
    private Duration triedInVain = Duration.ZERO;

    MultiServerMigration(EmbeddedRegions cluster, RegionMap regions) {
        this.cluster = cluster;
        this.regions = regions;
        others.putAll(cluster.servers());
        others.remove(regions.primary());
        if (!cluster.servers().keySet().equals(regions.cities().keySet())) {
            throw new UserError("The regions that run are " + cluster.servers().keySet() + ", not "
                    + regions.cities().keySet() + ": name them with --home");
        }
    }

    /** Clears away what an interrupted migration left, and leads gateways home if their rows are there. */
    void tidy(@Nullable Stage current) {
        boolean spread = current != null && current.isRegional();
        boolean homed = current != null && !current.isBefore(Stage.REGIONAL_BY_ROW);
        others.forEach((region, server) -> work(server, statement -> {
            dropSubscription(statement, move(region));
            if (spread) {
                if (!homed) {
                    // The others commit before the primary region's server does, which then may not.
                    for (String table : RegionalStages.TABLES) {
                        statement.execute("ALTER TABLE " + table + " DROP COLUMN IF EXISTS region");
                    }
                }
                if (exists(statement, "pg_subscription WHERE subname = '" + PROMO_CODES + "'")) {
                    statement.execute("ALTER SUBSCRIPTION " + PROMO_CODES + " CONNECTION "
                            + Sql.text(cluster.way(region, regions.primary())));
                }
            }
        }));
        endMove();
        if (spread) {
            noteStages();
            cluster.rerouteToHomes();
        }
    }

    /** Ends what the primary region's server does for the copying of rows. */
    private void endMove() {
        work(cluster.gateway(), statement -> {
            dropSlots(statement, MOVE);
            for (Region region : others.keySet()) {
                statement.execute("DROP PUBLICATION IF EXISTS " + move(region));
            }
        });
    }

    /** Copies Flyway's notes to every region, where an instance looks for its stage without leaving the region. */
    private void noteStages() {
        String there = HISTORY + "_primary";
        others.values()
                .forEach(server -> work(
                        server,
                        statement -> statement.execute("INSERT INTO " + HISTORY + " SELECT * FROM " + there
                                + " WHERE installed_rank NOT IN (SELECT installed_rank FROM " + HISTORY + ")")));
    }

    /** What can be done while the service goes on. */
    void prepare(Stage stage, Consumer<MigrationProgress> progress) {
        switch (stage) {
            case GEO_PARTITIONED -> copyRows(progress);
            case GLOBAL_PROMO_CODES -> publishPromoCodes();
            default -> {}
        }
    }

    /**
     * What must happen at once.
     *
     * @param primary a transaction on the primary region's server, which Flyway commits
     */
    void apply(Stage stage, Connection primary) throws SQLException {
        switch (stage) {
            case GEO_PARTITIONED -> switchToPartitions(primary);
            case DATABASE_REGIONS -> {
                List<String> statements = single(stage);
                for (Gateway server : others.values()) {
                    work(server, statement -> {
                        statement.execute("DROP FUNCTION IF EXISTS gateway_region()");
                        statement.execute("DROP TABLE IF EXISTS regions");
                        executeAll(statement, statements);
                    });
                }
                executeAll(primary, statements);
            }
            case GLOBAL_PROMO_CODES -> {
                List<String> keys = new ArrayList<>();
                for (String place : places(regions.primary())) {
                    keys.add(promoCodeKey(place));
                }
                executeAll(primary, keys);
            }
            case REGIONAL_BY_ROW -> addRegionColumn(primary);
            default -> throw new IllegalArgumentException(stage + " is no stage of this engine");
        }
    }

    /** What follows when the stage is reached. */
    void finish(Stage stage) {
        if (stage == Stage.GEO_PARTITIONED || stage == Stage.REGIONAL_BY_ROW) {
            pauses.put(stage, triedInVain.plusNanos(System.nanoTime() - lockedAt));
        }
        if (stage.isRegional()) {
            noteStages();
        }
        if (stage == Stage.GEO_PARTITIONED) {
            cluster.rerouteToHomes();
            endMove();
        }
    }

    /** How long statements of others had to wait because tables were locked, or were to be locked, by stage. */
    Map<Stage, Duration> pauses() {
        return Map.copyOf(pauses);
    }

    private List<String> single(Stage stage) {
        return new PostgresRegionalStages(regions)
                .changes(stage).stream().map(Change::sql).toList();
    }

    private static String move(Region region) {
        return MOVE + "_" + RegionalStages.partition(region);
    }

    /** The partitions that lie on a region's server: its own, and in the primary region that of all other cities. */
    private List<String> places(Region region) {
        String own = RegionalStages.partition(region);
        return region.equals(regions.primary()) ? List.of(own, PostgresRegionalStages.ELSEWHERE) : List.of(own);
    }

    private void copyRows(Consumer<MigrationProgress> progress) {
        long begun = System.nanoTime();
        others.forEach((region, server) -> work(server, statement -> {
            dropSubscription(statement, move(region));
            dropSubscription(statement, PROMO_CODES);
        }));
        work(cluster.gateway(), statement -> {
            dropSlots(statement, MOVE);
            // Those of tables whose copying was cut off. There is no other subscription here that is copying just now.
            dropSlots(statement, "pg_");
        });
        for (Map.Entry<Region, Gateway> other : others.entrySet()) {
            Region region = other.getKey();
            work(other.getValue(), statement -> {
                statement.execute("DROP SCHEMA public CASCADE");
                statement.execute("CREATE SCHEMA public");
                statement.execute(Schema.file(Engine.POSTGRESQL, Stage.BASELINE));
                statement.execute("DROP TABLE promo_codes");
                statement.execute("IMPORT FOREIGN SCHEMA public LIMIT TO (promo_codes, " + HISTORY + ") FROM SERVER "
                        + Sql.name(regions.primary().name()) + " INTO public");
                statement.execute("ALTER FOREIGN TABLE " + HISTORY + " RENAME TO " + HISTORY + "_primary");
                statement.execute("CREATE TABLE " + HISTORY + " (LIKE " + HISTORY + "_primary)");
                executeAll(statement, partitions(region));
                executeAll(statement, keys(region));
            });
            work(cluster.gateway(), statement -> {
                statement.execute("DROP PUBLICATION IF EXISTS " + move(region));
                // IN is no expression that a publication takes.
                String ofRegion = regions.citiesOf(region).stream()
                        .map(city -> "city = " + Sql.text(city))
                        .collect(Collectors.joining(" OR "));
                statement.execute("CREATE PUBLICATION " + move(region) + " FOR TABLE "
                        + RegionalStages.TABLES.stream()
                                .map(table -> table + " WHERE (" + ofRegion + ")")
                                .collect(Collectors.joining(", ")));
            });
            work(
                    other.getValue(),
                    statement -> statement.execute("CREATE SUBSCRIPTION " + move(region) + " CONNECTION "
                            + Sql.text(cluster.way(region, regions.primary()) + " application_name=" + move(region))
                            + " PUBLICATION " + move(region)));
        }
        int tables = others.size() * RegionalStages.TABLES.size();
        long lastCopied = 0;
        int lastLeft = tables;
        long moved = begun;
        long told = begun;
        while (true) {
            int left = 0;
            long copied = 0;
            for (Gateway server : others.values()) {
                left += (int) number(server, "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'");
                copied += number(server, "SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy");
            }
            if (left == 0) {
                break;
            }
            moved = left == lastLeft && copied == lastCopied ? moved : System.nanoTime();
            lastLeft = left;
            lastCopied = copied;
            if (System.nanoTime() - moved > COPY_STALLED.toNanos()) {
                throw new UserError(
                        "No row has come to its region for " + COPY_STALLED.toSeconds() + " s, and those of " + left
                                + " tables are missing: mend the links that are cut, then migrate again");
            }
            if (System.nanoTime() - told > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS)) {
                told = System.nanoTime();
                progress.accept(new MigrationProgress(
                        "copying rows to their regions, while the service goes on",
                        Duration.ofNanos(told - begun),
                        (double) (tables - left) / tables));
            }
            pause(POLL_MILLIS);
        }
        others.forEach((region, server) -> work(server, statement -> analyze(statement, region)));
        // What is to come while the tables are locked shall be little.
        work(cluster.gateway(), statement -> awaitArrival(statement, LAG_LIMIT));
    }

    /** The statements that put partitioned tables into the place of those of all cities, on a region's server. */
    private List<String> partitions(Region here) {
        List<String> statements = new ArrayList<>();
        for (String table : RegionalStages.TABLES) {
            statements.add("ALTER TABLE " + table + " RENAME TO " + before(table));
            statements.add("CREATE TABLE " + table + " (LIKE " + before(table)
                    + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY LIST (city)");
            regions.cities()
                    .forEach((region, cities) -> statements.add(partition(
                            table,
                            RegionalStages.partition(region),
                            "FOR VALUES IN (" + Sql.texts(cities) + ")",
                            here,
                            region)));
            statements.add(partition(table, PostgresRegionalStages.ELSEWHERE, "DEFAULT", here, regions.primary()));
        }
        return statements;
    }

    /** The statements that follow when the partitions of a region's server have their rows: keys, indexes. */
    private List<String> keys(Region here) {
        List<String> statements = new ArrayList<>();
        statements.add("DROP TABLE "
                + RegionalStages.TABLES.stream()
                        .map(MultiServerMigration::before)
                        .collect(Collectors.joining(", ")));
        for (String place : places(here)) {
            for (String table : RegionalStages.TABLES) {
                statements.add("ALTER TABLE " + table + "_" + place + " ADD PRIMARY KEY ("
                        + PostgresRegionalStages.KEYS.get(table) + ")");
            }
            for (String index : PostgresRegionalStages.INDEXES) {
                String[] words = index.split(" ", 4);
                statements.add("CREATE INDEX ON " + words[2] + "_" + place + " " + words[3]);
            }
            PostgresRegionalStages.FOREIGN_KEYS.entrySet().stream()
                    .map(key -> "ALTER TABLE " + key.getKey().replaceFirst(" ", "_" + place + " ") + " REFERENCES "
                            + key.getValue().replaceFirst(" ", "_" + place + " "))
                    .sorted()
                    .forEach(statements::add);
        }
        return statements;
    }

    /** A table of all cities, as it is called when a partitioned one has taken its place. */
    private static String before(String table) {
        return table + "_before";
    }

    private static String partition(String table, String place, String bound, Region here, Region home) {
        String name = table + "_" + place;
        return here.equals(home)
                ? "CREATE TABLE " + name + " PARTITION OF " + table + " " + bound
                : "CREATE FOREIGN TABLE " + name + " PARTITION OF " + table + " " + bound + " SERVER "
                        + Sql.name(home.name());
    }

    private void switchToPartitions(Connection primary) throws SQLException {
        lock(List.of(primary));
        try (Statement statement = primary.createStatement()) {
            awaitArrival(statement, ARRIVAL_LIMIT);
            for (Map.Entry<Region, Gateway> other : others.entrySet()) {
                requireSameRows(statement, other.getKey(), other.getValue());
                work(other.getValue(), elsewhere -> dropSubscription(elsewhere, move(other.getKey())));
            }
            Region here = regions.primary();
            executeAll(statement, partitions(here));
            for (String table : RegionalStages.TABLES) {
                String rows = "SELECT * FROM " + before(table) + " WHERE city ";
                copyFrozen(
                        primary,
                        table + "_" + RegionalStages.partition(here),
                        rows + "IN (" + Sql.texts(regions.citiesOf(here)) + ")");
                copyFrozen(
                        primary,
                        table + "_" + PostgresRegionalStages.ELSEWHERE,
                        rows + "NOT IN (" + Sql.texts(regions.allCities()) + ")");
            }
            executeAll(statement, keys(here));
            analyze(statement, here);
        }
    }

    /**
     * Fills a table that this transaction has made with rows that every transaction sees, also one that began before: who
     * waits for the lock has chosen what it sees already, and would find no row of this transaction.
     */
    private static void copyFrozen(Connection connection, String table, String query) throws SQLException {
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        try {
            // One connection cannot read and write at once, and no other one may read what is locked.
            Path rows = Files.createTempFile("movr-rows", ".copy");
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
        String end = text(primary, "SELECT pg_current_wal_insert_lsn()");
        // Something that is sent at once, whatever else is written or not.
        text(primary, "SELECT pg_logical_emit_message(false, 'movr', 'switch', true)");
        long limit = System.nanoTime() + longest.toNanos();
        String late = "SELECT count(*) FROM pg_replication_slots WHERE starts_with(slot_name, '" + MOVE
                + "') AND confirmed_flush_lsn < '" + end + "'";
        while (!text(primary, late).equals("0")) {
            if (System.nanoTime() > limit) {
                throw new SQLException("the last changes did not arrive in their regions within " + longest.toSeconds()
                        + " s: mend the links that are cut, then migrate again");
            }
            pause(POLL_MILLIS);
        }
    }

    private void requireSameRows(Statement primary, Region region, Gateway server) throws SQLException {
        String where = " WHERE city IN (" + Sql.texts(regions.citiesOf(region)) + ")";
        String counts = RegionalStages.TABLES.stream()
                .map(table -> "(SELECT count(*) FROM " + table + where + ")")
                .collect(Collectors.joining(" || ' ' || ", "SELECT ", ""));
        String here = text(primary, counts);
        String[] there = new String[1];
        work(
                server,
                statement -> there[0] = text(statement, counts.replace(where, "_" + RegionalStages.partition(region))));
        if (!here.equals(there[0])) {
            throw new SQLException("the rows of " + region + " did not arrive: " + here + " in " + RegionalStages.TABLES
                    + " here, " + there[0] + " there");
        }
    }

    /**
     * The primary region's server publishes the codes, the others subscribe to them: they are read everywhere at home, and
     * written in the primary region.
     */
    private void publishPromoCodes() {
        work(cluster.gateway(), statement -> {
            if (!exists(statement, "pg_publication WHERE pubname = '" + PROMO_CODES + "'")) {
                statement.execute("CREATE PUBLICATION " + PROMO_CODES + " FOR TABLE promo_codes");
            }
        });
        for (Map.Entry<Region, Gateway> other : others.entrySet()) {
            Region region = other.getKey();
            String slot = PROMO_CODES + "_" + RegionalStages.partition(region);
            // From the beginning, if it was interrupted.
            work(other.getValue(), statement -> dropSubscription(statement, PROMO_CODES));
            work(cluster.gateway(), statement -> {
                dropSlots(statement, slot);
                text(statement, "SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
            });
            work(other.getValue(), statement -> {
                transaction(statement, () -> executeAll(statement, localPromoCodes(statement, region)));
                statement.execute("CREATE SUBSCRIPTION " + PROMO_CODES + " CONNECTION "
                        + Sql.text(cluster.way(region, regions.primary())) + " PUBLICATION " + PROMO_CODES
                        + " WITH (copy_data = false, create_slot = false, slot_name = '" + slot + "')");
            });
        }
    }

    private List<String> localPromoCodes(Statement statement, Region region) throws SQLException {
        List<String> statements = new ArrayList<>();
        if (exists(statement, "pg_class WHERE relname = 'promo_codes_primary'")) {
            statements.add("DROP TABLE promo_codes CASCADE");
        } else {
            statements.add("ALTER FOREIGN TABLE promo_codes RENAME TO promo_codes_primary");
            statements.add("ALTER FOREIGN TABLE promo_codes_primary OPTIONS (SET table_name 'promo_codes')");
        }
        statements.add("CREATE TABLE promo_codes (LIKE promo_codes_primary)");
        statements.add("INSERT INTO promo_codes SELECT * FROM promo_codes_primary");
        statements.add("ALTER TABLE promo_codes ADD PRIMARY KEY (code)");
        statements.add("""
                CREATE OR REPLACE FUNCTION write_promo_code() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF TG_OP <> 'INSERT' THEN
                        RAISE EXCEPTION 'promo codes are changed in the primary region';
                    END IF;
                    INSERT INTO promo_codes_primary SELECT NEW.* ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN
                        RETURN NULL;
                    END IF;
                    RETURN NEW;
                END $$""");
        statements.add("CREATE TRIGGER to_primary BEFORE INSERT OR UPDATE OR DELETE ON promo_codes"
                + " FOR EACH ROW EXECUTE FUNCTION write_promo_code()");
        // What was written here arrives once more, perhaps before it is committed here.
        statements.add("""
                CREATE OR REPLACE FUNCTION receive_promo_code() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF pg_trigger_depth() > 1 THEN
                        RETURN NEW;
                    END IF;
                    INSERT INTO public.promo_codes SELECT NEW.* ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$""");
        statements.add("CREATE TRIGGER from_primary BEFORE INSERT ON promo_codes"
                + " FOR EACH ROW EXECUTE FUNCTION receive_promo_code()");
        statements.add("ALTER TABLE promo_codes ENABLE REPLICA TRIGGER from_primary");
        statements.add(promoCodeKey(RegionalStages.partition(region)));
        return statements;
    }

    private static String promoCodeKey(String place) {
        return "ALTER TABLE user_promo_codes_" + place + " ADD CONSTRAINT fk_code_ref_promo_codes"
                + " FOREIGN KEY (code) REFERENCES promo_codes (code)";
    }

    /**
     * On all servers in one go. The column is virtual, which rewrites no row, and because postgres_fdw sends an UPDATE as it is
     * only to tables without a stored one. The others commit first; until the primary region's server does, its tables stay locked, so
     * that nobody writes a row there in a form that it does not have yet.
     */
    private void addRegionColumn(Connection primary) throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            for (Gateway server : others.values()) {
                Connection connection = server.connect(MigrationWatch.MIGRATING);
                open.add(connection);
                connection.setAutoCommit(false);
            }
            List<Connection> all = new ArrayList<>(open);
            all.add(primary);
            lock(all);
            List<String> statements = single(Stage.REGIONAL_BY_ROW).stream()
                    .map(sql -> sql.replace("ADD COLUMN", "ADD COLUMN IF NOT EXISTS")
                            .replace(" STORED", " VIRTUAL"))
                    .toList();
            for (Connection connection : all) {
                executeAll(connection, statements);
            }
            for (Connection connection : open) {
                connection.commit();
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    /** Locks the tables on several servers, all or none: who waits for another one would never be found otherwise. */
    private void lock(List<Connection> connections) throws SQLException {
        triedInVain = Duration.ZERO;
        for (int attempt = 1; ; attempt++) {
            List<Savepoint> savepoints = new ArrayList<>();
            // Also while it waits: everybody else queues behind it.
            lockedAt = System.nanoTime();
            try {
                for (Connection connection : connections) {
                    savepoints.add(connection.setSavepoint());
                    executeAll(
                            connection,
                            List.of(
                                    "SET LOCAL lock_timeout = " + LOCK_LIMIT.toMillis(),
                                    "LOCK TABLE " + String.join(", ", RegionalStages.TABLES)
                                            + " IN ACCESS EXCLUSIVE MODE"));
                }
                return;
            } catch (SQLException refused) {
                String state = Objects.requireNonNullElse(refused.getSQLState(), "");
                for (int number = 0; number < savepoints.size(); number++) {
                    connections.get(number).rollback(savepoints.get(number));
                }
                triedInVain = triedInVain.plusNanos(System.nanoTime() - lockedAt);
                if (attempt == LOCK_TRIES
                        || !(state.equals(SqlState.LOCK_NOT_AVAILABLE) || state.equals(SqlState.DEADLOCK))) {
                    throw refused;
                }
                pause(BETWEEN_TRIES.toMillis());
            }
        }
    }

    private void analyze(Statement statement, Region here) throws SQLException {
        for (String place : places(here)) {
            for (String table : RegionalStages.TABLES) {
                statement.execute("ANALYZE " + table + "_" + place);
            }
        }
    }

    /** A subscription whose slot is dropped apart from it, because the two are on different servers. */
    private static void dropSubscription(Statement statement, String name) throws SQLException {
        if (exists(statement, "pg_subscription WHERE subname = '" + name + "'")) {
            statement.execute("ALTER SUBSCRIPTION " + name + " DISABLE");
            statement.execute("ALTER SUBSCRIPTION " + name + " SET (slot_name = NONE)");
            statement.execute("DROP SUBSCRIPTION " + name);
        }
    }

    /** Slots keep what was written for somebody who never comes. */
    private static void dropSlots(Statement statement, String prefix) throws SQLException {
        String mine = " FROM pg_replication_slots WHERE starts_with(slot_name, '" + prefix + "')";
        text(statement, "SELECT count(pg_terminate_backend(active_pid, 5000))" + mine);
        text(statement, "SELECT count(pg_drop_replication_slot(slot_name))" + mine);
    }

    private interface Work {
        void on(Statement statement) throws SQLException;
    }

    private static void work(Gateway server, Work work) {
        try (Connection connection = server.connect(MigrationWatch.MIGRATING);
                Statement statement = connection.createStatement()) {
            work.on(statement);
        } catch (SQLException failed) {
            throw new UserError("A region's server refused: " + UserError.firstLine(failed), failed);
        }
    }

    private interface Steps {
        void run() throws SQLException;
    }

    private static void transaction(Statement statement, Steps steps) throws SQLException {
        Connection connection = statement.getConnection();
        connection.setAutoCommit(false);
        try {
            steps.run();
            connection.commit();
        } catch (SQLException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void executeAll(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            executeAll(statement, statements);
        }
    }

    private static void executeAll(Statement statement, List<String> statements) throws SQLException {
        for (String sql : statements) {
            statement.execute(sql);
        }
    }

    private static boolean exists(Statement statement, String from) throws SQLException {
        return text(statement, "SELECT EXISTS (SELECT 1 FROM " + from + ")").equals("t");
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return Optional.ofNullable(answer.getString(1)).orElse("");
        }
    }

    private static long number(Gateway server, String sql) {
        long[] found = new long[1];
        work(server, statement -> found[0] = Long.parseLong(text(statement, sql)));
        return found[0];
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("The migration was interrupted", interrupted);
        }
    }
}
