package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatementStatisticsTest {

    private static void execute(Gateway database, String... statements) throws SQLException {
        try (Connection connection = database.connect()) {
            for (String statement : statements) {
                Rows.execute(connection, statement);
            }
        }
    }

    /** Of a table with a thousand rows, read whole by one statement and by key by another. */
    private static void use(Gateway database) throws SQLException {
        execute(
                database,
                "CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT)",
                "INSERT INTO orders SELECT n, n % 100 FROM generate_series(1, 1000) AS n");
        for (int number = 1; number <= 20; number++) {
            execute(database, "SELECT * FROM orders WHERE customer_id = " + number);
        }
        execute(database, "SELECT customer_id FROM orders WHERE id = 7");
        new StatementStatistics(1, 1, 1, "SELECT * FROM orders WHERE id = $1 AND customer_id < $2")
                .withValues(database, note -> {});
    }

    private static void haveTheStatementsOfOneDatabase(List<StatementStatistics> costliest) {
        assertThat(costliest).isSortedAccordingTo((one, other) -> Double.compare(other.totalMs(), one.totalMs()));
        assertThat(costliest)
                .filteredOn(one -> one.text().matches("SELECT \\* FROM orders WHERE customer_id = (\\$1|_)"))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.calls()).isEqualTo(20);
                    assertThat(one.rows()).isEqualTo(200);
                    assertThat(one.totalMs()).isPositive();
                });
        assertThat(costliest).extracting(StatementStatistics::text).noneMatch(text -> text.startsWith("CREATE"));
        // What is asked for values moves no statement in the list.
        assertThat(costliest)
                .extracting(StatementStatistics::text)
                .noneMatch(text -> text.contains("::text") || text.contains("::STRING"));
        assertThat(StatementStatistics.table(costliest)).contains("total ms", "  20  ", "  10.0  ");
    }

    @Test
    void theStatementsThatTookMostTimeComeFirst() throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Cluster shop = OtherDatabase.create(server, "shop")) {
            assertThatThrownBy(() -> StatementStatistics.costliest(shop.gateway(), Engine.POSTGRESQL, 20))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("CREATE EXTENSION pg_stat_statements");
            execute(shop.gateway(), "CREATE EXTENSION pg_stat_statements");
            use(shop.gateway());
            haveTheStatementsOfOneDatabase(StatementStatistics.costliest(shop.gateway(), Engine.POSTGRESQL, 20));
            assertThat(StatementStatistics.costliest(shop.gateway(), Engine.POSTGRESQL, 1))
                    .hasSize(1);
        }
    }

    /** Of tables as CockroachDB shows them before and after 26.3, in a server that can be asked here. */
    @Test
    void bothFormsOfCockroachsStatisticsAreRead() throws SQLException {
        String statistics =
                "'{\"statistics\": {\"cnt\": 20, \"svcLat\": {\"mean\": 0.002}, \"numRows\": {\"mean\": 10}}}'::jsonb";
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            for (String table : List.of(
                    "'app' AS app_name, jsonb_build_object('query', 'SELECT _', 'db', current_database(), 'stmtType',"
                            + " 'TypeDML') AS metadata",
                    "'app' AS app_name, jsonb_build_object('stmtType', 'TypeDML') AS metadata, 'SELECT _' AS query,"
                            + " current_database()::text AS database")) {
                execute(
                        server.gateway(),
                        "DROP SCHEMA IF EXISTS crdb_internal CASCADE",
                        "CREATE SCHEMA crdb_internal",
                        "CREATE TABLE crdb_internal.statement_statistics AS SELECT " + table + ", " + statistics
                                + " AS statistics");
                assertThat(StatementStatistics.costliest(server.gateway(), Engine.COCKROACHDB, 20))
                        .containsExactly(new StatementStatistics(20, 40, 200, "SELECT _"));
            }
        }
    }

    @Test
    void theSameOnCockroach() throws SQLException, InterruptedException {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        try (LocalCockroach node = LocalCockroach.ofOneNode(null)) {
            execute(node.gateway(), "CREATE DATABASE shop");
            Gateway shop = node.gateway().toDatabase("shop");
            use(shop);
            // They are added to the statistics a moment later.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (StatementStatistics.costliest(shop, Engine.COCKROACHDB, 20).stream()
                            .noneMatch(one -> one.calls() == 20)
                    && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            haveTheStatementsOfOneDatabase(StatementStatistics.costliest(shop, Engine.COCKROACHDB, 20));
        }
    }
}
