package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.SlowdownBound.IfUnsure;
import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.report.Documented;
import io.movr.report.LabGate;
import io.movr.report.LabReport;
import io.movr.report.LabResults;
import io.movr.report.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments of folders, measured on an embedded PostgreSQL. */
class OwnExperimentsTest {

    private static final String SEED = """
            CREATE TABLE orders (id INT NOT NULL, customer_id INT NOT NULL, note TEXT NOT NULL);
            INSERT INTO orders SELECT n, n % 100, repeat('x', 100) FROM generate_series(1, 5000) AS n;
            """;
    /** With a primary key writes of one row are measured, which takes longer. */
    private static final String WITH_KEY = SEED + "ALTER TABLE orders ADD PRIMARY KEY (id);";

    private static final String PLAN = """
            expect:
              plan:
                before: full scan of orders
                after: index scan of orders by orders_customer_idx
            """;

    private static EmbeddedPostgres server;

    @TempDir
    private Path parent;

    private Path folder;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void folder() throws IOException {
        folder = Files.createDirectories(parent.resolve("orders"));
        write("seed.sql", SEED);
        write("after.sql", "CREATE INDEX orders_customer_idx ON orders (customer_id);");
        write("statement.sql", "SELECT id, note FROM orders WHERE customer_id = :customer");
        write("parameters.csv", "customer\n1\n17\n56\n99\n");
        write("experiment.yaml", "title: Orders\npublished: [{ratio: 3, source: a talk}]\n" + PLAN);
    }

    @Test
    void aFolderIsMeasuredReportedAndJudgedAsTheOthersAre() throws IOException {
        LabOutcome outcome = run(server);
        LabResults results = outcome.results();
        LabResults.Experiment measured = results.experiments().get(0);
        assertThat(measured.failure()).isNull();
        assertThat(results.complete()).isTrue();
        assertThat(measured.before().samplesMs()).hasSize(36);
        assertThat(measured.before().stage()).isEqualTo("seed.sql");
        assertThat(measured.after().stage()).isEqualTo("seed.sql, after.sql");
        assertThat(measured.rows()).isEqualTo(Map.of("orders", 5_000L));
        assertThat(measured.published()).singleElement().satisfies(figure -> {
            assertThat(figure.improvement()).isEqualTo(3);
            assertThat(figure.verdict()).isNotBlank();
        });
        assertThat(results.dataset().rows()).isEmpty();
        assertThat(TextRenderer.of(LabReport.of(results))).contains("orders ", "3.00", "price of orders");
        assertThat(results.prices()).singleElement().satisfies(price -> {
            assertThat(price.notMeasured()).containsExactly("writes of one row of orders: it has no primary key");
            assertThat(price.beforeBuildSeconds()).isNull();
            assertThat(price.afterBuildSeconds()).isPositive();
            assertThat(price.tables()).singleElement().satisfies(size -> {
                assertThat(size.table()).isEqualTo("orders");
                assertThat(size.beforeIndexBytes()).isZero();
                assertThat(size.afterIndexBytes()).isPositive();
                assertThat(size.afterBytes() - size.beforeBytes()).isEqualTo(size.afterIndexBytes());
            });
        });
        Documented.assertDescribes(
                Documented.RESULTS, Files.readString(outcome.bundle().folder().resolve("results.json")));
        assertThat(outcome.bundle().report()).content().contains("orders_customer_idx");
        assertThat(databasesLeft()).isEmpty();
    }

    @Test
    void sidesThatAreMadeAlikeHaveNoPrice() throws IOException {
        write("before.sql", "CREATE INDEX orders_customer_idx\n    ON orders (customer_id);\n");
        write("experiment.yaml", "title: Orders\nexpect: {plan: {before: any plan, after: any plan}}\n");
        write("after.sql", "CREATE INDEX orders_customer_idx\n    ON orders (customer_id);");
        LabResults results = run(server).results();
        assertThat(results.experiments().get(0).failure()).isNull();
        assertThat(results.prices()).isNull();
    }

    @Test
    void rowsOfParametersThatDifferInKindAreReportedEach() throws IOException {
        Files.delete(folder.resolve("after.sql"));
        Files.delete(folder.resolve("statement.sql"));
        write("seed.sql", WITH_KEY);
        write("before.statement.sql", "SELECT id FROM orders ORDER BY id LIMIT 5 OFFSET :depth");
        write("after.statement.sql", "SELECT id FROM orders WHERE id > :depth ORDER BY id LIMIT 5");
        write("parameters.csv", "depth\n0\n4900\n");
        write("experiment.yaml", "title: Paging\nexpect: {plan: {before: any plan, after: any plan}}\n");
        LabOutcome outcome = run(server);
        LabResults.Experiment measured = outcome.results().experiments().get(0);
        assertThat(measured.failure()).isNull();
        assertThat(measured.byParameters())
                .extracting(LabResults.ParameterRow::parameters)
                .containsExactly("depth = 0", "depth = 4900");
        assertThat(measured.byParameters().get(1).improvement().estimate())
                .isGreaterThan(measured.improvement().estimate())
                .isGreaterThan(measured.byParameters().get(0).improvement().estimate());
        assertThat(TextRenderer.of(LabReport.of(outcome.results())))
                .contains("orders: the rows of parameters differ in kind", "orders with", "depth = 4900");
        String json = Files.readString(outcome.bundle().folder().resolve("results.json"));
        Documented.assertDescribes(Documented.RESULTS, json);
        assertThat(outcome.bundle().folder().resolve("raw/orders.csv"))
                .content()
                .contains("parameter_row");
    }

