package io.movr.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.database.Engine;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads plans that a real cluster (v26.1.0-alpha.1) gave. */
class CockroachPlanReaderTest {

    private final PlanReader reader = PlanReader.of(Engine.COCKROACHDB);

    static Stream<String> samples() throws IOException, URISyntaxException {
        Path folder = Path.of(
                CockroachPlanReaderTest.class.getResource("/cockroachdb").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(".explain"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everySampleIsRead(String name) throws Exception {
        String answer = sample(name);
        Plan plan = reader.read(answer);
        assertThat(plan.scans()).isNotEmpty();
        long drawn = answer.lines().filter(line -> line.contains("• ")).count();
        assertThat(plan.root().all()).hasSize((int) drawn);
        for (PlanNode scan : plan.scans()) {
            assertThat(answer).contains(scan.table() + "@" + scan.index());
            assertThat(scan.estimatedRows()).isPositive();
        }
        boolean analyzed = name.contains("analyze");
        assertThat(plan.scans()).allMatch(scan -> analyzed == scan.actualRows() >= 0);
        assertThat(plan.scans()).allMatch(scan -> analyzed == scan.storageMs() > 0);
        assertThat(plan.regions().isEmpty()).isNotEqualTo(analyzed);
        assertThat(plan.kind() != null).isEqualTo(analyzed);
        assertThat(plan.recommendations().isEmpty()).isEqualTo(!answer.contains("index recommendations: 1"));
        assertThat(plan.source()).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "V02.bikes-in-use.explain.txt | index scan of vehicles by vehicles_pkey",
                "V02.name-index.explain.txt | full scan of users by users_pkey",
                "V03.name-index.explain.txt | index scan of users by users_name_idx",
                "V03.covering-index.explain-analyze.txt | index scan of users by users_name_idx",
                "V04.covering-index.explain.txt | index-only scan of users by users_name_idx",
                "V04.unused-index.explain.txt | index scan of users by users_name_idx",
                "V06.unused-index.explain.txt | full scan of users by users_pkey",
                "V05.join-index.explain-analyze.txt | index-only scan of rides by rides_start_time_idx,"
                        + " full scan of an index of users by users_name_idx",
                "V06.join-index.explain-verbose.txt | index-only scan of rides by rides_start_time_idx,"
                        + " full scan of users by users_pkey",
                "V02.in-list-subquery.explain.txt | full scan of rides by rides_pkey, full scan of an index of rides by"
                        + " rides_auto_index_fk_vehicle_city_ref_vehicles",
            })
    void saysWhatIsReadAndHow(String name, String described) throws Exception {
        assertThat(reader.read(sample(name)).describe()).isEqualTo(described);
    }

    @Test
    void aReadOfAnotherRegionsRowsNamesBothAndWhatItWaited() throws Exception {
        Plan remote = reader.read(sample("V10.bikes-in-use.paris-from-us-west1.explain-analyze.txt"));
        assertThat(remote.regions()).containsExactly("europe-west1", "us-west1");
        assertThat(remote.kind()).isEqualTo("generic, reused");
        PlanNode scan = remote.scans().get(0);
        assertThat(scan.storageMs()).isCloseTo(147, within(1e-9));
        assertThat(scan.estimatedRows()).isEqualTo(26);
        assertThat(scan.actualRows()).isEqualTo(28);
        assertThat(scan.conditions()).contains("spans: [/'europe-west1'/'paris' - /'europe-west1'/'paris']");
        Plan local = reader.read(sample("V10.bikes-in-use.seattle-from-us-west1.explain-analyze.txt"));
        assertThat(local.regions()).containsExactly("us-west1");
        assertThat(local.scans().get(0).storageMs()).isCloseTo(0.88, within(1e-9));
        assertThat(local.text()).contains("in us-west1").contains("37 rows expected, 40 seen");
    }

    @Test
    void recommendationsAreStatements() throws Exception {
        assertThat(reader.read(sample("V02.name-index.explain.txt")).recommendations())
                .containsExactly("CREATE INDEX ON movr.public.users (name) STORING (address, credit_card)");
        assertThat(reader.read(sample("V03.covering-index.explain.txt")).recommendations())
                .singleElement()
                .asString()
                .startsWith("CREATE INDEX ON movr.public.users (name) STORING (credit_card) /* After");
    }

    @Test
    void aStepThatFetchesTheRestOfARowIsNoScanOfItsOwn() throws Exception {
        Plan plan = reader.read(sample("V03.covering-index.explain-analyze.txt"));
        assertThat(plan.scans()).hasSize(1);
        assertThat(plan.root().name()).isEqualTo("index join (streamer)");
        assertThat(plan.root().table()).isEqualTo("users");
    }

    @Test
    void aWrittenTableIsNamed() {
        Plan plan = reader.read("""
                distribution: local
                a line of a later version

                • insert fast path
                  into: users(id, city, name, address, credit_card)
                  something new: unheard of
                  auto commit
                  size: 5 columns, 1 row
                """);
        assertThat(plan.root().table()).isEqualTo("users");
        assertThat(plan.root().access()).isNull();
        assertThat(plan.root().estimatedRows()).isNegative();
    }

    @Test
    void joinsByLookupReadAnIndex() {
        Plan plan = reader.read("""
                • lookup join
                │ table: rides@rides_auto_index_fk_city_ref_users
                │ equality: (city, id) = (city, rider_id)
                │
                └── • scan
                      table: users@users_pkey
                      spans: [/'rome' - /'rome']
                """);
        assertThat(plan.describe())
                .isEqualTo("index-only scan of rides by rides_auto_index_fk_city_ref_users,"
                        + " index scan of users by users_pkey");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort\n    │ order: +id",
                "top-k\n    │ order: +id\n    │ k: 5",
                "limit\n    │ count: 5",
                "inverted filter\n    │ inverted column: w_inverted_key\n    │ num spans: 2",
                "distinct\n    │ distinct on: id"
            })
    void anIndexJoinFetchesTheRowsWhateverStandsBetween(String between) {
        Plan plan = reader.read("""
                • index join (streamer)
                │ table: prices@prices_pkey
                │
                └── • %s
                    │
                    └── • scan
                          table: prices@prices_until_idx
                          spans: [/1 - /3]
                """.formatted(between));
        assertThat(plan.describe()).isEqualTo("index scan of prices by prices_until_idx");
    }

    @Test
    void anIndexJoinFetchesNoRowsOfAnotherTableNorOfASideThatOnlyDecides() {
        Plan plan = reader.read("""
                • index join
                │ table: prices@prices_pkey
                │
                └── • hash join (semi)
                    │ equality: (article) = (article)
                    │
                    ├── • scan
                    │     table: prices@prices_article_idx
                    │     spans: [/1 - /3]
                    │
                    └── • merge join
                        │ equality: (article) = (article)
                        │
                        ├── • scan
                        │     table: prices@prices_until_idx
                        │     spans: [/1 - ]
                        │
                        └── • scan
                              table: articles@articles_name_idx
                              spans: [/'a' - /'a']
                """);
        assertThat(plan.describe())
                .isEqualTo("index scan of prices by prices_article_idx, index-only scan of prices by prices_until_idx,"
                        + " index-only scan of articles by articles_name_idx");
    }

    @Test
    void theTwoIndexesOfAZigzagJoinAreNamed() {
        String zigzag = """
                • zigzag join
                  pred: (a = 1) AND (b = 2)
                  left table: pairs@pairs_a_idx
                  left columns: (a)
                  left fixed values: 1 column
                  right table: pairs@pairs_b_idx
                  right columns: (b)
                  right fixed values: 1 column
                """;
        assertThat(reader.read(zigzag).describe())
                .isEqualTo("index-only scan of pairs by pairs_a_idx, index-only scan of pairs by pairs_b_idx");
        Plan rows = reader.read("""
                • lookup join
                │ table: pairs@pairs_pkey
                │ equality: (id) = (id)
                │ equality cols are key
                │
                └── %s""".formatted(zigzag.replace("\n  ", "\n      ")));
        assertThat(rows.describe()).isEqualTo("index scan of pairs by pairs_a_idx, index scan of pairs by pairs_b_idx");
    }

    @Test
    void aLookupJoinOfATableWithItselfByAnotherColumnFetchesNoRows() {
        Plan plan = reader.read("""
                • lookup join
                │ table: staff@staff_pkey
                │ equality: (manager_id) = (id)
                │ equality cols are key
                │
                └── • scan
                      table: staff@staff_team_idx
                      spans: [/7 - /7]
                """);
        assertThat(plan.describe())
                .isEqualTo("index scan of staff by staff_pkey, index-only scan of staff by staff_team_idx");
    }

    @Test
    void invertedJoinsAndVectorSearchesRead() {
        assertThat(reader.read("""
                • lookup join
                │ table: docs@docs_pkey
                │ equality: (id) = (id)
                │ equality cols are key
                │
                └── • inverted join
                    │ table: docs@docs_body_idx
                    │
                    └── • scan
                          table: searches@searches_pkey
                          spans: FULL SCAN
                """).describe())
                .isEqualTo("index scan of docs by docs_body_idx, full scan of searches by searches_pkey");
        Plan vectors = reader.read("""
                • top-k
                │ order: +distance
                │ k: 3
                │
                └── • lookup join
                    │ table: pictures@pictures_pkey
                    │ equality: (id) = (id)
                    │ equality cols are key
                    │
                    └── • vector search
                          table: pictures@pictures_embedding_idx
                          target count: 3
                """);
        assertThat(vectors.describe()).isEqualTo("index scan of pictures by pictures_embedding_idx");
        assertThat(Expectation.parse("index scan of pictures by pictures_embedding_idx")
                        .complaint(vectors))
                .isEmpty();
    }

    @Test
    void thePrimaryKeyIsThatOfTheCatalogWhateverItsName() {
        Catalog catalog = new Catalog(
                List.of(
                        new Catalog.Index(new Catalog.Relation("public", "orders"), "by_key", true, false),
                        new Catalog.Index(new Catalog.Relation("public", "orders"), "orders_pkey", false, false)),
                Map.of());
        String part = "• scan\n  table: orders@%s\n  spans: [/5 - /5]";
        String whole = "• scan\n  table: orders@%s\n  spans: FULL SCAN";
        assertThat(reader.read(part.formatted("by_key"), catalog).describe())
                .isEqualTo("index scan of orders by by_key");
        assertThat(reader.read(whole.formatted("by_key"), catalog).describe())
                .isEqualTo("full scan of orders by by_key");
        assertThat(reader.read(part.formatted("orders_pkey"), catalog).describe())
                .isEqualTo("index-only scan of orders by orders_pkey");
        assertThat(reader.read(whole.formatted("orders_pkey"), catalog).describe())
                .isEqualTo("full scan of an index of orders by orders_pkey");
        assertThat(reader.read(whole.formatted("by_key"), catalog)
                        .scans()
                        .get(0)
                        .schema())
                .isEqualTo("public");
    }

    @Test
    void withoutACatalogAScanIsNotReportedAsBetterThanItIs() {
        assertThat(reader.read("• scan\n  table: orders@pk_orders\n  spans: FULL SCAN")
                        .describe())
                .isEqualTo("full scan of orders by pk_orders");
        assertThat(reader.read("• scan\n  table: orders@pk_orders\n  spans: [/5 - /5]")
                        .describe())
                .isEqualTo("index scan of orders by pk_orders");
        assertThat(reader.read("• scan\n  table: orders@orders_note_key1\n  spans: FULL SCAN")
                        .describe())
                .isEqualTo("full scan of an index of orders by orders_note_key1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Order Line@Order Line_pkey | Order Line | Order Line_pkey",
                "a@b@c d_idx (partial index) | a@b | c d_idx",
                "Order (old)@Order (old)_pkey | Order (old) | Order (old)_pkey",
                "Order Line@Order Line_pkey  ----------------------  WARNING: the row count estimate is inaccurate, consider"
                        + " running 'ANALYZE Order Line' | Order Line | Order Line_pkey",
            })
    void namesMayHaveSpacesAndSigns(String drawn, String table, String index) {
        Plan plan = reader.read("• scan\n  table: " + drawn + "\n  spans: [/1 - ]");
        assertThat(plan.scans().get(0).table()).isEqualTo(table);
        assertThat(plan.scans().get(0).index()).isEqualTo(index);
        Plan write = reader.read("• insert fast path\n  into: Order Line(id, note)\n  auto commit");
        assertThat(write.root().table()).isEqualTo("Order Line");
        assertThat(Expectation.insert("Order Line").complaint(write)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"time travel", "remote scan (streamer)", "scan buffers"})
    void aStepThatIsNotUnderstoodIsSaidToBe(String name) {
        Plan plan = reader.read("• limit\n│ count: 1\n│\n└── • " + name + "\n      label: buffer 1");
        assertThat(plan.scans()).isEmpty();
        assertThat(plan.describe()).isEqualTo("not understood: " + name);
        assertThat(Expectation.parse("no full scan of orders").complaint(plan)).contains("not understood: " + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root",
                "subquery",
                "constraint-check",
                "fk-cascade",
                "before-triggers",
                "after-triggers",
                "buffer",
                "scan buffer",
                "error if rows",
                "save table",
                "sequence select",
                "cross join (left outer)",
                "hash join (right semi)",
                "merge join (full outer)",
                "apply join (anti)",
                "union",
                "union all",
                "intersect all",
                "except",
                "limit",
                "top-k",
                "sort",
                "distinct",
                "ordinality",
                "window",
                "render",
                "project",
                "project set",
                "max1row",
                "emptyrow",
                "norows",
                "values",
                "group (hash)",
                "group (scalar)",
                "group (streaming)",
                "group (partial streaming)",
                "recursive cte",
                "virtual table",
                "virtual table lookup join",
                "filter",
                "inverted filter",
                "index join (streamer)"
            })
    void everyStepOfCockroachIsUnderstood(String name) {
        Plan plan = reader.read(
                "• " + name + "\n│ table: a@b\n│\n└── • scan\n      table: t@t_pkey\n      spans: FULL SCAN");
        assertThat(plan.describe()).isEqualTo("full scan of t by t_pkey");
        assertThat(Expectation.insert("a").complaint(plan))
                .as("nothing is written")
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "insert | into: t(id, note)",
                "insert fast path | into: t(id, note)",
                "upsert | into: t(id, note)",
                "update | table: t",
                "update swap | table: t",
                "delete | from: t",
                "delete swap | from: t",
                "delete range | from: t",
            })
    void everyStepThatWritesNamesItsTable(String name, String attribute) {
        Plan plan = reader.read("• " + name + "\n│ " + attribute + "\n│\n└── • values\n      size: 2 columns, 1 row");
        assertThat(Expectation.insert("t").complaint(plan)).isEmpty();
        assertThat(plan.describe()).isEqualTo(name);
    }

