package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Rows.Untyped;
import io.movr.dataset.Answers;
import io.movr.dataset.Scale;
import io.movr.environment.Program;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Seeded;
import io.movr.report.ByteSize;
import io.movr.report.Documented;
import io.movr.schema.Stage;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ExperimentFolderTest {

    private static final String SCHEMA = "experiment.schema.json";
    private static final Answers ANSWERS = new Answers(Scale.TINY.spec(1));
    private static final Path SAMPLES = Path.of("..", "docs", "samples", "experiments");
    private static final String EXPECT = """
            expect:
              plan:
                before: [full scan of orders]
                after: index scan of orders by i
            """;

    @TempDir
    private Path parent;

    private Path folder;

    @BeforeEach
    void folder() throws IOException {
        folder = Files.createDirectories(parent.resolve("orders"));
        write("seed.sql", "CREATE TABLE orders (id INT)");
        write("after.sql", "CREATE INDEX i ON orders (id)");
        write("statement.sql", "SELECT * FROM orders WHERE id = :id;");
        write("parameters.csv", "id\n1\n2\n");
        yaml("title: Orders\n" + EXPECT);
    }

    @Test
    void aScriptMayHaveTheEncodingOfAWindowsShell() throws IOException {
        Files.writeString(
                folder.resolve("seed.sql"), "\uFEFFCREATE TABLE orders (id INT);\r\n", StandardCharsets.UTF_16LE);
        assertThat(SqlFile.find(folder.resolve("seed.sql")).orElseThrow().last().text())
                .isEqualTo("CREATE TABLE orders (id INT)");
    }

    @Test
    void aFolderIsAnExperiment() {
        yaml("""
                title: Orders
                lesson: Indexes help.
                notes: [one, two]
                tables: orders
                labels: {before: none, after: an index}
                published: [{ratio: 2.5, source: a talk}]
                """ + EXPECT);
        Experiment experiment = read();
        assertThat(experiment.id()).isEqualTo("orders");
        assertThat(experiment.title()).isEqualTo("Orders");
        assertThat(experiment.lesson()).isEqualTo("Indexes help.");
        assertThat(experiment.notes()).containsExactly("one", "two");
        assertThat(experiment.writes()).isFalse();
        assertThat(experiment.before().label()).isEqualTo("none");
        assertThat(experiment.before().contents().describe()).isEqualTo("seed.sql");
        assertThat(experiment.after().contents().describe()).isEqualTo("seed.sql, after.sql");
        assertThat(experiment.after().operation().steps()).singleElement().satisfies(step -> {
            assertThat(step.sql()).isEqualTo("SELECT * FROM orders WHERE id = ?");
            assertThat(step.expected()).isEqualTo("index scan of orders by i");
        });
        assertThat(experiment.tables().named()).containsExactly("orders");
        assertThat(experiment.published()).singleElement().satisfies(figure -> {
            assertThat(figure.improvement()).isEqualTo(2.5);
            assertThat(figure.source()).isEqualTo("a talk");
        });
    }

    @Test
    void rowsComeFromTheScriptOrFromMovrOrFromTheNamedDatabase() throws IOException {
        Files.delete(folder.resolve("seed.sql"));
        assertThatThrownBy(this::read)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("orders has no rows: add seed.sql, or 'seed: movr' to experiment.yaml, or name");
        assertThat(ExperimentFolder.read(folder, true, 1, () -> ANSWERS)
                        .before()
                        .contents()
                        .describe())
                .isEqualTo("copy");
        yaml("title: Orders\nseed: movr\n" + EXPECT);
        assertThat(read().before().stage()).isEqualTo(Stage.FOREIGN_KEYS);
        yaml("title: Orders\nseed: movr@name-index\n" + EXPECT);
        assertThat(read().after().contents().source()).isEqualTo(new Movr(Stage.NAME_INDEX, 1));
        Files.delete(folder.resolve("after.sql"));
        yaml("title: Orders\nseed: {before: movr@name-index, after: movr@join-index}\n" + EXPECT);
        assertThat(read().before().stage()).isEqualTo(Stage.NAME_INDEX);
        assertThat(read().after().stage()).isEqualTo(Stage.JOIN_INDEX);
        yaml("title: Orders\nseed: {before: movr@name-index}\n" + EXPECT);
        isRefused("experiment.yaml: seed.after is missing");
    }

    @Test
    void eachSideMayHaveAnAnswerOfItsOwnWhichAProviderMayWorkOut() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        write("parameters.csv", "id\n1\n");
        write("one.csv", "id\n1\n");
        yaml("title: Orders\nseed: movr\n" + EXPECT
                + "  answer: {before: one.csv, after: 'provider:count-of-riders-of-published-day'}\n");
        List<List<String>> one = List.of(List.of("1"));
        assertThat(read().before().operation().complaint(one, null)).isEmpty();
        assertThat(read().after().operation().complaint(one, null).orElseThrow())
                .contains("expected 1 row [["
                        + GeneratedAnswers.rows("count-of-riders-of-published-day", ANSWERS)
                                .get(0)
                                .get(0)
                        + "]], got 1 row [[1]]");
        yaml("title: Orders\nseed: movr\n" + EXPECT + "  answer: provider:riders\n");
        isRefused("expect.answer names no provider 'riders': the providers are count-of-riders-of-published-day, ");
        yaml("title: Orders\nseed: movr\n" + EXPECT + "  answer: {before: same, after: any}\n");
        isRefused("expect.answer.before is any, a CSV file or provider:NAME, not 'same'");
        write("seed.sql", "CREATE TABLE orders (id INT)");
        yaml("title: Orders\n" + EXPECT + "  answer: provider:published-ride\n");
        isRefused("expect.answer is 'provider:published-ride', which needs MovR's rows: add 'seed: movr'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "titel: Orders | experiment.yaml, line 1: there is no key 'titel': the keys are expect, labels",
                "lesson: x | experiment.yaml: title is missing",
                "title: [a] | experiment.yaml, line 1: title is text, and neither a list nor keys",
                "title: a; transaction: maybe | experiment.yaml, line 2: transaction is true, false or rollback, not 'maybe'",
                "title: a; labels: {left: b} | experiment.yaml, line 2: there is no key 'labels.left': the keys are after, before",
                "title: a; labels: b | experiment.yaml, line 2: labels has keys of its own: after, before",
                "title: a; seed: mover | experiment.yaml: seed is mover, and there is",
                "title: a; tables: [orders WHERE false] | tables has 'orders WHERE false', which is no name of a table",
                "title: a; published: [3] | experiment.yaml, line 2: published has keys of its own: ratio, source",
                "title: a; published: [{ratio: 3}] | experiment.yaml: published.source is missing",
                "title: a; published: [{ratio: x, source: y}] | experiment.yaml, line 2: published.ratio has 'x', which is no number",
                "title: a; published: [{ratio: 0, source: y}] | experiment.yaml: published.ratio is the time before",
                "title: a; title: b | experiment.yaml, line 2: Duplicate Object property",
                "title: 'a | experiment.yaml, line",
                "title: a; notes: [b, null] | experiment.yaml, line 2: notes has an empty value",
                "title: a; scales: 3 | experiment.yaml, line 2: scales is a list",
                "title: a; labels: {before: *b} | experiment.yaml, line 2: ",
                "a | experiment.yaml has no keys"
            })
    void aWrongKeyIsReportedInOneLineWithItsFile(String lines, String message) {
        yaml(lines.replace("; ", "\n") + "\n" + (lines.equals("a") ? "" : EXPECT));
        isRefused(message);
    }

    @Test
    void aNameThatNoFileOfAReportCouldHaveIsRefusedFirst() {
        assertThatThrownBy(() -> FolderFiles.requireName(Path.of("a".repeat(64))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("use at most 63 small letters, digits, - and _");
    }

    @Test
    void moreSqlThanCanBeHeldIsRefused() throws IOException {
        try (Writer seed = Files.newBufferedWriter(folder.resolve("seed.sql"))) {
            for (int line = 0; line < 1 << 16; line++) {
                seed.write("-- " + "x".repeat(1 << 10) + "\n");
            }
        }
        yaml("title: Orders\n" + EXPECT);
        isRefused("seed.sql has more than 64 MB: make rows by generate_series");
    }

    @Test
    void moreRowsOfParametersThanAnExperimentCanDrawAreRefused() throws IOException {
        write("parameters.csv", "id\n" + "1\n".repeat(1_000_001));
        yaml("title: Orders\n" + EXPECT);
        isRefused("parameters.csv has more than 1,000,000 rows: keep a part of them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | experiment.yaml: expect.plan.before is missing: say how each table is read",
                "{plan: {before: any plan}} | experiment.yaml: expect.plan.after is missing",
                "{plan: {before: fast, after: any plan}} | experiment.yaml: expect.plan.before has 'fast' is no plan: write",
                "{plan: {before: any plan, after: any plan}, answer: some} | expect.answer is same, any, a CSV file or",
                "{plan: {before: any plan, after: any plan}, answer: a.csv} | expect.answer names",
                "{plan: {before: any plan, after: any plan}, speed: 3} | there is no key 'expect.speed'"
            })
    void aWrongExpectationIsReportedInOneLineWithItsKey(String expect, String message) {
        yaml("title: Orders\nexpect: " + expect + "\n");
        isRefused(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "statement.sql | SELECT * FROM orders WHERE id = :order | has the parameter :order, and",
                "statement.sql | SELECT 'a | statement.sql: the quote ' is not closed (line 1)",
                "statement.sql | -- nothing | statement.sql holds no statement",
                "statement.sql | SET jit = off | statement.sql: 'set' has no plan, and is not measured",
                "statement.sql | DELETE FROM orders WHERE id = :id | reset.sql, which resets a run outside the measured time",
                "before.statement.sql | SELECT 1 | before.statement.sql and",
                "reset.sql | DELETE FROM orders | reset.sql resets what is written, and no statement writes",
                "parameters.csv | id | parameters.csv has no rows of parameters",
                "parameters.sql | SELECT 1 | keep one of them",
                "after.sql | CREATE INDEX i ON orders (:id) | after.sql has the parameter :id",
                "reset.sq.sql | SELECT 1 | reset.sq.sql means nothing to an experiment"
            })
    void aWrongFileIsReportedInOneLineWithItsName(String file, String content, String message) throws IOException {
        write(file, content);
        isRefused(message);
    }

    @Test
    void writesAreMeasuredOnTheDatabasesOfTheSides() throws IOException {
        write("new.csv", "id\n7\n");
        yaml("title: Orders\n" + EXPECT + """
                writes:
                  - name: new-order
                    statement: "INSERT INTO orders VALUES (:id); UPDATE orders SET id = id WHERE id = :id"
                    parameters: new.csv
                    reset: DELETE FROM orders WHERE id = :id
                    max-slowdown: 20%
                  - {name: touch, statement: UPDATE orders SET id = id WHERE id = :id, max-slowdown: 2.5}
                  - {name: untouched, statement: SELECT 1}
                """);
        Experiment experiment = read();
        assertThat(experiment.writes()).isFalse();
        assertThat(experiment.isPriced()).isTrue();
        List<MeasuredWrite> writes = experiment.pricedWrites();
        assertThat(writes).extracting(MeasuredWrite::name).containsExactly("new-order", "touch", "untouched");
        assertThat(writes).extracting(MeasuredWrite::maxSlowdownPercent).containsExactly(20.0, 2.5, null);
        Experiment newOrder = writes.get(0).experiment();
        assertThat(newOrder.id()).isEqualTo("orders.new-order");
        assertThat(newOrder.writes()).isTrue();
        assertThat(newOrder.before().contents()).isEqualTo(experiment.before().contents());
        assertThat(newOrder.after().contents()).isEqualTo(experiment.after().contents());
        assertThat(newOrder.after().operation().steps())
                .extracting(Step::sql)
                .containsExactly("INSERT INTO orders VALUES (?)", "UPDATE orders SET id = id WHERE id = ?");
        assertThat(newOrder.after().operation().steps().get(0).parameters()).isEqualTo(List.of(new Untyped("7")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: a} | experiment.yaml: writes.statement is missing",
                "{statement: SELECT 1} | experiment.yaml: writes.name is missing",
                "{name: A b, statement: SELECT 1} | writes.name 'A b' is not one of its own of small letters",
                "{name: a, statement: SELECT 1}, {name: a, statement: SELECT 1} | writes.name 'a' is not one of its own",
                "{name: a, statement: SELECT 1, speed: 3} | experiment.yaml, line 6: there is no key 'writes.speed': the keys are max-slowdown, name",
                "{name: a, statement: SELECT 1, max-slowdown: some} | writes.max-slowdown 'some' is no percentage",
                "{name: a, statement: SELECT 1, max-slowdown: -1} | writes.max-slowdown '-1' is no percentage",
                "{name: a, statement: SELECT 1, parameters: b.csv} | writes.parameters is a CSV file of the folder, and 'b.csv'",
                "{name: a, statement: SELECT 1, parameters: statement.sql} | and 'statement.sql' is none",
                "{name: a, statement: 'SELECT :x'} | experiment.yaml, write a has the parameter :x, and",
                "{name: a, statement: SELECT 1, reset: 'SELECT :x'} | experiment.yaml, reset of write a has the parameter :x, and",
                "{name: a, statement: 'SELECT :x', parameters: parameters.csv} | write a has the parameter :x, and",
                "{name: a, statement: SET jit = off} | experiment.yaml, write a: 'set' has no plan",
                "{name: a, statement: --} | experiment.yaml, write a holds no statement",
                "a | writes has keys of its own: max-slowdown, name, parameters, reset, statement",
            })
    void aWrongWriteIsReportedInOneLine(String writes, String message) {
        yaml("title: Orders\n" + EXPECT + "writes: [" + writes + "]\n");
        isRefused(message);
    }

    @Test
    void writesNeedSidesWhoseDatabasesDiffer() throws IOException {
        yaml("title: Orders\n" + EXPECT + "writes: [{name: a, statement: SELECT 1}]\n");
        Files.delete(folder.resolve("after.sql"));
        isRefused("experiment.yaml: writes compares the databases of the sides: add before.sql, after.sql or sides");
    }

    @Test
    void aMissingStatementAndMissingParametersAreReported() throws IOException {
        Files.delete(folder.resolve("parameters.csv"));
        isRefused("has the parameter :id: add parameters.csv or parameters.sql");
        Files.delete(folder.resolve("statement.sql"));
        isRefused("write the statement that is measured");
        write("parameters.csv", "id,customer\n1\n");
        write("statement.sql", "SELECT 1");
        isRefused("parameters.csv, row 1: 1 values, and the first line has 2 names");
    }

    @Test
    void ofSeveralStatementsALineIsAboutTheStatementsThatNameItsTable() throws IOException {
        write("statement.sql", "SELECT 1 FROM customers; SELECT 2 FROM orders WHERE id = :id");
        assertThat(read().before().operation().steps())
                .extracting(Step::expected)
                .containsExactly("any plan", "full scan of orders");
        write("statement.sql", "SELECT 1 FROM customers; SELECT 2 FROM vehicles");
        isRefused("expect.plan.before has 'full scan of orders', and no statement of");
    }

    @Test
    void aPlanMayBeThatOfOneOfSeveralStatements() throws IOException {
        write("statement.sql", "SELECT 1 FROM orders; SELECT 2 FROM orders WHERE id = :id");
        yaml("""
                title: Orders
                expect:
                  plan:
                    before: full scan of orders
                    after: [full scan of orders in statement 1, index scan of orders by i in statement 2]
                """);
        assertThat(read().after().operation().steps())
                .extracting(Step::expected)
                .containsExactly("full scan of orders", "index scan of orders by i");
        yaml("title: Orders\nexpect: {plan: {before: any plan, after: insert into orders in statement 3}}\n");
        isRefused("expect.plan.after has 'insert into orders in statement 3', and " + folder.resolve("statement.sql")
                + " has 2 statements");
    }

    @Test
    void anOperationIsNamedAndResetsItsRuns() throws IOException {
        Files.delete(folder.resolve("seed.sql"));
        write("parameters.csv", "city,name,address,card\nboston,Ada,A Street,1\n");
        write("statement.sql", "INSERT INTO users VALUES (gen_random_uuid(), :city, :name, :address, :card)");
        String expect = "expect: {plan: {before: insert into users, after: any plan}}\n";
        yaml("title: Users\nseed: movr\noperation: provider:new-user\n" + expect);
        assertThat(read().writes()).isTrue();
        assertThat(read().before().operation().steps())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.sql()).isEqualTo("INSERT INTO users VALUES (gen_random_uuid(), ?, ?, ?, ?)"));
        yaml("title: Users\nseed: movr\noperation: new-user\n" + expect);
        isRefused(
                "operation is provider:NAME, not 'new-user': the providers are hundred-new-users, new-user, renamed-users");
        yaml("title: Users\nseed: movr\noperation: provider:new-user\n" + expect.replace("}}", "}, answer: any}"));
        isRefused("operation checks the answer and resets each run: remove expect.answer and reset.sql");
        write("seed.sql", "CREATE TABLE users (id INT)");
        yaml("title: Users\noperation: provider:new-user\n" + expect);
        isRefused("operation needs MovR's rows");
    }

    @ParameterizedTest
    @CsvSource({"1.9, 1.10", "1.10, 1.11", "1_10, 1_11"})
    void aVersionIsTheTextThatStandsInTheFile(String before, String after) throws IOException {
        Files.delete(folder.resolve("after.sql"));
        Files.createDirectories(parent.resolve("db"));
        for (String version : List.of("1.1", "1.9", "1.10", "1.11")) {
            Files.writeString(parent.resolve("db").resolve("V" + version + "__step.sql"), "SELECT 1");
        }
        yaml("title: Orders\nsides: {migrations: ../db, before: " + before + ", after: " + after + "}\n" + EXPECT);
        assertThat(read().before().label()).isEqualTo("version " + before.replace('_', '.'));
        assertThat(read().after().label()).isEqualTo("version " + after.replace('_', '.'));
    }

    @Test
    void anExperimentMayBeInTheEncodingOfAWindowsShell() throws IOException {
        String text = Files.readString(folder.resolve("experiment.yaml"));
        Files.write(folder.resolve("experiment.yaml"), ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE));
        assertThat(read().title()).isNotBlank();
    }

    @Test
    void sidesMayBeVersionsOfMigrations() throws IOException {
        Files.delete(folder.resolve("after.sql"));
        Files.createDirectories(parent.resolve("db/later"));
        for (String name : List.of("V1__orders.sql", "V2_1__totals.sql", "later/V10__index.sql", "R__views.sql")) {
            Files.writeString(parent.resolve("db").resolve(name), "SELECT 1");
        }
        yaml("title: Orders\nsides: {migrations: ../db, before: '2.1', after: 10}\n" + EXPECT);
        assertThat(read().before().label()).isEqualTo("version 2.1");
        assertThat(read().before().contents().describe()).isEqualTo("version 2.1, seed.sql");
        assertThat(read().after().contents().describe()).isEqualTo("version 2.1, seed.sql, version 10");
        assertThat(read().isPriced()).isTrue();
        yaml("title: Orders\nsides: {migrations: ../db, before: 1, after: 3}\n" + EXPECT);
        isRefused("sides.after is '3', and the versions are 1, 2.1, 10: write one of them");
        yaml("title: Orders\nsides: {migrations: ../db, before: 10, after: 1}\n" + EXPECT);
        isRefused("sides.after is version 1, which does not come after version 10 of before");
        yaml("title: Orders\nsides: {migrations: ../none, before: 1, after: 10}\n" + EXPECT);
        isRefused("sides.migrations names " + parent.resolve("none") + ", and there is no such folder");
        yaml("title: Orders\nsides: {migrations: ., before: 1, after: 10}\n" + EXPECT);
        isRefused("where no file has a name such as V1__orders.sql");
        Files.writeString(folder.resolve("changes.xml"), "<databaseChangeLog/>");
        isRefused("changes.xml, and only Flyway's migrations are run: let 'liquibase update-sql' write the SQL");
        yaml("title: Orders\nseed: movr\nsides: {migrations: ../db, before: 1, after: 10}\n" + EXPECT);
        isRefused("seed names a stage of MovR's schema, and sides names versions of yours: write seed.sql");
        write("after.sql", "SELECT 1");
        isRefused("sides names versions, and there is ");
        Files.delete(folder.resolve("after.sql"));
        Files.delete(folder.resolve("seed.sql"));
        yaml("title: Orders\nsides: {migrations: ../db, before: 1, after: 10}\n" + EXPECT);
        Experiment ofCopy = ExperimentFolder.read(folder, true, 1, () -> ANSWERS);
        assertThat(ofCopy.before().contents().describe()).isEqualTo("copy, version 1");
        assertThat(ofCopy.after().contents().describe()).isEqualTo("copy, version 10");
    }

    @Test
    void aFolderMayBeAParentAndNamesMustDiffer() throws IOException {
        assertThat(ExperimentFolders.read(List.of(parent), false, 0, Scale.TINY.spec(1))
                        .ids())
                .containsExactly("orders");
        assertThat(ExperimentFolders.read(List.of(folder), false, 0, Scale.TINY.spec(1))
                        .ids())
                .containsExactly("orders");
        assertThatThrownBy(() -> ExperimentFolders.read(List.of(folder, parent), false, 0, Scale.TINY.spec(1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is another experiment 'orders'");
        Path builtIn = Files.move(folder, parent.resolve("name-index"));
        assertThatThrownBy(() -> ExperimentFolders.read(List.of(builtIn), false, 0, Scale.TINY.spec(1)))
                .hasMessageContaining("There is another experiment 'name-index'");
        assertThatThrownBy(() -> ExperimentFolders.read(List.of(parent.resolve("none")), false, 0, Scale.TINY.spec(1)))
                .hasMessageContaining("There is no folder");
        Path empty = Files.createDirectories(parent.resolve("empty"));
        assertThatThrownBy(() -> ExperimentFolders.read(List.of(empty), false, 0, Scale.TINY.spec(1)))
                .hasMessageContaining("holds experiment.yaml");
    }

    @Test
    void aFolderWithScalesIsAnExperimentForEach() throws IOException {
        write("seed.sql", "CREATE TABLE orders (id INT); INSERT INTO orders SELECT generate_series(1, :scale * 3)");
        yaml("title: Orders\nscales: [10, 1, 100]\n" + EXPECT + "writes: [{name: a, statement: SELECT 1}]\n");
        List<Experiment> scales = ExperimentFolder.readEachScale(folder, false, Scale.TINY.spec(1));
        assertThat(scales).extracting(Experiment::id).containsExactly("orders@1", "orders@10", "orders@100");
        assertThat(scales.get(1).title()).isEqualTo("Orders, data × 10");
        assertThat(((Seeded) scales.get(1).before().contents().source())
                        .script()
                        .last()
                        .text())
                .isEqualTo("INSERT INTO orders SELECT generate_series(1, 10 * 3)");
        assertThat(scales).extracting(Experiment::isPriced).containsExactly(false, false, true);
        assertThat(scales.get(0).pricedWrites()).isEmpty();
        assertThat(scales.get(2).pricedWrites())
                .singleElement()
                .satisfies(write -> assertThat(write.experiment().id()).isEqualTo("orders@100.a"));

        ExperimentFolders folders = ExperimentFolders.read(List.of(parent), false, 0, Scale.TINY.spec(1));
        assertThat(folders.named(List.of("orders"))).isEqualTo(folders.ids());
        assertThat(folders.named(List.of("orders@10", "pk-lookup"))).containsExactly("orders@10", "pk-lookup");
        assertThatThrownBy(() -> ExperimentFolders.read(List.of(folder, folder), false, 0, Scale.TINY.spec(1)))
                .hasMessageContaining("There is another experiment 'orders'");

        // Without scales it runs once, on the rows of scale 1.
        yaml("title: Orders\n" + EXPECT);
        assertThat(((Seeded) read().before().contents().source())
                        .script()
                        .last()
                        .text())
                .endsWith("(1, 1 * 3)");
    }

    @Test
    void movrsRowsAndTheirAnswersAreMultiplied() throws Exception {
        Files.delete(folder.resolve("seed.sql"));
        write("parameters.csv", "id\n1\n");
        yaml("title: Orders\nseed: movr\nscales: [1, 3]\n" + EXPECT
                + "  answer: provider:count-of-riders-of-published-day\n");
        Experiment larger = ExperimentFolder.readEachScale(folder, false, Scale.TINY.spec(1))
                .get(1);
        assertThat(larger.before().contents().source()).isEqualTo(new Movr(Stage.FOREIGN_KEYS, 3));
        Answers answers = new Answers(Scale.TINY.spec(1).times(3));
        assertThat(larger.before()
                        .operation()
                        .complaint(GeneratedAnswers.rows("count-of-riders-of-published-day", answers), null))
                .isEmpty();
        ExperimentFolders folders = ExperimentFolders.read(List.of(folder), false, 0, Scale.TINY.spec(1));
        LabRequest request = new LabRequest(
                folders.ids(),
                "tiny",
                Scale.TINY.spec(1),
                1,
                null,
                parent,
                false,
                false,
                null,
                new Program("test", "test"),
                List.of(),
                folders);
        assertThat(request.totalRows()).isEqualTo(4 * Scale.TINY.spec(1).totalRows());
        yaml("title: Orders\nseed: movr\nscales: [1, 999999]\n" + EXPECT);
        assertThatThrownBy(() -> ExperimentFolder.readEachScale(folder, false, Scale.QUICK.spec(1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is out of range");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, ten] | scales has 'ten', which is no whole number",
                "[1, 2.5] | scales has '2.5', which is no whole number",
                "[1, 0] | scales has '0': write whole numbers from 1 to 999999, each once, such as [1, 10, 100]",
                "[1, 1] | scales has '1': write",
                "[1, -1] | scales has '-1': write",
                "[1, 1000000] | scales has '1000000': write"
            })
    void aWrongScaleIsReportedInOneLine(String scales, String message) throws IOException {
        write("seed.sql", "SELECT :scale");
        yaml("title: Orders\nscales: " + scales + "\n" + EXPECT);
        scalesAreRefused(message);
        Documented.assertRefuses(SCHEMA, json(folder.resolve("experiment.yaml")));
    }

    @Test
    void scalesNeedRowsThatCanBeMultiplied() throws IOException {
        yaml("title: Orders\nscales: [10]\n" + EXPECT);
        scalesAreRefused("experiment.yaml: scales shows no growth with fewer than two numbers");
        yaml("title: Orders\nscales: [1, 10]\n" + EXPECT);
        Documented.assertDescribes(SCHEMA, json(folder.resolve("experiment.yaml")));
        scalesAreRefused("seed.sql has no :scale, which scales in experiment.yaml sets");
        Files.delete(folder.resolve("seed.sql"));
        scalesAreRefused("experiment.yaml: scales multiplies rows that are made, and the rows of a copied database");
        write("seed.sql", "SELECT :scale");
        write("after.sql", "CREATE INDEX i ON orders (:scale)");
        scalesAreRefused("after.sql has the parameter :scale");
    }

    private void scalesAreRefused(String message) {
        isRefused(() -> ExperimentFolder.readEachScale(folder, true, Scale.TINY.spec(1)), message);
    }

    @Test
    void bothSidesOfABlockDrawTheSameParameters() throws Exception {
        Experiment experiment = read();
        for (int block = 0; block < 3; block++) {
            Operation before = experiment.before().operation().inBlock(block);
            Operation after = experiment.after().operation().inBlock(block);
            assertThat(before.steps().get(0).parameters())
                    .isEqualTo(after.steps().get(0).parameters());
        }
    }

    @Test
    void theSamplesAndTheBuiltInOnesAreAsTheSchemaSays() throws IOException {
        ExperimentFolders samples = ExperimentFolders.read(List.of(SAMPLES), false, 0, Scale.TINY.spec(1));
        assertThat(samples.ids()).contains("orders-by-customer", "users-by-name");
        for (String id : samples.ids()) {
            Path sample = SAMPLES.resolve(id.replaceFirst("@.*", ""));
            Documented.assertDescribes(SCHEMA, json(sample.resolve("experiment.yaml")));
        }
        for (String id : BuiltInExperiments.ofOneRegion()) {
            Documented.assertDescribes(
                    SCHEMA, json(Path.of("src/main/resources/io/movr/lab/experiments", id, "experiment.yaml")));
        }
    }

    @Test
    void theSchemaKnowsTheKeysThatAreReadAndNoOthers() throws IOException {
        assertThat(JsonMapper.shared()
                        .readTree(Path.of("..", "docs", SCHEMA))
                        .path("properties")
                        .propertyNames())
                .containsExactlyInAnyOrderElementsOf(keys(ExperimentYaml.class));
        assertThat(JsonMapper.shared()
                        .readTree(Path.of("..", "docs", SCHEMA))
                        .at("/properties/writes/items/properties")
                        .propertyNames())
                .containsExactlyInAnyOrderElementsOf(keys(ExperimentYaml.Write.class));
        assertThat(JsonMapper.shared()
                        .readTree(Path.of("..", "docs", SCHEMA))
                        .at("/properties/sides/properties")
                        .propertyNames())
                .containsExactlyInAnyOrderElementsOf(keys(ExperimentYaml.Versions.class));
        for (String wrong : List.of(
                "titel: a",
                "title: a\nspeed: 1",
                "title: a\nseed: mover",
                "title: a\nseed: {before: movr}",
                "title: a\npublished: [{ratio: 0, source: b}]",
                "title: a\nwrites: [{name: b}]",
                "title: a\nwrites: [{name: b, statement: SELECT 1, max-slowdown: some}]")) {
            yaml(wrong + "\n" + EXPECT);
            Documented.assertRefuses(SCHEMA, json(folder.resolve("experiment.yaml")));
        }
        yaml("title: a\nexpect: {plan: {before: fast, after: any plan}}\n");
        Documented.assertRefuses(SCHEMA, json(folder.resolve("experiment.yaml")));
    }

    private static List<String> keys(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> component.getName().equals("maxSlowdown") ? "max-slowdown" : component.getName())
                .toList();
    }

    @Test
    void sizesAreReadAndWritten() {
        assertThat(ByteSize.parse("--max-copy", "20GB")).isEqualTo(20L << 30);
        assertThat(ByteSize.parse("--max-copy", "1 kb")).isEqualTo(1024);
        assertThat(ByteSize.text(20L << 30)).isEqualTo("20GB");
        assertThat(ByteSize.text(8_000_000)).isEqualTo("7.6MB");
        assertThat(ByteSize.text(1)).isEqualTo("0.0kB");
        assertThatThrownBy(() -> ByteSize.parse("--max-copy", "much"))
                .isInstanceOf(UserError.class)
                .hasMessage("--max-copy much is no size: write a whole number and kB, MB, GB or TB");
    }

    private static String json(Path yaml) throws IOException {
        return YAMLMapper.shared().readTree(Files.readString(yaml)).toString();
    }

    private Experiment read() {
        return ExperimentFolder.read(folder, false, 1, () -> ANSWERS);
    }

    private void isRefused(String message) {
        isRefused(this::read, message);
    }

    private void isRefused(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading)
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(folder.toString())
                .hasLineCount(1);
    }

    private void yaml(String text) {
        try {
            write("experiment.yaml", text);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }
}