    @Test
    void aRunThatIsRolledBackNeedsNoReset() throws IOException {
        write("seed.sql", WITH_KEY);
        write("after.sql", "CREATE INDEX orders_customer_idx ON orders (customer_id);");
        write("statement.sql", "DELETE FROM orders WHERE customer_id = :customer RETURNING id");
        write(
                "experiment.yaml",
                "title: Orders\ntransaction: rollback\nexpect: {plan: {before: any plan, after: any plan}}\n");
        LabResults.Experiment measured = run(server).results().experiments().get(0);
        assertThat(measured.failure()).isNull();
        assertThat(measured.notes())
                .contains("Each run was rolled back, so the times are those of the statements without a commit.");
        write("reset.sql", "INSERT INTO orders VALUES (1)");
        assertThatThrownBy(() -> run(server))
                .hasMessageContaining("reset.sql resets what is written, and each run is rolled back");
    }

    @Test
    void parametersMayBeAskedOfTheDatabase() throws IOException {
        Files.delete(folder.resolve("parameters.csv"));
        write("parameters.sql", "SELECT DISTINCT customer_id AS customer FROM orders");
        assertThat(failure()).isNull();
        write("parameters.sql", "SELECT customer_id AS customer FROM orders WHERE false");
        assertThat(failure()).contains("parameters.sql answers no rows");
        write("parameters.sql", "SELECT customer_id FROM orders");
        assertThat(failure()).contains("parameters.sql answers no column customer, which is the parameter :customer");
        write("parameters.sql", "SELECT nothing AS customer FROM orders");
        assertThat(failure()).contains("parameters.sql: ERROR: column \"nothing\" does not exist");
    }

    @Test
    void aWrongPlanFailsItAndIsShown() throws IOException {
        write("after.sql", "CREATE INDEX other_idx ON orders (note);");
        assertThat(failure())
                .contains("Wrong plan after")
                .contains("expected index scan of orders by orders_customer_idx, found full scan of orders;"
                        + " if that plan is right, expect it in experiment.yaml")
                .contains("Seq Scan on orders");
    }

    @Test
    void sidesThatAnswerDifferentlyFailIt() throws IOException {
        write("parameters.csv", "customer\n17\n");
        write(
                "after.sql",
                "CREATE INDEX orders_customer_idx ON orders (customer_id); DELETE FROM orders WHERE id % 500 = 17");
        assertThat(failure())
                .contains("Wrong answer after")
                .contains("for customer = 17: expected 50 rows")
                .contains("as an earlier run answered, got 40 rows");
        write("experiment.yaml", "title: Orders\n" + PLAN + "  answer: any\n");
        assertThat(failure()).isNull();
    }

    @Test
    void theOrderOfRowsCountsWhereTheStatementHasOne() throws IOException {
        Files.delete(folder.resolve("statement.sql"));
        write("before.statement.sql", "SELECT id FROM orders WHERE customer_id = :customer ORDER BY id");
        write("after.statement.sql", "SELECT id FROM orders WHERE customer_id = :customer ORDER BY id DESC");
        assertThat(failure())
                .contains("Wrong answer after", "the rows are right, but in another order: if some tie in ORDER BY");
        write("after.statement.sql", "SELECT id FROM orders WHERE customer_id = :customer");
        assertThat(failure()).isNull();
    }

    @Test
    void theExpectedRowsMayBeGiven() throws IOException {
        write("statement.sql", "SELECT id, customer_id FROM orders WHERE customer_id = :customer AND id + 0 < 200");
        write("parameters.csv", "customer\n17\n");
        write("rows.csv", "id,customer_id\n117,17\n17,17\n");
        write("experiment.yaml", "title: Orders\n" + PLAN + "  answer: rows.csv\n");
        assertThat(failure()).isNull();
        write("rows.csv", "id,customer_id\n117,17\n18,17\n");
        assertThat(failure()).contains("Wrong answer before").contains("expected 2 rows");
    }

    @Test
    void aValueThatDoesNotFitIsRefusedByTheServerAndReported() throws IOException {
        write("parameters.csv", "customer\nsomebody\n");
        assertThat(failure())
                .contains("The database refused a statement of orders: ERROR: invalid input syntax for type integer");
    }

    @Test
    void aParameterOfUnknownTypeIsNamedWithItsLineAndTheCast() throws IOException {
        write("statement.sql", """
                -- orders
                SELECT id, jsonb_build_object('customer',
                    :customer) FROM orders WHERE id < 3;
                """);
        assertThat(failure())
                .endsWith("the type of :customer is unknown in " + folder.resolve("statement.sql")
                        + ", line 3: write a cast, such as CAST(:customer AS text)");
    }

