package io.movr.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    private Plan explain(String sql) throws SQLException {
        return reader.explain(connection, sql, List.of());
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
