package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentSkeletonTest {

    private static EmbeddedPostgres server;
    private static Cluster shop;

    @TempDir
    private Path parent;

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        shop = OtherDatabase.create(server, "shop");
        execute("CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT, state TEXT, \"Placed\" DATE)");
        execute(
                "INSERT INTO orders SELECT n, n % 100, 'paid', DATE '2026-01-01' + n FROM generate_series(1, 5000) AS n");
        execute("CREATE FUNCTION pay() RETURNS INT LANGUAGE sql AS 'UPDATE orders SET state = ''paid'' RETURNING 1'");
        execute("CREATE TABLE \"Track\" (\"TrackId\" INT PRIMARY KEY, \"Composer Name\" TEXT, \"Length\" INT)");
        execute("INSERT INTO \"Track\" SELECT n, 'Composer ' || n % 100, n FROM generate_series(1, 5000) AS n");
        execute("CREATE TABLE payment (id INT, customer_id INT, paid DATE NOT NULL) PARTITION BY RANGE (paid)");
        execute("CREATE TABLE payment_2025 PARTITION OF payment FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')");
        execute("CREATE TABLE payment_2026 PARTITION OF payment FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')");
        execute(
                "INSERT INTO payment SELECT n, n % 100, DATE '2025-06-01' + n % 400 FROM generate_series(1, 9000) AS n");
        execute("CREATE TABLE state (code TEXT, title TEXT)");
        execute("INSERT INTO state VALUES ('paid', 'Paid')");
        // Most accounts are in one city, so that the index serves the other cities only.
        execute("CREATE TABLE account (id INT PRIMARY KEY, city TEXT, email TEXT)");
        execute(
                "INSERT INTO account SELECT n, CASE WHEN n % 20 > 0 THEN 'rome' ELSE 'city ' || n % 500 END, 'account ' || n"
                        + " FROM generate_series(1, 50000) AS n");
        execute("CREATE INDEX account_city_idx ON account (city, id)");
        execute("CREATE TABLE offers (id INT PRIMARY KEY, attrs JSONB)");
        execute(
                "INSERT INTO offers SELECT n, jsonb_build_object('campaign', 'c' || n % 20) FROM generate_series(1, 5000) AS n");
        execute("ANALYZE");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = shop.gateway().connect()) {
            Rows.execute(connection, sql);
        }
    }

    private ExperimentSkeleton.Written written(String statement) {
        return new ExperimentSkeleton(parent.resolve("mine"), statement, false)
                .write(shop.gateway(), Engine.POSTGRESQL);
    }

    private String file(String name) throws IOException {
        return Files.readString(parent.resolve("mine").resolve(name));
    }

    @Test
    void valuesBecomeParametersAndAnIndexIsGuessed() throws IOException {
        ExperimentSkeleton.Written written = written("""
                -- of one customer: customer_id = 3
                SELECT id, 'customer_id = 4' FROM orders o
                WHERE o.customer_id = 17 AND "Placed" > DATE '2026-02-01' AND state <> 'it''s'""");
        assertThat(written.parameters()).containsExactly("customer_id");
        assertThat(file("statement.sql"))
                .contains(
                        "-- of one customer: customer_id = 3", "'customer_id = 4'", "o.customer_id = :customer_id AND")
                .contains("state <> 'it''s'");
        assertThat(file("parameters.sql")).contains("SELECT customer_id\nFROM orders AS present");
        assertThat(file("after.sql"))
                .contains("CREATE INDEX movr_orders_customer_id_placed ON orders (customer_id, \"Placed\");", "guess");
        Experiment read = ExperimentFolder.read(parent.resolve("mine"), true, 1, () -> new Answers(Scale.TINY.spec(1)));
        assertThat(read.title()).contains("as it is against an index");
        assertThat(file("experiment.yaml"))
                .contains("- \"full scan of orders\"")
                .contains("- \"index scan or index-only scan of orders by movr_orders_customer_id_placed\"");
    }

    @Test
    void aValueInJsonBecomesAParameterAndTheExpressionIsIndexed() throws SQLException, IOException {
        ExperimentSkeleton.Written written = written("SELECT id FROM offers o WHERE o.attrs ->> 'campaign' = 'c7'");
        assertThat(written.parameters()).containsExactly("campaign");
        assertThat(file("statement.sql")).contains("o.attrs ->> 'campaign' = :campaign");
        assertThat(file("after.sql"))
                .contains("CREATE INDEX movr_offers_attrs_campaign ON offers ((attrs ->> 'campaign'));");
        execute(file("after.sql"));
        try (Connection connection = shop.gateway().connect()) {
            assertThat(Rows.query(connection, file("parameters.sql"), List.of()))
                    .hasSize(100)
                    .contains(List.of("c7"));
        }
    }

    @Test
    void aTextColumnOfLimitedLengthIsIndexedByItself() throws SQLException, IOException {
        execute("CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(60))");
        execute("INSERT INTO person SELECT n, 'person ' || n % 500 FROM generate_series(1, 5000) AS n");
        execute("ANALYZE person");
        written("SELECT * FROM person WHERE name = 'person 7'");
        assertThat(file("after.sql")).contains("CREATE INDEX movr_person_name ON person (name);");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE orders SET state = 'gone', \"Placed\" = now() WHERE customer_id = 17",
                "UPDATE orders o SET state = (SELECT max(s.title) FROM state s) WHERE o.customer_id = 17",
                "UPDATE orders o SET state = s.title FROM state s WHERE s.code = o.state AND o.customer_id = 17 RETURNING o.id",
                "DELETE FROM orders WHERE customer_id = 17 RETURNING id",
                "WITH gone AS (UPDATE orders SET state = 'gone' WHERE customer_id = 17 RETURNING id) SELECT count(*) FROM gone",
                "WITH next AS (SELECT id FROM orders WHERE customer_id = 17 FOR UPDATE SKIP LOCKED) UPDATE orders o"
                        + " SET state = 'gone' FROM next WHERE o.id = next.id",
                "INSERT INTO offers SELECT id + 10000, '{}' FROM orders WHERE customer_id = 17 ON CONFLICT (id) DO UPDATE SET"
                        + " attrs = '[]'",
            })
    void aStatementThatWritesIsNotRunAndItsFolderRunsAsItIsWritten(String statement) throws SQLException, IOException {
        execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''written''; END'");
        execute("CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON orders EXECUTE FUNCTION refuse()");
        execute("CREATE TRIGGER refuse BEFORE INSERT ON offers EXECUTE FUNCTION refuse()");
        ExperimentSkeleton.Written written;
        try {
            written = written(statement);
        } finally {
            execute("DROP FUNCTION refuse CASCADE");
        }
        assertThat(written.parameters()).containsExactly("customer_id");
        assertThat(file("statement.sql")).contains("customer_id = :customer_id").doesNotContain(":state", ":attrs");
        assertThat(file("after.sql")).contains("CREATE INDEX movr_orders_customer_id ON orders (customer_id);");
        assertThat(file("experiment.yaml")).contains("full scan of orders", "transaction: rollback");
        ExperimentFolders folders =
                ExperimentFolders.read(List.of(parent.resolve("mine")), true, 1L << 30, Scale.TINY.spec(1));
        assertThat(new Lab(shop, LabRequests.of(folders, 1, parent), null, new SilentListener())
                        .tryOut(new LoadProgress()))
                .isEmpty();
    }

    @Test
    void anInsertOfValuesHasNoIndexToPropose() throws IOException {
        ExperimentSkeleton.Written written = written("INSERT INTO orders VALUES (90001, 3, 'new', now()) RETURNING id");
        assertThat(written.proposal()).isEmpty();
        assertThat(written.reads()).isFalse();
        assertThat(file("experiment.yaml")).contains("answer: any", "- \"insert into orders\"");
        Files.writeString(parent.resolve("mine").resolve("after.sql"), "CREATE INDEX ON orders (state)");
        assertThat(ExperimentFolder.read(parent.resolve("mine"), true, 1, () -> new Answers(Scale.TINY.spec(1)))
                        .writes())
                .isTrue();
    }

    @Test
    void parametersAreDrawnInProportion() throws SQLException, IOException {
        written("SELECT count(*), min(email) FROM account WHERE city = 'city 20'");
        try (Connection connection = shop.gateway().connect()) {
            assertThat(Rows.query(connection, file("parameters.sql"), List.of()))
                    .filteredOn(row -> row.get(0).equals("rome"))
                    .hasSizeBetween(85, 99);
        }
    }

    @Test
    void aNameWithASpaceIsExpectedInQuotes() throws SQLException, IOException {
        execute("CREATE TABLE \"Order Line\" (id INT PRIMARY KEY, note TEXT)");
        execute("INSERT INTO \"Order Line\" SELECT n, 'note ' || n FROM generate_series(1, 5000) AS n");
        execute("ANALYZE \"Order Line\"");
        written("SELECT * FROM \"Order Line\" WHERE note = 'note 7'");
        assertThat(file("experiment.yaml"))
                .contains("- \"full scan of \\\"Order Line\\\"\"")
                .contains("- \"index scan or index-only scan of \\\"Order Line\\\" by movr_order_line_note\"");
        assertThat(ExperimentFolder.read(parent.resolve("mine"), true, 1, () -> new Answers(Scale.TINY.spec(1)))
                        .title())
                .contains("as it is against an index");
    }

    @Test
    void aStepThatIsNotUnderstoodIsNoted() throws SQLException, IOException {
        execute("CREATE EXTENSION file_fdw");
        execute("CREATE SERVER files FOREIGN DATA WRAPPER file_fdw");
        execute("CREATE FOREIGN TABLE lines (line TEXT) SERVER files OPTIONS (filename 'PG_VERSION')");
        ExperimentSkeleton.Written written = written("SELECT o.id FROM orders o, lines WHERE o.customer_id = 17");
        assertThat(written.notes()).contains("not understood: Foreign Scan of lines, so how it reads is not expected");
        assertThat(file("experiment.yaml")).contains("full scan of orders").doesNotContain("lines\"");
    }

    @Test
    void theWholeOrderIsInTheGuessAsItIsSorted() throws IOException {
        written(
                "SELECT o.id FROM orders o WHERE o.customer_id = 17 ORDER BY o.state DESC, o.id, lower(o.state) LIMIT 5");
        assertThat(file("after.sql")).contains(" ON orders (customer_id, state DESC, id);");
    }

    @Test
    void whatIsProposedCanBeTried() throws SQLException, IOException {
        written("SELECT * FROM orders WHERE customer_id = 17 ORDER BY id");
        execute(file("after.sql"));
        try (Connection connection = shop.gateway().connect()) {
            assertThat(Rows.query(connection, file("parameters.sql"), List.of()))
                    .hasSize(100);
        } finally {
            execute("DROP INDEX movr_orders_customer_id_id");
        }
    }

    @Test
    void namesInQuotesAreKept() throws SQLException, IOException {
        ExperimentSkeleton.Written written = written("SELECT t.\"Length\" FROM \"Track\" t"
                + " WHERE t.\"Composer Name\" = 'Composer 12' ORDER BY \"Length\" DESC");
        assertThat(written.parameters()).containsExactly("Composer_Name");
        assertThat(file("statement.sql")).contains("t.\"Composer Name\" = :Composer_Name");
        assertThat(file("after.sql")).contains("ON \"Track\" (\"Composer Name\", \"Length\" DESC);");
        try (Connection connection = shop.gateway().connect()) {
            assertThat(Rows.query(connection, file("parameters.sql"), List.of()))
                    .hasSize(100);
        }
    }

    @Test
    void aNoteSaysThatEveryRunReadsTheSameRows() {
        assertThat(written("SELECT id FROM orders WHERE state LIKE 'p%'").notes())
                .anyMatch(note -> note.startsWith("No value became a parameter"));
    }

    @Test
    void anUnquotedNameIsFoundInLowerCase() throws IOException {
        assertThat(written("SELECT ID FROM Orders WHERE Customer_Id = 17").parameters())
                .containsExactly("customer_id");
        assertThat(file("statement.sql")).contains("WHERE Customer_Id = :customer_id");
    }

    @Test
    void theIndexOfAPartitionIsProposedOnTheWholeTable() throws IOException {
        written("SELECT sum(id) FROM payment WHERE customer_id = 17");
        assertThat(file("after.sql"))
                .contains("CREATE INDEX movr_payment_customer_id ON payment (customer_id);")
                .doesNotContain("payment_2025");
        assertThat(file("parameters.sql")).contains("FROM payment AS present");
        assertThat(file("experiment.yaml"))
                .contains("\"index scan or index-only scan of payment_2025\"")
                .contains("\"index scan or index-only scan of payment_2026\"");
    }

    @Test
    void anIndexThatCannotHelpIsNotProposed() throws IOException {
        ExperimentSkeleton.Written small = written("SELECT title FROM state WHERE code = 'paid'");
        assertThat(small.proposal()).isEmpty();
        assertThat(file("experiment.yaml")).contains("before: any plan", "after: any plan");
        assertThat(small.notes())
                .containsExactly("state has one page, which the planner reads whole whatever indexes there are");
    }

    @Test
    void anIndexThatExistsIsNotProposedAndThePlansOfOtherParametersAreExpectedToo() throws IOException {
        ExperimentSkeleton.Written written = written("SELECT count(*), min(email) FROM account WHERE city = 'rome'");
        assertThat(written.proposal()).isEmpty();
        assertThat(written.notes())
                .contains(
                        "account has the index account_city_idx on (city), and the planner nevertheless reads the whole table")
                .anyMatch(note -> note.startsWith("The plan depends on the parameters: full scan or index"));
        assertThat(file("experiment.yaml")).contains("- \"full scan or index");
    }

    @Test
    void withNothingToProposeTheRestIsWritten() throws IOException {
        ExperimentSkeleton.Written written = written("SELECT count(*) FROM orders");
        assertThat(written.proposal()).isEmpty();
        assertThat(written.files()).hasSize(2);
        assertThatThrownBy(() ->
                        ExperimentFolder.read(parent.resolve("mine"), true, 1, () -> new Answers(Scale.TINY.spec(1))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("are the same: write the change into after.sql or after.statement.sql");
        Files.writeString(parent.resolve("mine").resolve("after.sql"), "CREATE INDEX ON orders (state)");
        assertThat(ExperimentFolder.read(parent.resolve("mine"), true, 1, () -> new Answers(Scale.TINY.spec(1)))
                        .writes())
                .isFalse();
    }

    @Test
    void whatCannotBecomeAnExperimentIsRefusedAndNothingIsWritten() throws IOException {
        assertThatThrownBy(() -> written("SELEC 1")).hasMessageContaining("begins with 'selec', which has no plan");
        assertThatThrownBy(() -> written("SELECT 1; SELECT 2")).hasMessageContaining("2 statements: give one");
        assertThatThrownBy(() -> written("SELECT * FROM orders WHERE id = :id"))
                .hasMessageContaining("write a value in its place");
        assertThatThrownBy(() -> written("SELECT * FROM nowhere"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("\"nowhere\" does not exist");
        assertThatThrownBy(() -> written("SELECT pay()")).hasMessageContaining("read-only transaction");
        assertThat(parent.resolve("mine")).doesNotExist();
        Files.createDirectory(parent.resolve("mine"));
        assertThatThrownBy(() -> written("SELECT 1")).hasMessageContaining("exists: name a new one");
    }
}
