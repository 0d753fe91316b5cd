package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code movr experiment}. */
class ExperimentsTest {

    private static final Path SAMPLES = MovrProgram.ROOT.resolve("docs/samples/experiments");

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Test
    void experimentsAreListedWithTheirTitles() throws Exception {
        Ended ended = movr.run("experiment", "list", SAMPLES.toString());
        assertThat(ended.code()).isZero();
        assertThat(ended.output())
                .containsPattern("(?m)^orders-by-customer +Orders of a customer: ")
                .containsPattern("(?m)^users-by-name +Users by name: ")
                .doesNotContain("name-index");
        assertThat(movr.run("experiment", "list").output())
                .startsWith("pk-lookup")
                .doesNotContain("orders-by-customer");
    }

    @Test
    void aFolderThatIsWrongIsSaidInOneLineBeforeAnythingIsStarted() throws Exception {
        Path own = copyOfSample();
        Files.writeString(own.resolve("experiment.yaml"), "titel: Orders\n");
        Ended ended = movr.run("experiment", "run", own.toString());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.complaint())
                .contains("experiment.yaml, line 1: there is no key 'titel'")
                .hasLineCount(1);
        assertThat(ended.output()).isEmpty();
    }

    @Test
    @Tag("full")
    void anExperimentIsMadeOfAQueryAndMeasured() throws Exception {
        Path own = folder.resolve("by-type");
        Ended made = movr.run(
                "experiment",
                "init",
                own.toString(),
                "--scale",
                "tiny",
                "--statement",
                "SELECT id FROM vehicles WHERE type = 'bike' AND status = 'available'");
        assertThat(made.code()).as(made.error()).isZero();
        assertThat(made.output())
                .contains(
                        "Wrote " + own.resolve("experiment.yaml"),
                        "Parameters: type, status",
                        "Proposed: CREATE INDEX");
        Ended measured =
                movr.run("experiment", "run", own.toString(), "--scale", "tiny", "--samples", "30", "--out", "r");
        assertThat(measured.output()).as(measured.error()).contains("by-type", "Report: ");
    }

    @Test
    @Tag("full")
    void samplesAreMeasuredOnAnEmbeddedDatabase() throws Exception {
        // OwnExperimentsTest tries all of them.
        Ended ended = movr.run(
                "experiment",
                "run",
                SAMPLES.toString(),
                "--only",
                "orders-by-customer,users-by-name",
                "--scale",
                "tiny",
                "--samples",
                "30",
                "--out",
                "r");
        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.output())
                .contains("users-by-name", "Report: ")
                .containsPattern("(?m)^orders-by-customer .* (faster|slower|no difference)$")
                .doesNotContain("pk-lookup");
    }

    @Test
    @Tag("full")
    void aWriteThatBecomesSlowerThanItMayFailsTheCommandAndAllIsReported() throws Exception {
        Path own = copyOfSample();
        Files.writeString(own.resolve("after.sql"), """
                CREATE INDEX orders_customer_idx ON orders (customer_id);
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
                CREATE TRIGGER slow BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION slow();
                """);
        Ended ended = movr.run("experiment", "run", own.toString(), "--samples", "30", "--out", "r");
        assertThat(ended.code()).as(ended.error()).isEqualTo(1);
        assertThat(ended.error())
                .containsPattern(
                        "(?m)^movr: orders-by-customer: the write new-order is .*% slower after than before, 95%"
                                + " interval of the slowdown \\[.*], and its max-slowdown allows 150%$");
        assertThat(ended.output())
                .containsPattern("(?m)^orders-by-customer .* (faster|no difference)$")
                .containsPattern("(?m)^size of orders +[0-9.]+MB +[0-9.]+MB$")
                .containsPattern("(?m)^delete from orders .* (faster|slower|no difference)$")
                .contains("Report: ");
    }

    @Test
    @Tag("full")
    void aDatabaseThatIsNamedIsCopiedAndStaysAsItIs() throws Exception {
        Path own = copyOfSample();
        String seed = Files.readString(own.resolve("seed.sql"));
        Files.delete(own.resolve("seed.sql"));
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Cluster shop = OtherDatabase.create(server, "shop")) {
            execute(shop.gateway(), seed);
            List<List<String>> was = everything(shop.gateway());
            Ended ended = lab(own, shop, "--samples", "30", "--out", "r");
            assertThat(ended.code()).as(ended.error() + ended.output()).isZero();
            assertThat(ended.output()).contains("orders-by-customer");
            assertThat(everything(shop.gateway())).isEqualTo(was);
            Ended tooLarge = lab(own, shop, "--max-copy", "1MB");
            assertThat(tooLarge.code()).isEqualTo(1);
            assertThat(tooLarge.error())
                    .contains(
                            "2 copies of public.customers, public.orders of the database shop would take",
                            "more than --max-copy 1MB");
            try (Connection other = shop.gateway().connect("reporting")) {
                assertThat(other.isValid(1)).isTrue();
                Ended inUse = lab(own, shop, "--samples", "30", "--out", "r");
                assertThat(inUse.code()).as(inUse.error() + inUse.output()).isZero();
                assertThat(inUse.error())
                        .contains(
                                "only the tables public.customers, public.orders of shop were copied",
                                "because others are connected to it");
            }
            assertThat(everything(shop.gateway())).isEqualTo(was);
            try (Connection connection = server.gateway().connect()) {
                assertThat(Rows.query(
                                connection,
                                "SELECT datname FROM pg_database WHERE datname LIKE 'movr_lab_%'",
                                List.of()))
                        .isEmpty();
            }
        }
    }

    private Ended lab(Path own, Cluster shop, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "experiment", "run", own.toString(), "--url", shop.gateway().url()));
        words.addAll(List.of(more));
        return movr.run(words, "");
    }

    private Path copyOfSample() throws IOException {
        Path own = Files.createDirectories(folder.resolve("orders-by-customer"));
        try (var files = Files.list(SAMPLES.resolve("orders-by-customer"))) {
            for (Path file : files.toList()) {
                Files.copy(file, own.resolve(file.getFileName()));
            }
        }
        return own;
    }

    /** The rows and the schema of a database, as text. */
    private static List<List<String>> everything(Gateway database) throws SQLException {
        try (Connection connection = database.connect()) {
            return Rows.query(connection, """
                    SELECT 'rows of orders', count(*) || ' ' || md5(string_agg(o::text, ',' ORDER BY id)) FROM orders o
                    UNION ALL
                    SELECT 'rows of customers', count(*) || ' ' || md5(string_agg(c::text, ',' ORDER BY id)) FROM customers c
                    UNION ALL
                    SELECT 'column', table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
                    FROM information_schema.columns WHERE table_schema = 'public'
                    UNION ALL
                    SELECT 'constraint', conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE connamespace = 'public'::regnamespace
                    UNION ALL
                    SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'
                    UNION ALL
                    SELECT 'relation', relname || ' ' || relkind::text || ' ' || relfilenode FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace
                    ORDER BY 1, 2""", List.of());
        }
    }

    private static void execute(Gateway database, String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            Rows.execute(connection, sql);
        }
    }
}
