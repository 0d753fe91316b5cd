package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.Invariants;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stages 7 to 10 on a real PostgreSQL with rows in it, and what they are to CockroachDB as text. */
class EngineStagesTest {

    private static final List<Stage> ON_POSTGRESQL =
            List.of(Stage.GEO_PARTITIONED, Stage.DATABASE_REGIONS, Stage.GLOBAL_PROMO_CODES, Stage.REGIONAL_BY_ROW);

    private TestDatabase database;
    private Gateway gateway;
    private Schema schema;

    @BeforeEach
    void freshDatabase() throws SQLException {
        database = TestDatabase.fresh();
        gateway = database.gateway();
        schema = new Schema(Engine.POSTGRESQL, gateway);
    }

    @Test
    void noRowIsLostOrChangedByAnyStage() throws SQLException {
        load();
        schema.migrateTo(Stage.UNUSED_INDEX_DROPPED);
        Map<String, String> before = contents();
        for (Stage stage : ON_POSTGRESQL) {
            assertThat(schema.migrateTo(stage)).containsExactly(stage);
            assertThat(contents()).as(stage.id()).isEqualTo(before);
            assertThat(Invariants.violations(gateway)).as(stage.id()).isEmpty();
        }
    }

    @Test
    void everyRowLiesInThePartitionOfItsRegion() throws SQLException {
        load();
        schema.migrateTo(Stage.GEO_PARTITIONED);
        for (Region region : RegionMap.standard().cities().keySet()) {
            List<String> cities = database.query(
                    "SELECT DISTINCT city FROM rides_" + region.name().replace('-', '_'));
            assertThat(cities).isNotEmpty().isSubsetOf(RegionMap.standard().citiesOf(region));
        }
        assertThat(database.query("SELECT count(*) FROM rides_elsewhere")).containsExactly("0");
        database.execute("INSERT INTO users VALUES (gen_random_uuid(), 'atlantis', 'Nemo', 'Deep 1', '1')");
        assertThat(database.query("SELECT name FROM users_elsewhere")).containsExactly("Nemo");
    }

    @Test
    void keysIndexesAndConstraintsAreThoseOfBefore() throws SQLException {
        schema.migrateTo(Stage.UNUSED_INDEX_DROPPED);
        List<String> constraints = constraints();
        List<String> indexes = indexes();
        schema.migrateTo(Stage.GEO_PARTITIONED);
        assertThat(constraints()).isEqualTo(constraints).hasSizeGreaterThan(11);
        indexes.removeIf(index -> index.contains("rides_start_time_idx"));
        assertThat(indexes()).isEqualTo(indexes);
        schema.migrateTo(Stage.GLOBAL_PROMO_CODES);
        assertThatThrownBy(() -> database.execute(
                        "INSERT INTO user_promo_codes VALUES" + " ('rome', gen_random_uuid(), 'none', now(), 1)"))
                .hasMessageContaining("foreign key");
    }

    @Test
    void aRowsRegionIsThatOfItsCity() throws SQLException {
        load();
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        assertThat(database.query("SELECT DISTINCT region FROM vehicles WHERE city IN ('paris', 'rome', 'amsterdam')"))
                .containsExactly("europe-west1");
        database.execute("INSERT INTO users VALUES (gen_random_uuid(), 'atlantis', 'Nemo', 'Deep 1', '1')");
        assertThat(database.query("SELECT region FROM users WHERE city = 'atlantis'"))
                .containsExactly("us-east1");
        assertThatThrownBy(() -> database.execute("UPDATE users SET region = 'us-west1'"))
                .hasMessageContaining("region");
    }

    @Test
    void theGatewaysRegionIsWhatTheServerSaysOrThePrimaryOne() throws SQLException {
        schema.migrateTo(Stage.DATABASE_REGIONS);
        assertThat(database.query("SELECT gateway_region()")).containsExactly("us-east1");
        database.withOptions("-c movr.region=europe-west1");
        assertThat(database.query("SELECT gateway_region()")).containsExactly("europe-west1");
        assertThat(database.query("SELECT name FROM regions ORDER BY is_primary DESC, name"))
                .containsExactly("us-east1", "europe-west1", "us-west1");
    }

    @Test
    void whatWasAcknowledgedWhileTheTablesWerePartitionedIsThere() throws Exception {
        load();
        schema.migrateTo(Stage.UNUSED_INDEX_DROPPED);
        int writers = 4;
        AtomicBoolean end = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(writers);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        List<Future<List<String>>> written = new ArrayList<>();
        try {
            for (int writer = 0; writer < writers; writer++) {
                written.add(threads.submit(() -> writeUsers(end, begun)));
            }
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            schema.migrateTo(Stage.GEO_PARTITIONED);
            end.set(true);
            List<String> acknowledged = new ArrayList<>();
            for (Future<List<String>> ids : written) {
                acknowledged.addAll(ids.get(1, TimeUnit.MINUTES));
            }
            assertThat(database.query("SELECT id FROM users WHERE name = 'Written Meanwhile'"))
                    .containsExactlyInAnyOrderElementsOf(acknowledged);
        } finally {
            end.set(true);
            threads.shutdownNow();
        }
    }