    @Test
    void deletingARangeGoesThroughTheTableOrAPartOfIt() {
        Plan all = reader.read("• delete range\n  from: t\n  spans: FULL SCAN");
        assertThat(Expectation.parse("no full scan of t").complaint(all)).contains("full scan of t");
        Plan some = reader.read("• delete range\n  from: t\n  spans: [/1 - /9]");
        assertThat(Expectation.parse("no full scan of t").complaint(some)).isEmpty();
        assertThat(some.describe()).isEqualTo("index scan of t");
        assertThat(Expectation.insert("t").complaint(some)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FULL SCAN | full scan of t by t_pkey",
                "FULL SCAN (SOFT LIMIT) | full scan of t by t_pkey",
                "LIMITED SCAN | index scan of t by t_pkey",
                "1+ spans | index scan of t by t_pkey",
                "[/1 - /1] [/3 - /3] … (7 more) | index scan of t by t_pkey",
            })
    void spansSayHowMuchIsRead(String spans, String described) {
        assertThat(reader.read("• revscan\n  table: t@t_pkey\n  spans: " + spans)
                        .describe())
                .isEqualTo(described);
    }

    @Test
    void allOfAPartialIndexIsAPartOfItsTable() {
        assertThat(reader.read("• scan\n  table: t@t_open_idx (partial index)\n  spans: FULL SCAN")
                        .describe())
                .isEqualTo("index-only scan of t by t_open_idx");
    }

