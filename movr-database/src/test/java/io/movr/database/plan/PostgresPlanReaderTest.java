package io.movr.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads plans that a real server gives; each is forced where the planner would choose otherwise for so few rows. */
class PostgresPlanReaderTest {

    private static EmbeddedPostgres server;
    private static Connection connection;

    private final PlanReader reader = PlanReader.of(Engine.POSTGRESQL);

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        connection = server.gateway().connect();
        execute("CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR, card VARCHAR)");
        execute("INSERT INTO people SELECT n, 'name ' || n % 1000, 'card ' || n FROM generate_series(1, 10000) n");
        execute("CREATE INDEX people_name ON people (name) INCLUDE (card)");
        execute("CREATE TABLE pets (owner INT, kind VARCHAR)");
        execute("INSERT INTO pets SELECT n, 'cat' FROM generate_series(1, 5000) n");
        execute("CREATE TABLE stops (id INT PRIMARY KEY, place POINT, state VARCHAR, kind INT, note VARCHAR)");
        execute(
                "INSERT INTO stops SELECT n, point(n % 100, n / 100), CASE WHEN n % 1000 = 0 THEN 'open' ELSE 'done' END,"
                        + " n % 100, 'note ' || n FROM generate_series(1, 10000) n");
        execute("CREATE INDEX stops_place ON stops USING gist (place)");
        execute("CREATE INDEX stops_open ON stops (id) WHERE state = 'open'");
        execute("CREATE INDEX stops_kind ON stops (kind)");
        execute("CREATE TABLE readings (id INT, day DATE NOT NULL, value INT) PARTITION BY RANGE (day)");
        execute("CREATE TABLE first_half PARTITION OF readings FOR VALUES FROM ('2025-01-01') TO ('2025-07-01')");
        execute("CREATE TABLE second_half PARTITION OF readings FOR VALUES FROM ('2025-07-01') TO ('2026-01-01')"
                + " PARTITION BY RANGE (day)");
        execute("CREATE TABLE autumn PARTITION OF second_half FOR VALUES FROM ('2025-07-01') TO ('2026-01-01')");
        execute("INSERT INTO readings SELECT n, date '2025-01-01' + n % 360, n % 50 FROM generate_series(1, 20000) n");
        execute("CREATE INDEX readings_day_idx ON readings (day)");
        execute("CREATE SCHEMA archive");
        execute("CREATE TABLE archive.people (id INT PRIMARY KEY, name VARCHAR)");
        execute("CREATE EXTENSION tsm_system_rows");
        execute("CREATE EXTENSION file_fdw");
        execute("CREATE SERVER files FOREIGN DATA WRAPPER file_fdw");
        execute("CREATE FOREIGN TABLE versions (line VARCHAR) SERVER files OPTIONS (filename 'PG_VERSION')");
        execute("CREATE TABLE \"Order Line\" (id INT PRIMARY KEY, note VARCHAR)");
        execute("VACUUM (ANALYZE) stops");
        execute("ANALYZE readings");
        execute("VACUUM (ANALYZE) people");
        execute("VACUUM (ANALYZE) pets");
    }

    @AfterAll
    static void stop() throws SQLException {
        connection.close();
        server.close();
    }

    @Test
    void aFullScanIsOneWhateverItFilters() throws SQLException {
        Plan plan = explain("SELECT * FROM people WHERE card = 'card 7'");
        assertThat(plan.scans()).hasSize(1);
        PlanNode scan = plan.scans().get(0);
        assertThat(scan.access()).isEqualTo(Access.FULL_SCAN);
        assertThat(scan.table()).isEqualTo("people");
        assertThat(scan.index()).isNull();
        assertThat(scan.actualRows()).isEqualTo(1);
        assertThat(scan.conditions()).anyMatch(condition -> condition.contains("card 7"));
        assertThat(plan.describe()).isEqualTo("full scan of people");
    }

    @Test
    void anIndexScanAndAnIndexOnlyScanAreToldApart() throws SQLException {
        assertThat(explain("SELECT * FROM people WHERE id = 7").describe())
                .isEqualTo("index scan of people by people_pkey");
        assertThat(explain("SELECT name, card FROM people WHERE name = 'name 7'")
                        .describe())
                .isEqualTo("index-only scan of people by people_name");
        assertThat(explain("SELECT max(length(name)) FROM people WHERE name IS NOT NULL OR card > ''")
                        .describe())
                .startsWith("full scan");
    }

    @Test
    void aWholeIndexReadWithoutItsTableIsAFullIndexScan() throws SQLException {
        execute("SET enable_seqscan = off");
        try {
            assertThat(explain("SELECT name, count(*) FROM people GROUP BY name")
                            .scans())
                    .extracting(PlanNode::access)
                    .containsExactly(Access.FULL_INDEX_SCAN);
        } finally {
            execute("RESET enable_seqscan");
        }
    }

    @Test
    void aBitmapScanIsAnIndexScanByItsIndex() throws SQLException {
        execute("SET enable_indexscan = off");
        execute("SET enable_indexonlyscan = off");
        try {
            assertThat(explain("SELECT * FROM people WHERE name = 'name 7'").describe())
                    .isEqualTo("index scan of people by people_name");
        } finally {
            execute("RESET enable_indexscan");
            execute("RESET enable_indexonlyscan");
        }
    }

    @Test
    void anIndexScanThatALimitEndsReadsAPart() throws SQLException {
        assertThat(explain("SELECT id, note FROM stops ORDER BY id LIMIT 10").describe())
                .isEqualTo("index scan of stops by stops_pkey");
        Plan nearest = explain("SELECT id, note FROM stops ORDER BY place <-> point(10, 10) LIMIT 5");
        assertThat(nearest.describe()).isEqualTo("index scan of stops by stops_place");
        assertThat(nearest.text()).contains("Order By: (");
        assertThat(explain("SELECT DISTINCT name FROM people ORDER BY name LIMIT 3")
                        .describe())
                .isEqualTo("index-only scan of people by people_name");
        execute("SET enable_seqscan = off");
        execute("SET enable_sort = off");
        try {
            assertThat(explain("SELECT id, note FROM stops ORDER BY id").describe())
                    .as("without a limit")
                    .isEqualTo("full scan of stops by stops_pkey");
            assertThat(explain("SELECT * FROM stops WHERE note LIKE '%7' AND length(note) > 99 ORDER BY id LIMIT 10")
                            .describe())
                    .as("a limit that is not reached")
                    .isEqualTo("full scan of stops by stops_pkey");
            assertThat(explain("SELECT count(note) FROM (SELECT note FROM stops ORDER BY id) ordered LIMIT 1")
                            .describe())
                    .as("a limit above a step that reads everything")
                    .isEqualTo("full scan of stops by stops_pkey");
        } finally {
            execute("RESET ALL");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LIMIT 10 OFFSET 20 | index scan",
                "LIMIT (SELECT 10) | index scan",
                "LIMIT (SELECT 10) OFFSET (SELECT 20) | index scan",
                "LIMIT 0 | index scan",
                "FETCH FIRST 5 ROWS WITH TIES | index scan",
                "OFFSET 20 | full scan",
                "LIMIT 100000 | full scan",
                "LIMIT (SELECT 100000) | full scan",
                "LIMIT ALL OFFSET 9990 | full scan",
                "LIMIT 100 OFFSET 9950 | full scan",
            })
    void aStepOfALimitIsOneOnlyWhereItEndsTheScan(String limit, String access) throws SQLException {
        execute("SET enable_seqscan = off");
        execute("SET enable_sort = off");
        try {
            assertThat(explain("SELECT id, note FROM stops ORDER BY id " + limit)
                            .describe())
                    .isEqualTo(access + " of stops by stops_pkey");
        } finally {
            execute("RESET ALL");
        }
    }

    @Test
    void aLimitThatAGenericPlanDoesNotKnowEndsAScan() throws SQLException {
        execute("PREPARE first_stops (INT) AS SELECT id, note FROM stops ORDER BY id LIMIT $1");
        execute("SET plan_cache_mode = force_generic_plan");
        try {
            assertThat(explain("EXECUTE first_stops (7)").describe()).isEqualTo("index scan of stops by stops_pkey");
        } finally {
            execute("RESET ALL");
            execute("DEALLOCATE first_stops");
        }
    }

    @Test
    void aPartialIndexIsAPartOfItsTable() throws SQLException {
        assertThat(explain("SELECT id, note FROM stops WHERE state = 'open'").describe())
                .isEqualTo("index scan of stops by stops_open");
    }

    @Test
    void aBitmapOfSeveralIndexesNamesEachAndNoneOfASubquery() throws SQLException {
        execute("SET enable_seqscan = off");
        execute("SET enable_indexscan = off");
        try {
            Plan plan = explain("SELECT * FROM stops WHERE kind = 7 OR id < 20"
                    + " OR (id < 40 AND note = (SELECT min(name) FROM people WHERE people.id = stops.kind))");
            PlanNode scan = plan.scans().stream()
                    .filter(step -> "stops".equals(step.table()))
                    .findFirst()
                    .orElseThrow();
            assertThat(scan.indexes()).containsExactly("stops_kind", "stops_pkey");
            assertThat(plan.describe())
                    .startsWith("index scan of stops by stops_kind, index scan of stops by stops_pkey");
            assertThat(plan.text()).contains("using stops_kind, stops_pkey on stops");
        } finally {
            execute("RESET ALL");
        }
    }

    @Test
    void aPartitionedTableMeansItsPartitions() throws SQLException {
        Plan whole = explain("SELECT count(*) FROM readings WHERE value = 7");
        assertThat(complaint("no full scan of readings", whole)).contains("full scan of first_half");
        assertThat(complaint("no full scan of second_half", whole)).contains("full scan of autumn");
        assertThat(complaint("no full scan of public.readings", whole)).contains("full scan of first_half");
        assertThat(complaint("no full scan of raedings", whole))
                .contains("it does not read raedings; it reads first_half, autumn");
        assertThat(complaint("full scan of readings", whole)).isEmpty();
        Plan part = explain("SELECT id FROM readings WHERE day = '2025-03-01'");
        assertThat(complaint("no full scan of readings", part)).isEmpty();
        assertThat(complaint("index scan of readings by readings_day_idx", part))
                .isEmpty();
        assertThat(complaint("index scan of readings by first_half_day_idx", part))
                .isEmpty();
        assertThat(complaint("no full scan of second_half", part))
                .contains("it does not read second_half; it reads first_half");
        assertThat(complaint("insert into readings", explain("INSERT INTO readings VALUES (0, '2025-03-01', 1)")))
                .isEmpty();
    }

    @Test
    void aSchemaBeforeATableIsThatOfThePlan() throws SQLException {
        Plan plan = explain("SELECT * FROM archive.people WHERE id = 7");
        assertThat(complaint("no full scan of archive.people", plan)).isEmpty();
        assertThat(complaint("no full scan of people", plan)).isEmpty();
        assertThat(complaint("no full scan of public.people", plan))
                .contains("it does not read public.people; it reads archive.people");
    }

    @Test
    void aNameWithASpaceIsRead() throws SQLException {
        Plan plan = explain("SELECT * FROM \"Order Line\" WHERE note = 'q'");
        assertThat(plan.describe()).isEqualTo("full scan of Order Line");
        assertThat(complaint("full scan of \"Order Line\"", plan)).isEmpty();
    }

    /** Each statement is to use the steps that are named before it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Result | SELECT 1",
                "Append, Seq Scan | SELECT * FROM readings",
                "Merge Append, Limit | SELECT id FROM people UNION ALL SELECT id FROM stops ORDER BY id LIMIT 3",
                "Tid Scan | SELECT * FROM people WHERE ctid = '(0,1)'",
                "Tid Range Scan | SELECT * FROM people WHERE ctid < '(1,1)'",
                "Sample Scan, system | SELECT * FROM people TABLESAMPLE SYSTEM (10)",
                "Sample Scan, bernoulli | SELECT * FROM people TABLESAMPLE BERNOULLI (10)",
                "Sample Scan, system_rows | SELECT * FROM people TABLESAMPLE system_rows (10)",
                "Function Scan | SELECT * FROM generate_series(1, 3) n",
                "Table Function Scan | SELECT * FROM json_table('[1]', '$[*]' COLUMNS (x int PATH '$')) t",
                "Values Scan | SELECT * FROM (VALUES (1), (2)) v",
                "CTE Scan | WITH x AS MATERIALIZED (SELECT id FROM people) SELECT * FROM x a, x b WHERE a.id = b.id",
                "Recursive Union, WorkTable Scan | WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n"
                        + " WHERE i < 5) SELECT * FROM n",
                "ProjectSet | SELECT generate_series(1, 3)",
                "LockRows | SELECT * FROM people WHERE id = 1 FOR UPDATE",
                "WindowAgg | SELECT id, row_number() OVER (ORDER BY id) FROM people",
                "Incremental Sort | SELECT name, card FROM people ORDER BY name, id LIMIT 5",
                "SetOp | SELECT id FROM people EXCEPT ALL SELECT owner FROM pets",
                "Unique | SELECT DISTINCT ON (name) name, id FROM people ORDER BY name, id",
                "Group | SELECT id FROM people GROUP BY id ORDER BY id LIMIT 3",
                "Memoize, Nested Loop | SELECT count(*) FROM stops JOIN people ON people.id = stops.kind",
                "Materialize | SELECT count(*) FROM pets a JOIN stops b ON a.owner < b.kind WHERE b.id < 5",
                "Merge Join | SELECT count(*) FROM people a JOIN stops b ON a.id = b.id",
                "Hash Join, Hash | SELECT count(*) FROM pets JOIN people ON owner = id",
                "Subquery Scan | SELECT * FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people) x WHERE n % 2 = 0",
                "Gather, Partial | SELECT count(*) FROM people",
                "Gather Merge | SELECT * FROM people ORDER BY card",
                "Insert | INSERT INTO people (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
                "Update | UPDATE people SET card = '' WHERE id = 1",
                "Delete | DELETE FROM people WHERE id = 1",
                "Merge | MERGE INTO people p USING (VALUES (1)) v (id) ON p.id = v.id WHEN MATCHED THEN DELETE",
                "BitmapAnd | SELECT * FROM stops WHERE kind = 7 AND place <@ box '((0,0),(50,50))'",
            })
    void everyStepOfPostgresIsUnderstood(String steps, String sql) throws SQLException {
        for (String one : steps.contains("Gather") ? PARALLEL : FORCED.getOrDefault(steps, List.of())) {
            execute(one);
        }
        try {
            Plan plan = explain(sql);
            assertThat(plan.unrecognizedSteps()).isEmpty();
            for (String step : steps.split(", ", -1)) {
                assertThat(plan.source()).contains("\"" + step + "\"");
            }
        } finally {
            execute("RESET ALL");
        }
    }

    @Test
    void aForeignTableIsReadInAWayThatIsNotUnderstood() throws SQLException {
        Plan plan = explain("SELECT line FROM versions WHERE line <> ''");
        assertThat(plan.describe()).isEqualTo("not understood: Foreign Scan of versions");
        assertThat(complaint("no full scan of versions", plan)).contains("not understood: Foreign Scan of versions");
        assertThat(complaint("index scan of people", explain("SELECT * FROM people, versions WHERE id = 7")))
                .isEmpty();
    }

    private static final List<String> PARALLEL = List.of(
            "SET parallel_setup_cost = 0", "SET parallel_tuple_cost = 0", "SET min_parallel_table_scan_size = 0");

    private static final Map<String, List<String>> FORCED = Map.of(
            "Merge Join",
            List.of("SET enable_hashjoin = off", "SET enable_nestloop = off"),
            "Memoize, Nested Loop",
            List.of("SET enable_hashjoin = off", "SET enable_mergejoin = off"),
            "Group",
            List.of("SET enable_hashagg = off"),
            "Unique",
            List.of("SET enable_hashagg = off"),
            "BitmapAnd",
            List.of("SET enable_seqscan = off", "SET enable_indexscan = off"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"Node Type\": \"Foreign Scan\", \"Relation Name\": \"far\" | not understood: Foreign Scan of far",
                "\"Node Type\": \"Foreign Scan\", \"Relations\": \"(a) INNER JOIN (b)\" | not understood: Foreign Scan",
                "\"Node Type\": \"Custom Scan\", \"Custom Plan Provider\": \"Columnar\" | not understood: Custom Scan (Columnar)",
                "\"Node Type\": \"Warp Scan\" | not understood: Warp Scan",
                "\"Node Type\": \"Sample Scan\", \"Relation Name\": \"a\", \"Sampling Method\": \"odd\""
                        + " | not understood: Sample Scan of a",
                "\"Node Type\": \"Sample Scan\", \"Relation Name\": \"a\", \"Sampling Method\": \"bernoulli\" | full scan of a",
                "\"Node Type\": \"Sample Scan\", \"Relation Name\": \"a\", \"Sampling Method\": \"system\" | partial scan of a",
                "\"Node Type\": \"Tid Range Scan\", \"Relation Name\": \"a\" | partial scan of a",
            })
    void aStepThatIsNotUnderstoodIsSaidToBe(String step, String described) {
        Plan plan = reader.read("[{\"Plan\": {\"Node Type\": \"Append\", \"Plans\": [{" + step + "}]}}]");
        assertThat(plan.describe()).isEqualTo(described);
    }

    @Test
    void aJoinShowsBothItsTables() throws SQLException {
        Plan plan = explain("SELECT count(*) FROM people JOIN pets ON owner = id WHERE kind = 'cat'");
        assertThat(plan.scans()).extracting(PlanNode::table).containsExactlyInAnyOrder("people", "pets");
        assertThat(plan.text()).contains("Hash Cond").contains("rows expected").contains("seen)");
    }

    @Test
    void expectedAndSeenRowsOfANestedLoopAreBothOfOneLoop() throws SQLException {
        for (String join : List.of("hashjoin", "mergejoin", "memoize")) {
            execute("SET enable_" + join + " = off");
        }
        try {
            Plan plan = explain("SELECT count(*) FROM pets JOIN people ON id = owner");
            PlanNode inner = plan.scans().stream()
                    .filter(scan -> "people".equals(scan.table()))
                    .findFirst()
                    .orElseThrow();
            assertThat(inner.estimatedRows()).isEqualTo(1);
            assertThat(inner.actualRows()).isEqualTo(1);
            assertThat(inner.loops()).isEqualTo(5000);
            assertThat(plan.text())
                    .contains("on people  (1 rows expected, 1 seen in each of 5,000 loops)")
                    .contains("on pets  (5,000 rows expected, 5,000 seen)");
            assertThat(explain("SELECT * FROM pets JOIN people ON id = owner WHERE kind = 'dog'")
                            .text())
                    .as("a step that was not run has seen nothing, not even no rows")
                    .containsPattern("on people  \\(1 rows expected in each of 0 loops\\)");
        } finally {
            execute("RESET ALL");
        }
    }

    @Test
    void explainingTakesBackWhatItWrites() throws SQLException {
        Plan plan = explain("DELETE FROM pets");
        assertThat(plan.root().name()).isEqualTo("Delete");
        assertThat(plan.root().table()).isEqualTo("pets");
        assertThat(explain("SELECT * FROM pets").scans().get(0).actualRows()).isEqualTo(5000);
    }

    @Test
    void explainingInATransactionKeepsWhatItWroteBefore() throws SQLException {
        connection.setAutoCommit(false);
        try {
            execute("INSERT INTO pets VALUES (1, 'dog')");
            explain("DELETE FROM pets");
            assertThatThrownBy(() -> explain("DELETE FROM parrots")).isInstanceOf(SQLException.class);
            assertThat(explain("SELECT * FROM pets WHERE kind = 'dog'")
                            .scans()
                            .get(0)
                            .actualRows())
                    .isEqualTo(1);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Seq Scan on people", "[]", "{}", "[{\"Plan\": {}}]", "[{\"Plan\""})
    void whatIsNoPlanIsNeverTakenForOne(String answer) {
        assertThatThrownBy(() -> reader.read(answer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no plan of PostgreSQL");
    }

    private static Optional<String> complaint(String words, Plan plan) {
        return Expectation.parse(words).complaint(plan);
    }

    private Plan explain(String sql) throws SQLException {
        return reader.explain(connection, sql, List.of());
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