    @Test
    void scriptsThatFailAreNamed() throws IOException {
        write("seed.sql", "CREATE TABLE orders (id INT); CREATE TABLE orders (id INT)");
        assertThatThrownBy(() -> run(server))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("seed.sql, statement 2, line 1: ERROR: relation \"orders\" already exists");
        assertThat(databasesLeft()).isEmpty();
    }

    @Test
    void whatARunWritesIsTakenBackOutsideTheTime() throws IOException {
        write("seed.sql", WITH_KEY);
        write("statement.sql", """
                INSERT INTO orders VALUES (:id, :customer, 'new');
                UPDATE orders SET note = 'paid' WHERE id = :id""");
        write("reset.sql", "DELETE FROM orders WHERE id = :id; VACUUM orders");
        write("parameters.csv", "id,customer\n100001,1\n100002,\\N\n");
        write("experiment.yaml", """
                title: Orders
                transaction: true
                expect:
                  plan:
                    before: [insert into orders]
                    after: [insert into orders]
                """);
        assertThat(failure()).contains("null value in column \"customer_id\"");
        write("parameters.csv", "id,customer\n100001,1\n");
        assertThat(failure()).isNull();
        // Every later run would find the row of the one before.
        write("reset.sql", "DELETE FROM orders WHERE id = 1 + :id");
        assertThat(failure()).contains("duplicate key");
    }

    @Test
    @Tag("full")
    void writesArePartOfThePriceAndAWriteThatBecomesTooSlowIsReported() throws IOException {
        write("seed.sql", WITH_KEY);
        write("after.sql", """
                CREATE INDEX orders_customer_idx ON orders (customer_id);
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN PERFORM pg_sleep(0.03); RETURN NEW; END $$;
                CREATE TRIGGER slow BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION slow();
                """);
        write("new-orders.csv", "id\n100001\n100002\n");
        write("experiment.yaml", "title: Orders\n" + PLAN + """
                writes:
                  - name: new-order
                    statement: INSERT INTO orders VALUES (:id, 1, 'new')
                    parameters: new-orders.csv
                    reset: DELETE FROM orders WHERE id = :id
                    max-slowdown: 20%
                  - name: touch
                    statement: UPDATE orders SET note = note WHERE id = :customer
                    max-slowdown: 1000000%
                """);
        LabOutcome outcome = run(server);
        LabResults results = outcome.results();
        assertThat(results.complete()).isTrue();
        assertThat(new LabGate(null, IfUnsure.SKIP).judge(results))
                .extracting(one -> one.name() + " " + one.outcome())
                .containsExactly(
                        "orders PASSED", "orders: the write new-order FAILED", "orders: the write touch PASSED");
        LabResults.Price price = results.prices().get(0);
        assertThat(price.experiment()).isEqualTo("orders");
        assertThat(price.notMeasured()).isEmpty();
        assertThat(price.writes())
                .extracting(LabResults.Write::name)
                .containsExactly(
                        "new-order",
                        "touch",
                        "insert into orders",
                        "update orders",
                        "update unindexed column of orders",
                        "delete from orders");
        assertThat(price.writes()).allSatisfy(write -> {
            assertThat(write.measured().failure()).isNull();
            assertThat(write.measured().before().samplesMs()).hasSize(36);
            assertThat(write.measured().after().samplesMs()).hasSize(36);
            assertThat(write.measured().before().answer()).isEqualTo("1");
            assertThat(write.measured().pAdjusted()).isNotNull();
        });
        assertThat(price.writes())
                .allSatisfy(write -> assertThat(write.beforeCost().walBytes()).isPositive());
        LabResults.Write insert = price.writes().get(2);
        assertThat(insert.afterCost().walBytes())
                .isGreaterThan(insert.beforeCost().walBytes());
        assertThat(insert.afterCost().hotPercent()).isNull();
        LabResults.Write indexed = price.writes().get(3);
        assertThat(indexed.beforeCost().hotPercent()).isGreaterThan(50);
        assertThat(indexed.afterCost().hotPercent()).isZero();
        LabResults.Write unindexed = price.writes().get(4);
        assertThat(unindexed.measured().before().statements())
                .containsExactly("UPDATE public.orders SET note = ? WHERE id = ?");
        assertThat(unindexed.afterCost().hotPercent()).isGreaterThan(50);
        assertThat(TextRenderer.of(LabReport.of(results))).contains("its WAL", "its HOT updates");
        // What the index covers, so that PostgreSQL writes the index too.
        assertThat(price.writes().get(3).measured().before().statements())
                .containsExactly("UPDATE public.orders SET customer_id = ? WHERE id = ?");
        assertThat(TextRenderer.of(LabReport.of(results)))
                .contains("price of orders", "size of orders", "delete from orders");
        Documented.assertDescribes(
                Documented.RESULTS, Files.readString(outcome.bundle().folder().resolve("results.json")));
        assertThat(databasesLeft()).isEmpty();
    }