    private List<String> writeUsers(AtomicBoolean end, CountDownLatch begun) throws SQLException {
        List<String> acknowledged = new ArrayList<>();
        try (Connection connection = gateway.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO users (id, city, name) VALUES (?, 'rome', 'Written Meanwhile')")) {
            while (!end.get() && acknowledged.size() < 1_000_000) {
                UUID id = UUID.randomUUID();
                insert.setObject(1, id);
                insert.executeUpdate();
                acknowledged.add(id.toString());
                begun.countDown();
            }
        }
        return acknowledged;
    }

    @Test
    void namesOfCitiesAreTextWhateverTheyHold() throws SQLException {
        RegionMap hostile = hostile();
        schema = new Schema(Engine.POSTGRESQL, gateway, hostile);
        schema.migrateTo(Stage.REGIONAL_BY_ROW);
        database.execute("INSERT INTO users (id, city) VALUES (gen_random_uuid(), 'x''); DROP TABLE rides; --')");
        assertThat(database.query("SELECT region FROM users")).containsExactly("north");
        assertThat(database.query("SELECT count(*) FROM rides")).containsExactly("0");
        String cockroach =
                Schema.script(Engine.COCKROACHDB, hostile, Stage.UNUSED_INDEX_DROPPED, Stage.REGION_SURVIVAL);
        assertThat(cockroach).contains("VALUES IN ('x''); DROP TABLE rides; --')");
    }

    private static RegionMap hostile() {
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        cities.put(new Region("south"), List.of("o'hare"));
        cities.put(new Region("north"), List.of("x'); DROP TABLE rides; --"));
        return new RegionMap(cities);
    }

    @Test
    void aDatabaseOfOtherRegionsIsNotTakenFurther() {
        schema.migrateTo(Stage.GEO_PARTITIONED);
        assertThatThrownBy(() -> new Schema(Engine.POSTGRESQL, gateway, hostile()).migrateTo(Stage.DATABASE_REGIONS))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other regions, cities or --nodes");
        assertThat(schema.migrateTo(Stage.DATABASE_REGIONS)).containsExactly(Stage.DATABASE_REGIONS);
    }

    @Test
    void theFailureOfARegionHasNoCounterpartOnOneServer() {
        assertThatThrownBy(() -> schema.migrateTo(Stage.REGION_SURVIVAL))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no stage region-survival on PostgreSQL")
                .hasMessageContaining("the last one is regional-by-row");
        assertThat(schema.current()).isEmpty();
    }

    @Test
    void cockroachsPartitionsAreThoseThatWereSeenToWork() {
        String script = cockroach(Stage.GEO_PARTITIONED);
        assertThat(script)
                .contains(
                        "DROP INDEX IF EXISTS rides@rides_start_time_idx;",
                        "ALTER TABLE vehicles PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york', 'boston',"
                                + " 'washington dc'), PARTITION us_west1 VALUES IN ('seattle', 'san francisco', 'los"
                                + " angeles'), PARTITION europe_west1 VALUES IN ('amsterdam', 'paris', 'rome'));",
                        "ALTER INDEX rides@rides_auto_index_fk_vehicle_city_ref_vehicles PARTITION BY LIST (vehicle_city) (",
                        "ALTER PARTITION europe_west1 OF INDEX users@* CONFIGURE ZONE USING constraints ="
                                + " '[+region=europe-west1]';");
        // Six tables with a city, in three regions each.
        assertThat(script.lines().filter(line -> line.startsWith("ALTER PARTITION")))
                .hasSize(18);
    }