    @Test
    void aPartialIndexIsNamedWithoutWhatIsSaidAboutIt() {
        Plan plan = reader.read("""
                • scan
                  table: vehicles@vehicles_in_use_idx (partial index)
                  spans: [/'boston' - /'boston']
                """);
        assertThat(plan.describe()).isEqualTo("index-only scan of vehicles by vehicles_in_use_idx");
    }

    /** The lines and their names are those of CockroachDB's own tests of EXPLAIN at v26.2. */
    @Test
    void theShorterPlanOfVersion262IsRead() {
        Plan plan = reader.read("""
                planning time: 812µs
                execution time: 3ms
                distribution: local
                plan type: custom
                statement hints count: 1
                rows decoded from KV: 26 (2.1 KiB, 52 KVs, 1 gRPC calls)
                regions: us-east1
                ·
                • render
                │ execution time: 21µs
                │
                └── • filter
                    │ sql nodes: n1
                    │ regions: us-east1
                    │ execution time: 9µs
                    │ actual row count: 9
                    │ filter: status NOT IN ('available', __more1_10__, 'lost')
                    │
                    └── • scan
                          sql nodes: n1
                          kv nodes: n2
                          regions: us-east1
                          KV time: 700µs
                          KV rows decoded: 26
                          actual row count: 26
                          missing stats
                          table: vehicles@vehicles_pkey
                          spans: [/'boston' - /'boston']
                """);
        assertThat(plan.describe()).isEqualTo("index scan of vehicles by vehicles_pkey");
        assertThat(plan.kind()).isEqualTo("custom");
        PlanNode scan = plan.scans().get(0);
        assertThat(scan.actualRows()).isEqualTo(26);
        assertThat(scan.estimatedRows()).isNegative();
        assertThat(scan.storageMs()).isCloseTo(0.7, within(1e-9));
        assertThat(scan.regions()).containsExactly("us-east1");
    }

