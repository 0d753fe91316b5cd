package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import io.movr.endtoend.RecordingServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The statements that commands send to CockroachDB, and their order, as they were when they last ran on a real cluster or, where
 * {@code docs/cockroachdb.md} says so, have changed since. Each file in {@code cockroachdb-statements} is what one command sends.
 * {@code -Dmovr.golden.write=true} writes the files anew: change one only if a cluster has run what is in it, or note in
 * {@code docs/cockroachdb.md} that none has.
 */
@Tag("full")
class CockroachStatementsTest {

    private static final Path FOLDER = MovrProgram.ROOT.resolve("src/test/resources/cockroachdb-statements");

    /** Flyway's own statements, which a new version of it may change, and those that are repeated until a time has passed. */
    private static final Pattern NOT_OURS = Pattern.compile("""
            "public"\\."flyway_schema_history"|^SELECT version\\(\\)|^SHOW search_path|^SELECT current_schema$|^select current_catalog
            |SHOW SESSION_USER|information_schema\\.(schemata|tables)|^SELECT 1$
            |WHERE status = 'running' AND job_type|FROM \\[SHOW CLUSTER STATEMENTS\\] WHERE application_name LIKE 'movr-""".replace("\n", ""));

    private static final Map<Pattern, String> VARIABLE = new LinkedHashMap<>();

    static {
        VARIABLE.put(Pattern.compile("movr_lab_[0-9a-f]{8}"), "movr_lab_00000000");
        VARIABLE.put(Pattern.compile("http://127\\.0\\.0\\.1:\\d+/[^/]+/"), "http://127.0.0.1:PORT/FOLDER/");
    }

    /** After a load, one table does not wait for another. */
    private static final Pattern AT_ONCE = Pattern.compile("^(ANALYZE|SELECT quote_ident\\(conname\\))");