    @Test
    void writesOfARowThatCannotBeMadeAreReportedAndFailNothing() throws IOException {
        write("after.sql", "CREATE UNIQUE INDEX orders_customer_idx ON orders (customer_id, id, upper(note))");
        write(
                "seed.sql",
                WITH_KEY + "ALTER TABLE orders ADD CHECK (id < 100000); INSERT INTO orders VALUES (99999, 1, 'x')");
        LabResults results = run(server).results();
        assertThat(results.complete()).isTrue();
        assertThat(results.prices()).singleElement().satisfies(price -> {
            assertThat(price.writes()).isEmpty();
            assertThat(price.notMeasured())
                    .singleElement()
                    .asString()
                    .startsWith("writes of one row of orders: INSERT INTO public.orders (id, customer_id, note) VALUES")
                    .contains("violates check constraint")
                    .hasLineCount(1);
        });
    }

    @Test
    void rowsOfAnyKeyAreWrittenAndTakenBack() throws Exception {
        execute(server.gateway(), "CREATE DATABASE shapes");
        Gateway shapes = server.gateway().toDatabase("shapes");
        try {
            execute(shapes, """
                    CREATE SCHEMA "my shop";
                    CREATE TABLE cities (name VARCHAR(20) PRIMARY KEY);
                    INSERT INTO cities VALUES ('rome'), ('oslo');
                    CREATE TABLE "my shop"."Users" (
                        city VARCHAR(20) REFERENCES cities, "user id" UUID, born DATE, tags TEXT[], doubled INT
                            GENERATED ALWAYS AS (length(city) * 2) STORED, PRIMARY KEY (city, "user id"));
                    INSERT INTO "my shop"."Users" VALUES
                        ('rome', gen_random_uuid(), '2000-01-01', '{a,"b c"}'), ('oslo', gen_random_uuid(), NULL, NULL);
                    CREATE TABLE logged (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
                    INSERT INTO logged DEFAULT VALUES;
                    CREATE TABLE days (day DATE PRIMARY KEY);
                    INSERT INTO days VALUES ('2026-01-01');
                    CREATE TABLE nameless (n INT);
                    CREATE TABLE empty (n INT PRIMARY KEY)""");
            try (Connection connection = shapes.connect()) {
                for (String table : List.of("public.cities", "\"my shop\".\"Users\"", "public.logged")) {
                    String count = "SELECT count(*) FROM " + table;
                    RowWrites writes = new RowWrites(
                            connection,
                            table,
                            table,
                            Set.of("CREATE INDEX i USING btree (born)"),
                            Set.of("CREATE INDEX i USING btree (born)"));
                    writes.tryOut(shapes);
                    int was = Integer.parseInt(Rows.one(connection, count));
                    writes.insertAll(shapes);
                    assertThat(Rows.one(connection, count)).as(table).isEqualTo(String.valueOf(2 * was));
                    writes.deleteAll(shapes);
                    assertThat(Rows.one(connection, count)).as(table).isEqualTo(String.valueOf(was));
                }
                assertThatThrownBy(() -> new RowWrites(connection, "public.nameless", "nameless", Set.of(), Set.of()))
                        .hasMessage("it has no primary key");
                assertThatThrownBy(() -> new RowWrites(connection, "public.empty", "empty", Set.of(), Set.of()))
                        .hasMessage("it has no rows");
                assertThatThrownBy(() -> new RowWrites(connection, "public.days", "days", Set.of(), Set.of()))
                        .hasMessage("its primary key has no number, uuid or text that a fresh key could be made of");
            }
        } finally {
            execute(server.gateway(), "DROP DATABASE shapes WITH (FORCE)");
        }
    }

