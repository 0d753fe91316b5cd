package io.movr.testing;

import static io.movr.testing.MovrAssertions.assertThatPlan;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Rows;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OnPostgresTest extends OnEngine {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        gateway = server.gateway();
        createTables();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    String drawnScan() {
        return "\"Node Type\": \"Seq Scan\"";
    }

    @Test
    void aPartitionedTableMeansItsPartitions() throws SQLException {
        connection.setAutoCommit(false);
        Rows.execute(connection, "CREATE TABLE readings (id INT, day DATE, value INT) PARTITION BY RANGE (day)");
        Rows.execute(
                connection,
                "CREATE TABLE of_2025 PARTITION OF readings FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')");
        Rows.execute(
                connection,
                "INSERT INTO readings SELECT n, date '2025-01-01' + n % 360, n % 50 FROM generate_series(1, 20000) n");
        Rows.execute(connection, "CREATE INDEX readings_day_idx ON readings (day)");
        Rows.execute(connection, "ANALYZE readings");
        PlanAssert whole = assertThatPlan(connection, "SELECT count(*) FROM readings WHERE value = 7");
        for (String table : List.of("readings", "public.readings", "of_2025")) {
            assertThatThrownBy(() -> whole.hasNoFullScanOf(table)).hasMessageContaining("Found: full scan of of_2025");
        }
        assertThatPlan(connection, "SELECT value FROM readings WHERE day = :day::date", "2025-03-01")
                .hasNoFullScanOf("readings")
                .isIndexScanOf("public.readings")
                .by("readings_day_idx");
        connection.rollback();
    }

    @Test
    void postgresRecommendsNoIndexForAnythingSoNothingIsAssertedOfThat() throws SQLException {
        PlanAssert plan = assertThatPlan(connection, BY_NOTE, "note 7");
        assertThatThrownBy(plan::recommendsNoIndex)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("PostgreSQL recommends no indexes");
    }
}