    /** Which differ from one run of clients to the next. */
    private static final Pattern VALUES = Pattern.compile("'[^']*'|\\b\\d+\\b");

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "print|\"\"",
                "print-one-node-per-region|--nodes 3",
                "print-other-regions|--home 'us-east1=new york' --home us-west1=seattle --home 'asia-east1=tokyo,osaka'"
            })
    void printedStages(String file, String options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("migrate", "--engine", "cockroach", "--print", "--stage", "latest"));
        Pattern.compile("'([^']*)'|\\S+")
                .matcher(options)
                .results()
                .forEach(word -> command.add(word.group(1) == null ? word.group() : word.group(1)));
        Ended ended = movr.run(command, "");
        assertThat(ended.code()).as(ended.error()).isZero();
        assertSame(file, ended.output());
    }

    @Test
    void migration() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "migrate", 0, "migrate", "--stage", "latest", "--wait", "0");
        }
    }

    @Test
    void migrationAfterAFailure() throws Exception {
        AtomicBoolean waited = new AtomicBoolean();
        try (RecordingServer server = CockroachAnswers.cluster()
                .answering(
                        "SELECT raw_config_sql FROM \\[SHOW ZONE",
                        Answer.of("raw_config_sql", "lease_preferences = '[[+region=us-east1]]'"))
                .answering(
                        "status IN \\('pending', 'running', 'reverting'\\)",
                        found -> waited.getAndSet(true)
                                ? Answer.of("description fraction_completed")
                                : Answer.of("description fraction_completed", "adding a column\t0.5"))
                .answering("SHOW PARTITIONS FROM TABLE", Answer.of("one", "1"))
                .answering("SELECT 1 FROM pg_tables", Answer.of("one", "1"))) {
            sent(server, "migrate-after-a-failure", 0, "migrate", "--stage", "latest", "--wait", "0");
        }
    }

    @Test
    void placement() throws Exception {
        try (RecordingServer server = CockroachAnswers.placed()) {
            sent(server, "placement", 1, "regions", "status");
        }
    }

    @Test
    void load() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "load", 0, "load", "--scale", "tiny", "--connections", "1");
        }
    }

    @Test
    void loadOfALargeTable() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "load-large", 0, "load", "--scale", "tiny", "--rows", "rides=20000", "--connections", "1");
        }
    }

    @Test
    void loadThatReplacesRows() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "load-replacing", 0, "load", "--replace", "--scale", "tiny", "--connections", "1");
        }
    }

    @Test
    void statisticsOfStatements() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "statistics", 1, "experiment", "top");
        }
    }

    @Test
    void statisticsOfStatementsFrom26_3() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()
                .answering("FROM crdb_internal.statement_statistics LIMIT 0", Answer.of("query database"))) {
            sent(server, "statistics-26.3", 1, "experiment", "top");
        }
    }

    @Test
    void copiesOfADatabase() throws Exception {
        Path experiment = Files.createDirectories(folder.resolve("an-index"));
        Files.writeString(experiment.resolve("experiment.yaml"), """
                title: an index
                expect:
                  plan: {before: any plan, after: any plan}
                """);
        Files.writeString(experiment.resolve("statement.sql"), "SELECT * FROM orders WHERE customer_id = 7");
        Files.writeString(experiment.resolve("after.sql"), "CREATE INDEX ON orders (customer_id)");
        try (RecordingServer server = CockroachAnswers.withOrders()) {
            sent(server, "copies", 0, "experiment", "run", experiment.toString());
        }
    }

    @Test
    void histories() throws Exception {
        AtomicReference<String> level = new AtomicReference<>("serializable");
        try (RecordingServer server = CockroachAnswers.cluster()
                .answering("ISOLATION LEVEL (.*)", found -> {
                    level.set(found.group(1).toLowerCase(Locale.ROOT));
                    return null;
                })
                .answering("^SHOW transaction_isolation", found -> Answer.of("transaction_isolation", level.get()))) {
            sent(server, "histories", 1, "check", "--isolation", "all", "--duration", "1s", "--concurrency", "1");
        }
    }

    @Test
    void preflight() throws Exception {
        try (RecordingServer server = CockroachAnswers.cluster()) {
            sent(server, "preflight", 0, "doctor");
        }
    }

    private void sent(RecordingServer server, String file, int code, String... command) throws Exception {
        List<String> arguments = new ArrayList<>(Arrays.asList(command));
        arguments.add("--url");
        arguments.add(server.url("movr"));
        Ended ended = movr.run(arguments, "");
        assertThat(ended.code()).as(ended.output() + ended.error()).isEqualTo(code);
        List<String> statements = new ArrayList<>();
        for (String statement : server.statements()) {
            if (!NOT_OURS.matcher(statement).find()) {
                for (Map.Entry<Pattern, String> variable : VARIABLE.entrySet()) {
                    statement = variable.getKey().matcher(statement).replaceAll(variable.getValue());
                }
                statements.add(
                        file.equals("histories") ? VALUES.matcher(statement).replaceAll("…") : statement);
            }
        }
        if (!file.startsWith("migrate")) {
            statements = new ArrayList<>(new LinkedHashSet<>(statements));
        }
        if (file.startsWith("load")) {
            // The stages before it are those of a migration.
            int first = 0;
            while (!statements.get(first).contains("movr_loads")) {
                first++;
            }
            statements.subList(0, first).clear();
        }
        List<String> atOnce =
                statements.stream().filter(AT_ONCE.asPredicate()).sorted().toList();
        statements.removeAll(atOnce);
        assertSame(
                file,
                String.join(";\n\n", statements) + ";\n"
                        + (atOnce.isEmpty()
                                ? ""
                                : "\n-- At once, on several connections:\n\n" + String.join(";\n", atOnce) + ";\n"));
    }

    private static void assertSame(String file, String text) throws IOException {
        Path golden = FOLDER.resolve(file + ".sql");
        if (Boolean.getBoolean("movr.golden.write")) {
            Files.createDirectories(FOLDER);
            Files.writeString(golden, text);
        }
        assertThat(text).as(golden.toString()).isEqualTo(Files.readString(golden));
    }
}