    @Test
    void cockroachsRegionsComeInTheOrderThatWasSeenToWork() {
        assertThat(statements(Stage.DATABASE_REGIONS))
                .containsSubsequence(
                        "ALTER TABLE users PARTITION BY NOTHING;",
                        "ALTER DATABASE movr SET PRIMARY REGION \"us-east1\";",
                        "ALTER DATABASE movr ADD REGION IF NOT EXISTS \"us-west1\";",
                        "ALTER DATABASE movr ADD REGION IF NOT EXISTS \"europe-west1\";");
        assertThat(statements(Stage.GLOBAL_PROMO_CODES))
                .containsSubsequence(
                        "ALTER TABLE promo_codes SET (schema_locked = false);",
                        "ALTER TABLE promo_codes SET LOCALITY GLOBAL;",
                        "ALTER TABLE promo_codes RESET (schema_locked);",
                        "ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_code_ref_promo_codes FOREIGN KEY"
                                + " (code) REFERENCES promo_codes (code) ON UPDATE CASCADE;");
        assertThat(cockroach(Stage.REGIONAL_BY_ROW))
                .containsSubsequence(
                        "variable = 'use_declarative_schema_changer';\n",
                        "ALTER TABLE users SET (schema_locked = false);\n",
                        "BEGIN;\nALTER TABLE users ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE",
                        ") STORED;\nALTER TABLE vehicles ADD COLUMN",
                        ") STORED;\nCOMMIT;\nBEGIN;\nALTER TABLE users SET LOCALITY REGIONAL BY ROW AS region;\n",
                        "COMMIT;\nALTER TABLE rides SET LOCALITY REGIONAL BY ROW AS region;\n",
                        "ALTER TABLE users RESET (schema_locked);\n");
        assertThat(statements(Stage.REGION_SURVIVAL)).containsExactly("ALTER DATABASE movr SURVIVE REGION FAILURE;");
    }

    private static List<String> statements(Stage stage) {
        return cockroach(stage).lines().filter(line -> line.startsWith("ALTER")).toList();
    }

    @Test
    void aRegionOfOneNodeKeepsOneVoterUntilRegionsMayFail() {
        String stages = Schema.script(
                Engine.COCKROACHDB,
                RegionMap.standard().withNodes(1),
                Stage.UNUSED_INDEX_DROPPED,
                Stage.REGION_SURVIVAL);
        assertThat(stages)
                .contains(
                        "ALTER PARTITION us_west1 OF INDEX rides@* CONFIGURE ZONE USING num_replicas = 1,"
                                + " constraints = '[+region=us-west1]'",
                        "ALTER DATABASE movr CONFIGURE ZONE USING num_voters = 1",
                        "ALTER TABLE promo_codes CONFIGURE ZONE USING num_voters = 1",
                        "ALTER PARTITION \"us-west1\" OF INDEX rides@* CONFIGURE ZONE USING num_voters = 1")
                .endsWith("""
                        SET override_multi_region_zone_config = true;
                        ALTER DATABASE movr SURVIVE REGION FAILURE;

                        """);
        for (Stage stage : List.of(Stage.GEO_PARTITIONED, Stage.DATABASE_REGIONS, Stage.REGIONAL_BY_ROW)) {
            assertThat(cockroach(stage)).doesNotContain("num_replicas", "num_voters", "override");
        }
    }

    private static String cockroach(Stage stage) {
        return Schema.script(
                Engine.COCKROACHDB, RegionMap.standard(), Stage.named(Integer.toString(stage.version() - 1)), stage);
    }

    private void load() {
        new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress())
                .load(Scale.named("tiny").spec(1), 2, IfFilled.REFUSE);
    }

    /** Every row of every table, as one sum a table. */
    private Map<String, String> contents() throws SQLException {
        Map<String, String> contents = new LinkedHashMap<>();
        Map<String, String> rows = Map.of(
                "users", "id, city, name, address, credit_card",
                "vehicles", "id, city, type, owner_id, creation_time, status, current_location, ext",
                "rides",
                        "id, city, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time, end_time,"
                                + " revenue",
                "vehicle_location_histories", "city, ride_id, \"timestamp\", lat, long",
                "promo_codes", "code, description, creation_time, expiration_time, rules",
                "user_promo_codes", "city, user_id, code, \"timestamp\", usage_count");
        for (Map.Entry<String, String> table : rows.entrySet()) {
            contents.put(
                    table.getKey(),
                    database.query(
                                    "SELECT count(*) || ' ' || md5(string_agg(row, ',' ORDER BY row)) FROM (SELECT CAST(ROW("
                                            + table.getValue() + ") AS VARCHAR) AS row FROM " + table.getKey()
                                            + ") AS rows")
                            .get(0));
        }
        return contents;
    }

    private List<String> constraints() throws SQLException {
        return database.query("SELECT c.conrelid::regclass || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid)"
                + " FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
                + " WHERE NOT t.relispartition AND c.contype IN ('p', 'f', 'c') AND c.conparentid = 0"
                + " AND t.relname <> 'flyway_schema_history' AND t.relnamespace = 'public'::regnamespace ORDER BY 1");
    }

    private List<String> indexes() throws SQLException {
        return database.query(
                "SELECT replace(i.indexdef, ' ONLY ', ' ') FROM pg_indexes i JOIN pg_class t ON t.relname = i.tablename"
                        + " WHERE NOT t.relispartition AND i.schemaname = 'public' AND i.tablename <> 'flyway_schema_history'"
                        + " ORDER BY 1");
    }
}
