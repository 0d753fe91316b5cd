package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementPlaceholdersTest {

    private static EmbeddedPostgres server;
    private static Cluster shop;

    @TempDir
    private Path parent;

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        shop = OtherDatabase.create(server, "shop");
        try (Connection connection = shop.gateway().connect()) {
            Rows.execute(connection, """
                    CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT, state TEXT, "Placed" DATE);
                    INSERT INTO orders VALUES (1, NULL, 'it''s', NULL), (2, 17, 'paid', '2026-01-02'), (9, 18, 'open', NULL);
                    CREATE TABLE customers (id INT PRIMARY KEY, name TEXT);
                    INSERT INTO customers VALUES (17, 'Ada');
                    CREATE TABLE nothing (id INT)""");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String filled(String text) {
        return new StatementStatistics(10, 100, 25, text).withValues(shop.gateway(), note -> {});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT * FROM orders WHERE customer_id = $1 | SELECT * FROM orders WHERE customer_id = '17'",
                "SELECT * FROM orders WHERE customer_id = _ | SELECT * FROM orders WHERE customer_id = '17'",
                // The row that meets them all, and a limit of what calls answered.
                "SELECT * FROM orders o WHERE o.id = $1 AND o.\"Placed\" >= $2 LIMIT $3 OFFSET $4"
                        + " | SELECT * FROM orders o WHERE o.id = '2' AND o.\"Placed\" >= '2026-01-02' LIMIT 3 OFFSET 0",
                "SELECT * FROM orders WHERE id > $1 AND id <= $2 | SELECT * FROM orders WHERE id > '1' AND id <= '9'",
                "SELECT * FROM orders WHERE id BETWEEN _ AND _ | SELECT * FROM orders WHERE id BETWEEN '1' AND '9'",
                "SELECT * FROM orders WHERE state IN ($1, $2) | SELECT * FROM orders WHERE state IN ('it''s', 'it''s')",
                "SELECT * FROM orders WHERE id IN (_, _, __more1_10__) | SELECT * FROM orders WHERE id IN ('1', '1')",
                "SELECT * FROM orders AS o, customers AS c WHERE (c.name = _) AND (o.id = c.id)"
                        + " | SELECT * FROM orders AS o, customers AS c WHERE (c.name = 'Ada') AND (o.id = c.id)",
                "SELECT * FROM orders JOIN customers ON customer_id = customers.id WHERE $1 = name AND name <> $1"
                        + " | SELECT * FROM orders JOIN customers ON customer_id = customers.id WHERE 'Ada' = name AND name <> 'Ada'",
                "UPDATE orders SET state = $1 WHERE customer_id = $2 | UPDATE orders SET state = 'paid' WHERE customer_id = '17'",
                "SELECT '$1', \"_\" FROM (SELECT 1 AS \"_\") AS x /* $2 */ | SELECT '$1', \"_\" FROM (SELECT 1 AS \"_\") AS x /* $2 */",
            })
    void valuesComeFromRowsThatExist(String statistics, String statement) {
        assertThat(filled(statistics)).isEqualTo(statement);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT $1 FROM orders | $1 of the statement needs a value, and no row has one to take: SELECT $1 –",
                "SELECT id FROM orders WHERE id = $1 AND lower(state) = $2 | $2 of the statement needs a value",
                "SELECT id FROM orders WHERE id = _ AND lower(state) = _ | Placeholder 2 of the statement needs a value",
                "SELECT id FROM nothing WHERE id = $1 | $1 of the statement needs a value",
                "SELECT id FROM orders WHERE customers.name = $1 | $1 of the statement needs a value",
            })
    void aPlaceholderWithoutAValueIsNamed(String statistics, String message) {
        assertThatThrownBy(() -> filled(statistics))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageContaining("write it with --statement");
    }

    @Test
    void eachGuessIsNoted() {
        List<String> notes = new ArrayList<>();
        new StatementStatistics(10, 100, 25, "SELECT * FROM orders WHERE customer_id = $1 LIMIT $2")
                .withValues(shop.gateway(), notes::add);
        assertThat(notes)
                .containsExactly(
                        "… * FROM orders WHERE customer_id = '17': a guess, the value of a row that exists",
                        "… orders WHERE customer_id = $1 LIMIT 3: a guess, the average number of rows of a call, as far as"
                                + " it is known");
    }

    @Test
    void anExperimentIsMadeOfIt() throws Exception {
        new ExperimentSkeleton(parent.resolve("mine"), filled("SELECT * FROM orders WHERE customer_id = $1"), false)
                .write(shop.gateway(), Engine.POSTGRESQL);
        assertThat(Files.readString(parent.resolve("mine/statement.sql"))).contains("customer_id = :customer_id");
    }
}