    @Test
    void timesOfSeveralUnitsAreSummed() {
        Plan plan = reader.read("""
                • scan
                  KV time: 1m2.5s
                  table: users@users_pkey
                  spans: FULL SCAN
                """);
        assertThat(plan.root().storageMs()).isCloseTo(62_500, within(1e-6));
    }

    @Test
    void aWarningBehindTheTableIsPassedOver() {
        Plan plan = reader.read("""
                • scan
                  actual row count: 0
                  estimated row count: 171 (0.06% of the table; stats collected 1 minute ago)
                  table: order_line@order_line_pkey  ----------------------  WARNING: the row count estimate is inaccurate, consider running 'ANALYZE order_line'
                  spans: [/0/3/3000 - /0/3/2981]

                WARNING: the row count estimate on table "order_line" is inaccurate, consider running 'ANALYZE order_line'
                """);
        assertThat(plan.describe()).isEqualTo("index scan of order_line by order_line_pkey");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "distribution: local", "ERROR: relation \"users\" does not exist", "• scan\n  table: users@x"
            })
    void whatIsNoPlanIsRefused(String answer) {
        assertThatThrownBy(() -> reader.read(answer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no plan of CockroachDB");
    }

    private static String sample(String name) throws IOException {
        try (var stream = CockroachPlanReaderTest.class.getResourceAsStream("/cockroachdb/" + name)) {
            return String.join(
                    "\n",
                    new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
        }
    }
}
