package io.movr.schema;

import static io.movr.TestDatabase.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages 7 to 10 on a server in each of three regions. */
class MultiServerMigrationTest {

    private static final RegionMap REGIONS = RegionMap.standard();
    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");
    private static final Region EUROPE = new Region("europe-west1");
    private static final List<Stage> REGIONAL =
            List.of(Stage.GEO_PARTITIONED, Stage.DATABASE_REGIONS, Stage.GLOBAL_PROMO_CODES, Stage.REGIONAL_BY_ROW);

    @TempDir
    private Path folder;

    private EmbeddedRegions cluster = start(null);

    private EmbeddedRegions start(Path kept) {
        return EmbeddedRegions.start(List.copyOf(REGIONS.cities().keySet()), Distances.standard(), kept);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Schema loaded() {
        cluster.distant(false);
        new BulkLoader(Engine.POSTGRESQL, cluster.gateway(), new LoadProgress())
                .load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        Schema schema = Schema.of(cluster, REGIONS);
        schema.migrateTo(Stage.UNUSED_INDEX_DROPPED);
        return schema;
    }

    @Test
    void everyRowIsKeptThroughEveryStageWhileOthersWrite() throws Exception {
        Schema schema = loaded();
        Map<String, String> before = contents(cluster.gateway());
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService writers =
                Executors.newFixedThreadPool(2 * REGIONS.cities().size());
        List<Future<List<UUID>>> written = new ArrayList<>();
        REGIONS.cities().forEach((region, cities) -> written.add(writers.submit(() -> write(region, cities, over))));
        List<Future<Long>> read = new ArrayList<>();
        REGIONS.cities().forEach((region, cities) -> read.add(writers.submit(() -> read(region, cities.get(0), over))));
        try {
            for (Stage stage : REGIONAL) {
                assertThat(schema.migrateTo(stage)).containsExactly(stage);
            }
            TimeUnit.MILLISECONDS.sleep(300);
        } finally {
            over.set(true);
            writers.shutdown();
        }
        for (Future<Long> of : read) {
            assertThat(of.get()).isPositive();
        }
        List<UUID> ids = new ArrayList<>();
        for (Future<List<UUID>> of : written) {
            assertThat(of.get()).isNotEmpty();
            ids.addAll(of.get());
        }
        for (Gateway gateway : cluster.gateways().values()) {
            assertThat(contents(gateway)).isEqualTo(before);
            List<String> found = query(gateway, "SELECT id FROM users WHERE name = 'Writer'");
            // One whose answer was lost may be there as well; none may be missing or there twice.
            assertThat(found)
                    .doesNotHaveDuplicates()
                    .containsAll(ids.stream().map(UUID::toString).toList());
        }
        assertThat(query(
                        cluster.gateway(),
                        "SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'movr_move%'"))
                .containsExactly("0");
    }

    /** Inserts users until it is over, and answers those whose insertion was acknowledged. */
    private List<UUID> write(Region region, List<String> cities, AtomicBoolean over) throws InterruptedException {
        List<UUID> acknowledged = new ArrayList<>();
        Gateway gateway = cluster.gateways().get(region);
        while (!over.get()) {
            try (Connection connection = gateway.connect();
                    Statement statement = connection.createStatement()) {
                while (!over.get()) {
                    UUID id = UUID.randomUUID();
                    String city = cities.get(acknowledged.size() % cities.size());
                    statement.execute("INSERT INTO users (id, city, name, address, credit_card) VALUES ('" + id + "', '"
                            + city + "', 'Writer', 'Here', '4111111111111111')");
                    acknowledged.add(id);
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            } catch (SQLException reset) {
                // The gateway was led to another server.
                assertThat(reset.getSQLState()).as(reset.toString()).startsWith("08");
            }
        }
        return acknowledged;
    }

    /** Counts a city's vehicles until it is over, as the service does, whose transactions are serializable. */
    private long read(Region region, String city, AtomicBoolean over) throws SQLException {
        Gateway gateway = cluster.gateways().get(region).withOptions("-c default_transaction_isolation=serializable");
        String sql = "SELECT count(*) FROM vehicles WHERE city = '" + city + "'";
        List<String> vehicles = query(cluster.gateway(), sql);
        long times = 0;
        while (!over.get()) {
            try (Connection connection = gateway.connect();
                    Statement statement = connection.createStatement()) {
                while (!over.get()) {
                    try (ResultSet count = statement.executeQuery(sql)) {
                        count.next();
                        assertThat(List.of(count.getString(1))).as(city).isEqualTo(vehicles);
                        times++;
                    }
                }
            } catch (SQLException reset) {
                assertThat(reset.getSQLState()).as(reset.toString()).startsWith("08");
            }
        }
        return times;
    }

    @Test
    void whatIsAtHomeNeverLeavesItsRegion() throws Exception {
        Schema schema = loaded();
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        RegionLinks links = cluster.links().orElseThrow();
        links.cut(EAST, WEST);
        links.cut(EAST, EUROPE);
        links.cut(WEST, EUROPE);
        for (Map.Entry<Region, Gateway> gateway : cluster.gateways().entrySet()) {
            String city = REGIONS.citiesOf(gateway.getKey()).get(1);
            assertThat(query(gateway.getValue(), "SELECT gateway_region()"))
                    .containsExactly(gateway.getKey().name());
            try (Connection connection = gateway.getValue().connect()) {
                assertThat(Schema.readStage(connection)).contains(Stage.REGIONAL_BY_ROW);
            }
            UUID id = UUID.randomUUID();
            execute(
                    gateway.getValue(),
                    "INSERT INTO users (id, city, name) VALUES ('" + id + "', '" + city + "', 'Home')",
                    "UPDATE users SET address = 'there' WHERE city = '" + city + "' AND id = '" + id + "'");
            assertThat(query(
                            gateway.getValue(),
                            "SELECT region, address FROM users WHERE city = '" + city + "' AND id = '" + id + "'"))
                    .containsExactly(gateway.getKey() + "|there");
            assertThat(query(gateway.getValue(), "SELECT count(*) > 10 FROM promo_codes"))
                    .containsExactly("t");
        }
        links.mend(EAST, WEST);
        links.mend(EAST, EUROPE);
        links.mend(WEST, EUROPE);
        assertThat(query(cluster.gateways().get(WEST), "SELECT count(*) FROM users WHERE name = 'Home'"))
                .containsExactly("3");
    }

    @Tag("full")
    @Test
    void remoteRowsArePlainRows() throws Exception {
        Schema schema = loaded();
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        Gateway europe = cluster.gateways().get(EUROPE);
        UUID id = UUID.randomUUID();
        assertThat(query(
                        europe,
                        "INSERT INTO users (id, city, name) VALUES ('" + id + "', 'seattle', 'Far') RETURNING region"))
                .containsExactly("us-west1");
        execute(europe, "UPDATE users SET name = 'Farther' WHERE city = 'seattle' AND id = '" + id + "'");
        assertThat(query(
                        cluster.gateways().get(WEST),
                        "SELECT name FROM users WHERE city = 'seattle' AND id = '" + id + "'"))
                .containsExactly("Farther");
        assertThatThrownBy(() ->
                        execute(europe, "INSERT INTO users (id, city, name) VALUES ('" + id + "', 'seattle', 'Twice')"))
                .isInstanceOf(SQLException.class)
                .hasFieldOrPropertyWithValue("SQLState", "23505");
        assertThatThrownBy(() -> execute(
                        europe,
                        "INSERT INTO vehicles (id, city, owner_id) VALUES ('" + id + "', 'rome', '" + id + "')"))
                .isInstanceOf(SQLException.class)
                .hasFieldOrPropertyWithValue("SQLState", "23503");
    }

    @Test
    void promoCodesAreWrittenInThePrimaryRegionAndArriveEverywhere() throws Exception {
        Schema schema = loaded();
        schema.migrateTo(Stage.GLOBAL_PROMO_CODES);
        Gateway west = cluster.gateways().get(WEST);
        execute(
                west,
                "INSERT INTO promo_codes (code, description) VALUES ('WEST', 'from the west') ON CONFLICT DO NOTHING");
        execute(cluster.gateway(), "INSERT INTO promo_codes (code, description) VALUES ('EAST', 'from the east')");
        for (Gateway gateway : cluster.gateways().values()) {
            await(gateway, "SELECT count(*) FROM promo_codes WHERE code IN ('WEST', 'EAST')", "2");
        }
        assertThat(query(
                        cluster.gateways().get(EUROPE),
                        "INSERT INTO promo_codes (code) VALUES ('WEST') ON CONFLICT DO NOTHING RETURNING code"))
                .isEmpty();
        assertThatThrownBy(() -> execute(
                        west,
                        "INSERT INTO user_promo_codes (city, user_id, code) SELECT city, id, 'NONE' FROM users"
                                + " WHERE city = 'seattle' LIMIT 1"))
                .hasFieldOrPropertyWithValue("SQLState", "23503");
    }

    /** Before the insertion is committed here, its copy may be here already. */
    @Tag("full")
    @Test
    void aPromoCodeThatArrivesWhileItIsWrittenStopsNothing() throws Exception {
        Schema schema = loaded();
        schema.migrateTo(Stage.GLOBAL_PROMO_CODES);
        Gateway west = cluster.servers().get(WEST);
        try (Connection connection = west.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // Not once more in the primary region, where the next statement commits it first.
            statement.execute("SET LOCAL session_replication_role = replica");
            statement.execute("INSERT INTO promo_codes (code) VALUES ('BOTH')");
            execute(cluster.gateway(), "INSERT INTO promo_codes (code) VALUES ('BOTH'), ('NEXT')");
            await(
                    west,
                    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'logical replication apply worker'"
                            + " AND wait_event_type = 'Lock'",
                    "1");
            connection.commit();
        }
        await(west, "SELECT count(*) FROM promo_codes WHERE code IN ('BOTH', 'NEXT')", "2");
        assertThat(query(west, "SELECT apply_error_count FROM pg_stat_subscription_stats"))
                .containsExactly("0");
    }

    @Test
    void oneServerOfSeveralIsNotMigratedAlone() {
        loaded();
        for (Gateway gateway : cluster.gateways().values()) {
            assertThatThrownBy(() -> new Schema(Engine.POSTGRESQL, gateway, REGIONS).migrateTo(Stage.GEO_PARTITIONED))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("one server of regions");
        }
    }

    @Tag("full")
    @Test
    void aStageThatFailsLeavesNothingBehind() throws Exception {
        Schema schema = loaded();
        schema.migrateTo(Stage.GLOBAL_PROMO_CODES);
        // The primary region's server fails to commit when the others have.
        execute(
                cluster.gateway(),
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'not today'; END $$",
                "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON flyway_schema_history DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION refuse()");
        assertThatThrownBy(() -> schema.migrateTo(Stage.REGIONAL_BY_ROW))
                .hasMessageContaining("not today")
                .hasNoSuppressedExceptions();
        for (Gateway server : cluster.servers().values()) {
            assertThat(query(
                            server,
                            "SELECT count(*) FROM information_schema.columns"
                                    + " WHERE table_name = 'users' AND column_name = 'region'"))
                    .as(server.shown())
                    .containsExactly("0");
        }
        execute(
                cluster.gateways().get(WEST),
                "INSERT INTO users (id, city, name) VALUES ('" + UUID.randomUUID() + "', 'boston', 'Still')");
        execute(cluster.gateway(), "DROP FUNCTION refuse() CASCADE");
        assertThat(schema.migrateTo(Stage.REGIONAL_BY_ROW)).containsExactly(Stage.REGIONAL_BY_ROW);
    }

    /** The primary's server names the slots of both after these, and the system identifier that copies of one server share. */
    @Test
    void subscriptionsOfTwoRegionsHaveOidsOfTheirOwn() throws Exception {
        loaded();
        new MultiServerMigration(cluster, REGIONS).prepare(Stage.GEO_PARTITIONED, progress -> {});
        List<String> oids = new ArrayList<>();
        for (Map.Entry<Region, Gateway> server : cluster.servers().entrySet()) {
            if (!server.getKey().equals(REGIONS.primary())) {
                oids.addAll(query(server.getValue(), "SELECT oid FROM pg_subscription"));
            }
        }
        assertThat(oids).hasSize(2).doesNotHaveDuplicates();
    }

    @Tag("full")
    @Test
    void aMigrationThatWasCutOffIsBegunAnew() throws Exception {
        Schema schema = loaded();
        Map<String, String> before = contents(cluster.gateway());
        Gateway west = Objects.requireNonNull(cluster.servers().get(WEST));
        execute(
                west,
                "CREATE SUBSCRIPTION movr_promo_codes CONNECTION 'host=127.0.0.1' PUBLICATION of_a_lost_server"
                        + " WITH (connect = false, slot_name = NONE)");
        MultiServerMigration half = new MultiServerMigration(cluster, REGIONS);
        half.prepare(Stage.GEO_PARTITIONED, progress -> {});
        assertThat(query(west, "SELECT count(*) FROM pg_subscription WHERE subname = 'movr_promo_codes'"))
                .containsExactly("0");
        try (Connection connection = cluster.gateway().connect()) {
            connection.setAutoCommit(false);
            half.apply(Stage.GEO_PARTITIONED, connection);
            connection.rollback();
        }
        assertThat(schema.current()).contains(Stage.UNUSED_INDEX_DROPPED);
        schema.migrateTo(Stage.DATABASE_REGIONS);
        half.prepare(Stage.GLOBAL_PROMO_CODES, progress -> {});
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        for (Gateway gateway : cluster.gateways().values()) {
            assertThat(contents(gateway)).isEqualTo(before);
        }
        assertThat(schema.migrateTo(Stage.REGIONAL_BY_ROW)).isEmpty();
    }

    @Tag("full")
    @Test
    void regionsThatAreKeptAreFoundAgain() throws Exception {
        cluster.close();
        cluster = start(folder);
        Schema schema = loaded();
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        Map<String, String> before = contents(cluster.gateway());
        cluster.close();
        cluster = start(folder);
        cluster.distant(false);
        RegionMap other = new RegionMap(
                Map.of(EAST, List.of("boston", "new york"), WEST, List.of("seattle"), EUROPE, List.of("rome")));
        assertThatThrownBy(() -> Schema.of(cluster, other)).hasMessageContaining("other regions, cities or --nodes");
        assertThat(Schema.of(cluster, REGIONS).current()).contains(Stage.REGIONAL_BY_ROW);
        for (Map.Entry<Region, Gateway> gateway : cluster.gateways().entrySet()) {
            assertThat(contents(gateway.getValue())).isEqualTo(before);
            assertThat(query(gateway.getValue(), "SELECT gateway_region()"))
                    .containsExactly(gateway.getKey().name());
        }
        execute(cluster.gateway(), "INSERT INTO promo_codes (code) VALUES ('AFTERWARDS')");
        await(cluster.gateways().get(EUROPE), "SELECT count(*) FROM promo_codes WHERE code = 'AFTERWARDS'", "1");
    }

    /** Count and checksum of each table by city, but for what the writers wrote. */
    private static Map<String, String> contents(Gateway gateway) throws SQLException {
        Map<String, String> contents = new TreeMap<>();
        for (String table : EngineStages.TABLES) {
            String columns = String.join(
                    ", ",
                    query(
                            gateway,
                            "SELECT quote_ident(column_name) FROM information_schema.columns WHERE table_name = '"
                                    + table + "' AND column_name <> 'region' ORDER BY ordinal_position"));
            for (String row : query(
                    gateway,
                    "SELECT city, count(*), sum(hashtextextended(row(" + columns + ")::text, 0)) FROM " + table
                            + (table.equals("users") ? " WHERE name <> 'Writer'" : "") + " GROUP BY city")) {
                String[] words = row.split("\\|", 2);
                contents.put(table + " " + words[0], words[1]);
            }
        }
        assertThat(contents).isNotEmpty();
        return contents;
    }

    private static void await(Gateway gateway, String sql, String wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!query(gateway, sql).equals(List.of(wanted))) {
            assertThat(System.nanoTime()).as(sql + " on " + gateway).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void execute(Gateway gateway, String... statements) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