    @Tag("full")
    @Test
    void aDatabaseThatIsNamedIsCopiedAndStaysAsItIs() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        try (Cluster shop = OtherDatabase.create(server, "shop")) {
            execute(shop.gateway(), SEED);
            List<List<String>> was = everything(shop.gateway());
            LabResults results = run(shop, 20L << 30).results();
            assertThat(results.experiments().get(0).failure()).isNull();
            assertThat(results.experiments().get(0).before().stage()).isEqualTo("copy");
            assertThat(everything(shop.gateway())).isEqualTo(was);
            assertThat(databasesLeft()).isEmpty();

            assertThatThrownBy(() -> run(shop, 1024))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("2 copies of public.orders of the database shop would take ")
                    .hasMessageContaining("more than --max-copy 1kB");
            assertThat(databasesLeft()).isEmpty();
        } finally {
            execute(server.gateway(), "DROP DATABASE shop WITH (FORCE)");
        }
    }

    @Test
    void inPlaceTheNamedDatabaseItselfIsMeasuredIfTheSidesDifferByStatement() throws Exception {
        List<Path> folders = List.of(folder);
        List<String> ids = List.of("orders");
        assertThatThrownBy(() -> ExperimentFolders.read(folders, true, 0, Scale.TINY.spec(1))
                        .inPlace("scratch", ids))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("orders has rows of its own and needs no database of yours");
        Files.delete(folder.resolve("seed.sql"));
        assertThatThrownBy(() -> ExperimentFolders.read(folders, true, 0, Scale.TINY.spec(1))
                        .inPlace("scratch", ids))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("orders changes the schema, which --in-place would leave changed");
        Files.delete(folder.resolve("after.sql"));
        Files.delete(folder.resolve("statement.sql"));
        write("before.statement.sql", "INSERT INTO orders VALUES (9999, :customer, 'new')");
        write("after.statement.sql", "INSERT INTO orders SELECT 9999, :customer, 'new'");
        write("reset.sql", "DELETE FROM orders WHERE id = 9999");
        write("experiment.yaml", "title: Orders\nexpect: {plan: {before: any plan, after: any plan}}\n");
        ExperimentFolders readAgain = ExperimentFolders.read(folders, true, 0, Scale.TINY.spec(1));
        assertThatThrownBy(() -> readAgain.inPlace("scratch", List.of("orders", "pk-lookup")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("and pk-lookup is none of them");
        try (Cluster scratch = OtherDatabase.create(server, "scratch")) {
            execute(
                    scratch.gateway(),
                    SEED + "CREATE ROLE visitor LOGIN PASSWORD 'visitor';"
                            + " GRANT SELECT, INSERT, DELETE ON orders TO visitor");
            List<List<String>> was = everything(scratch.gateway());
            // Who may not create databases.
            Cluster visited =
                    Cluster.at(scratch.gateway().url().replaceAll("user=[^&]*", "user=visitor") + "&password=visitor");
            assertThatThrownBy(
                            () -> new Lab(visited, request(readAgain.inPlace("shop", ids)), null, new SilentListener())
                                    .run(new LoadProgress()))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("--in-place shop is not the database of --url, which is 'scratch'");
            LabResults results = new Lab(
                            visited, request(readAgain.inPlace("scratch", ids)), null, new SilentListener())
                    .run(new LoadProgress())
                    .results();
            assertThat(results.experiments().get(0).failure()).isNull();
            assertThat(results.experiments().get(0).after().stage()).isEqualTo("in place");
            assertThat(results.preflight())
                    .filteredOn(check -> check.name().equals("copy"))
                    .singleElement()
                    .satisfies(
                            check -> assertThat(check.detail()).startsWith("measured on the database scratch itself"));
            assertThat(everything(scratch.gateway())).isEqualTo(was);
        } finally {
            execute(server.gateway(), "DROP DATABASE IF EXISTS scratch WITH (FORCE)");
            execute(server.gateway(), "DROP ROLE IF EXISTS visitor");
        }
    }

    @Tag("full")
    @Test
    void onCockroachCopiesAreRestoredFromABackup() throws Exception {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        Files.delete(folder.resolve("seed.sql"));
        try (LocalCockroach node = LocalCockroach.ofOneNode(null)) {
            execute(node.gateway(), "CREATE DATABASE \"the-shop\"");
            execute(node.gateway(), "CREATE USER visitor");
            execute(node.gateway(), "CREATE DATABASE movr_lab_0badc0de_left");
            Cluster shop = Cluster.at(node.gateway().toDatabase("the-shop").url());
            execute(shop.gateway(), WITH_KEY);
            List<List<String>> was = everythingOnCockroach(shop.gateway());

            assertThatThrownBy(() -> run(shop, 1024))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("3 copies of the database the-shop, its backup among them, would take ")
                    .hasMessageContaining("more than --max-copy 1kB");

            Cluster visited = Cluster.at(shop.gateway().url().replaceAll("user=[^&]*", "user=visitor"));
            assertThatThrownBy(() -> run(visited, 20L << 30))
                    .isInstanceOf(UserError.class)
                    .hasMessageEndingWith(
                            " may not create databases: ALTER ROLE \"visitor\" CREATEDB, or name another user in --url");
            execute(node.gateway(), "ALTER ROLE visitor CREATEDB");
            assertThatThrownBy(() -> run(visited, 20L << 30))
                    .isInstanceOf(UserError.class)
                    .hasMessageEndingWith(": GRANT BACKUP ON DATABASE \"the-shop\" TO \"visitor\"");
            // Not the visitor's, who therefore leaves it.
            assertThat(databasesLeft(node)).containsExactly(List.of("movr_lab_0badc0de_left"));

            execute(node.gateway(), "GRANT BACKUP ON DATABASE \"the-shop\" TO visitor");
            execute(node.gateway(), "GRANT SYSTEM RESTORE TO visitor");
            ExperimentFolders folders = ExperimentFolders.read(List.of(folder), true, 20L << 30, Scale.TINY.spec(1));
            assertThat(new Lab(visited, request(folders), null, new SilentListener()).tryOut(new LoadProgress()))
                    .isEmpty();

            LabResults results = run(shop, 20L << 30).results();
            assertThat(results.complete()).isTrue();
            assertThat(results.experiments().get(0).before().stage()).isEqualTo("copy");
            assertThat(results.prices()).singleElement().satisfies(price -> {
                assertThat(price.notMeasured()).isEmpty();
                assertThat(price.tables()).singleElement().satisfies(size -> {
                    assertThat(size.beforeBytes()).isGreaterThan(5_000 * 100);
                    assertThat(size.afterIndexBytes()).isPositive();
                });
                assertThat(price.writes()).hasSize(3);
            });
            assertThat(everythingOnCockroach(shop.gateway())).isEqualTo(was);
            assertThat(databasesLeft(node)).isEmpty();
        }
    }

    /** Rows and definitions of a database, and the tables of those where files are kept by default. */
    private static List<List<String>> everythingOnCockroach(Gateway database) throws SQLException {
        List<List<String>> all = new ArrayList<>();
        try (Connection connection = database.connect()) {
            for (String query : List.of(
                    "SHOW EXPERIMENTAL_FINGERPRINTS FROM TABLE orders",
                    "SHOW CREATE ALL TABLES",
                    "SELECT table_name FROM [SHOW TABLES FROM defaultdb]",
                    "SELECT table_name FROM [SHOW TABLES]")) {
                all.addAll(Rows.query(connection, query, List.of()));
            }
        }
        return all;
    }

    @Test
    void theKindOfCopyMayBeChosen() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        ExperimentFolders any = ExperimentFolders.read(List.of(folder), true, 20L << 30, Scale.TINY.spec(1));
        ExperimentFolders tooLarge = ExperimentFolders.read(List.of(folder), true, 1024, Scale.TINY.spec(1));
        assertThatThrownBy(() -> any.copiedBy("rows")).hasMessage("--copy rows is unknown: choose template or tables");
        try (Cluster shop = OtherDatabase.create(server, "shop")) {
            execute(shop.gateway(), SEED);
            Lab byTables = new Lab(shop, request(any.copiedBy("tables")), null, new SilentListener());
            assertThat(byTables.run(new LoadProgress()).results().preflight())
                    .filteredOn(check -> check.name().equals("copy"))
                    .singleElement()
                    .satisfies(check -> assertThat(check.detail()).contains("because --copy tables says so"));
            Lab whole = new Lab(shop, request(any.copiedBy("template")), null, new SilentListener());
            assertThat(whole.tryOut(new LoadProgress())).isEmpty();
            try (Connection other = shop.gateway().connect("reporting")) {
                assertThatThrownBy(() -> whole.tryOut(new LoadProgress()))
                        .isInstanceOf(UserError.class)
                        .hasMessageStartingWith("The database shop cannot be copied while others are connected to it");
                assertThat(other.isValid(1)).isTrue();
            }
            Lab wholeOfLittle = new Lab(shop, request(tooLarge.copiedBy("template")), null, new SilentListener());
            assertThatThrownBy(() -> wholeOfLittle.tryOut(new LoadProgress()))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("2 copies of the database shop would take ");
        } finally {
            execute(server.gateway(), "DROP DATABASE IF EXISTS shop WITH (FORCE)");
        }
        assertThat(databasesLeft()).isEmpty();
    }

    @Test
    void aUserWithoutTheRightsLearnsWhichAreNeeded() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        execute(server.gateway(), "CREATE DATABASE shop");
        execute(server.gateway(), "CREATE ROLE visitor LOGIN PASSWORD 'visitor'");
        try {
            Cluster visited =
                    Cluster.at(server.gateway().toDatabase("shop").url().replaceAll("user=[^&]*", "user=visitor")
                            + "&password=visitor");
            assertThatThrownBy(() -> run(visited, 20L << 30))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("may not create databases: ALTER ROLE \"visitor\" CREATEDB");
            execute(server.gateway(), "ALTER ROLE visitor CREATEDB");
            assertThatThrownBy(() -> run(visited, 20L << 30))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("No statement names a table of the database shop");
            execute(server.gateway().toDatabase("shop"), SEED);
            assertThatThrownBy(() -> run(visited, 20L << 30))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("permission denied for table orders")
                    .hasMessageContaining("GRANT SELECT ON these tables");
            assertThat(databasesLeft()).isEmpty();
        } finally {
            execute(server.gateway(), "DROP DATABASE shop WITH (FORCE)");
            execute(server.gateway(), "DROP ROLE visitor");
        }
    }

    @Tag("full")
    @Test
    void sizesThatTheServerDoesNotTellAreMissingAndFailNothing() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        execute(server.gateway(), "CREATE ROLE visitor LOGIN PASSWORD 'visitor' CREATEDB");
        try {
            execute(server.gateway(), "CREATE DATABASE shop OWNER visitor");
            Gateway shop = server.gateway().toDatabase("shop");
            execute(
                    shop,
                    "REVOKE EXECUTE ON FUNCTION pg_total_relation_size(regclass) FROM PUBLIC; SET ROLE visitor; "
                            + SEED);
            Cluster visited = Cluster.at(shop.url().replaceAll("user=[^&]*", "user=visitor") + "&password=visitor");
            LabResults results = run(visited, 20L << 30).results();
            assertThat(results.complete()).isTrue();
            assertThat(results.prices()).singleElement().satisfies(price -> {
                assertThat(price.tables()).containsExactly(new LabResults.TableSize("orders", null, null, null, null));
                assertThat(price.notMeasured())
                        .contains("sizes: ERROR: permission denied for function pg_total_relation_size");
            });
        } finally {
            execute(server.gateway(), "DROP DATABASE IF EXISTS shop WITH (FORCE)");
            execute(server.gateway(), "DROP ROLE visitor");
        }
    }

    @Tag("full")
    @Test
    void thePartitionsOfATableAreCountedTogether() throws IOException {
        write(
                "seed.sql",
                SEED.replace("note TEXT NOT NULL)", "note TEXT NOT NULL) PARTITION BY RANGE (id)")
                        .replace("INSERT", """
                        CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (0) TO (4000);
                        CREATE TABLE orders_new PARTITION OF orders FOR VALUES FROM (4000) TO (6000);
                        INSERT"""));
        write("experiment.yaml", "title: Orders\nexpect: {plan: {before: any plan, after: any plan}}\n");
        assertThat(run(server).results().prices()).singleElement().satisfies(price -> {
            assertThat(price.tables()).singleElement().satisfies(size -> {
                assertThat(size.table()).isEqualTo("orders");
                // More than the larger partition alone.
                assertThat(size.beforeBytes()).isGreaterThan(5_000 * 100);
            });
        });
    }

    @Test
    @Tag("full")
    void theSamplesPlanAndAnswerAsTheySay() {
        ExperimentFolders samples = ExperimentFolders.read(
                List.of(Path.of("..", "docs", "samples", "experiments")), false, 0, Scale.TINY.spec(1));
        assertThat(samples.ids()).contains("orders-by-customer", "users-by-name", "cost-of-an-index");
        assertThat(new Lab(server, request(samples), null, new SilentListener()).tryOut(new LoadProgress()))
                .isEmpty();
    }

    @Test
    void planAndAnswerAreCheckedAtEveryScale() throws IOException {
        write("seed.sql", SEED.replace("5000", "5000 * :scale").replace("% 100,", "% (100 * :scale),"));
        write("experiment.yaml", "title: Orders\nscales: [1, 4]\n" + PLAN);
        assertThat(wrong()).isEmpty();
        write("after.sql", "CREATE INDEX orders_customer_idx ON orders (customer_id) WHERE id < 15000");
        assertThat(wrong()).containsOnlyKeys("orders@1", "orders@4");
        write("statement.sql", "SELECT count(*) > 5000 FROM orders WHERE :customer > 0");
        write("rows.csv", "more\nfalse\n");
        write("parameters.csv", "customer\n1\n");
        write("experiment.yaml", """
                title: Orders
                scales: [1, 4]
                expect: {plan: {before: full scan of orders, after: any plan}, answer: rows.csv}
                """);
        assertThat(wrong()).containsOnlyKeys("orders@4");
    }

    @Test
    void movrsRowsAreLoadedForEachScale() throws IOException {
        Files.delete(folder.resolve("seed.sql"));
        write("statement.sql", "SELECT count(*) FROM rides WHERE :customer > 0");
        write("parameters.csv", "customer\n1\n");
        write("rows.csv", "rides\n1000\n");
        write("after.sql", "CREATE INDEX rides_rider_idx ON rides (rider_id)");
        write("experiment.yaml", """
                title: Rides
                seed: movr
                scales: [1, 2]
                expect: {plan: {before: any plan, after: any plan}, answer: rows.csv}
                """);
        assertThat(wrong())
                .containsOnlyKeys("orders@2")
                .extractingByKey("orders@2")
                .asString()
                .contains("[[2000]]");
        assertThat(databasesLeft()).isEmpty();
    }

    @Test
    @Tag("full")
    void growthIsReportedAndThePriceIsThatOfTheLargestScale() throws IOException {
        write("seed.sql", SEED.replace("5000", "5000 * :scale").replace("% 100,", "% (100 * :scale),"));
        write("experiment.yaml", "title: Orders\nscales: [1, 10]\n" + PLAN);
        LabOutcome outcome = run(server);
        LabResults results = outcome.results();
        assertThat(results.complete()).isTrue();
        assertThat(results.growth()).singleElement().satisfies(growth -> {
            assertThat(growth.experiment()).isEqualTo("orders");
            assertThat(growth.points()).extracting(LabResults.Point::scale).containsExactly(1, 10);
            assertThat(growth.points())
                    .extracting(LabResults.Point::experiment)
                    .containsExactly("orders@1", "orders@10");
            assertThat(growth.points())
                    .allSatisfy(point -> assertThat(point.improvement()).isNotNull());
        });
        assertThat(results.experiments().get(1).rows()).isEqualTo(Map.of("orders", 50_000L));
        assertThat(results.prices()).extracting(LabResults.Price::experiment).containsExactly("orders@10");
        Documented.assertDescribes(
                Documented.RESULTS, Files.readString(outcome.bundle().folder().resolve("results.json")));
    }

    @Test
    @Tag("full")
    void versionsOfMigrationsAreCompared() throws Exception {
        Files.delete(folder.resolve("after.sql"));
        Path migrations = Files.createDirectories(parent.resolve("db"));
        Files.writeString(
                migrations.resolve("V41__orders.sql"),
                "CREATE TABLE orders (id INT NOT NULL, customer_id INT NOT NULL, note TEXT NOT NULL);");
        // It takes no lock that Flyway would hold.
        Files.writeString(
                migrations.resolve("V42__index.sql"),
                "CREATE INDEX CONCURRENTLY orders_customer_idx ON orders (customer_id);");
        Files.writeString(migrations.resolve("V43__wrong.sql"), "ALTER TABLE order ADD COLUMN nothing INT;");
        write("seed.sql", SEED.substring(SEED.indexOf("INSERT")));
        String yaml = "title: Orders\nsides: {migrations: ../db, before: 41, after: 42}\n" + PLAN;
        write("experiment.yaml", yaml);
        LabResults.Price price = run(server).results().prices().get(0);
        assertThat(price.beforeBuildSeconds()).isNull();
        assertThat(price.afterBuildSeconds()).isPositive();
        assertThat(price.tables().get(0).afterIndexBytes()).isPositive();
        write("experiment.yaml", yaml.replace("after: 42", "after: 43"));
        assertThatThrownBy(this::failure)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("db, version 43: ")
                .hasMessageContaining("ERROR: syntax error at or near \"order\"");

        // A copy of a database that has a version goes on from there, and not back.
        Files.delete(folder.resolve("seed.sql"));
        write("experiment.yaml", yaml);
        try (Cluster shop = OtherDatabase.create(server, "shop")) {
            ExperimentFolders folders = ExperimentFolders.read(List.of(folder), true, 1 << 30, Scale.TINY.spec(1));
            Lab lab = new Lab(shop, request(folders), null, new SilentListener());
            new Migrations(migrations, MigrationVersion.fromVersion("41")).run(shop.gateway(), shop.gateway());
            execute(shop.gateway(), SEED.substring(SEED.indexOf("INSERT")));
            try (Connection open = shop.gateway().connect()) {
                assertThatThrownBy(() -> lab.tryOut(new LoadProgress()))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("Migrations need a copy of the whole database shop, which cannot be made"
                                + " because others are connected to it");
                assertThat(open.isValid(1)).isTrue();
            }
            assertThat(lab.tryOut(new LoadProgress())).isEmpty();
            new Migrations(migrations, MigrationVersion.fromVersion("42")).run(shop.gateway(), shop.gateway());
            assertThatThrownBy(() -> lab.tryOut(new LoadProgress()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("The database is at version 42, and version 41 of ")
                    .hasMessageContaining("comes before it");
        } finally {
            execute(server.gateway(), "DROP DATABASE IF EXISTS shop WITH (FORCE)");
        }
        assertThat(databasesLeft()).isEmpty();
    }

    /** What is wrong when both sides run without being measured; {@code null} if nothing is. */
    private String failure() {
        return wrong().get("orders");
    }

    /** What is wrong, by experiment. */
    private Map<String, String> wrong() {
        ExperimentFolders folders = ExperimentFolders.read(List.of(folder), false, 0, Scale.TINY.spec(1));
        return new Lab(server, request(folders), null, new SilentListener()).tryOut(new LoadProgress());
    }

    private LabOutcome run(Cluster cluster) {
        return run(cluster, 0);
    }

    private LabOutcome run(Cluster cluster, long maxBytes) {
        ExperimentFolders folders = ExperimentFolders.read(List.of(folder), maxBytes > 0, maxBytes, Scale.TINY.spec(1));
        return new Lab(cluster, request(folders), null, new SilentListener()).run(new LoadProgress());
    }

    private LabRequest request(ExperimentFolders folders) {
        return LabRequests.of(folders, 1, parent);
    }

    /** Every row and every object of a database, as text. */
    private static List<List<String>> everything(Gateway database) throws SQLException {
        try (Connection connection = database.connect()) {
            return Rows.query(
                    connection,
                    "SELECT 'row', o::text FROM orders o UNION ALL SELECT 'class', relname || ' ' || relkind::text || ' ' || relfilenode"
                            + " FROM pg_class WHERE oid >= 16384 UNION ALL SELECT 'index', indexdef FROM pg_indexes"
                            + " WHERE schemaname = 'public' ORDER BY 1, 2",
                    List.of());
        }
    }

    private static List<List<String>> databasesLeft() {
        return databasesLeft(server);
    }

    private static List<List<String>> databasesLeft(Cluster cluster) {
        try (Connection connection = cluster.gateway().connect()) {
            return Rows.query(connection, "SELECT datname FROM pg_database WHERE datname LIKE 'movr_lab_%'", List.of());
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void execute(Gateway database, String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            Rows.execute(connection, sql);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }
}
