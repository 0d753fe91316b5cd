package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Rows;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.Program;
import io.movr.published.PublishedFigures;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.LabReport;
import io.movr.report.LabResults;
import io.movr.report.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {

    private static final Path SCHEMA = Path.of("..", "docs", "results.schema.json");

    private static final Regions REGIONS = new Regions(
            RegionMap.tutorial(),
            () -> EmbeddedRegions.start(
                    List.copyOf(RegionMap.tutorial().cities().keySet()),
                    new Distances(Map.of(), Duration.ofMillis(15)),
                    null));

    private static EmbeddedPostgres server;

    @TempDir
    private Path out;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyExperimentOfOneRegionHasTheRightAnswersByTheRightPlans() {
        assertThat(lab(Lab.ofOneRegion()).tryOut(new LoadProgress())).isEmpty();
    }

    @Test
    void readsAndWritesAreMeasured() throws IOException {
        areMeasured(List.of("pk-lookup", "returning-id"));
    }

    @Test
    @Tag("full")
    void everyExperimentIsMeasured() throws IOException {
        areMeasured(BuiltInExperiments.ids());
    }

    private void areMeasured(List<String> ids) throws IOException {
        LabOutcome outcome =
                new Lab(server, request(ids, false), REGIONS, new SilentListener()).run(new LoadProgress());
        LabResults results = outcome.results();
        assertThat(results.experiments())
                .allSatisfy(experiment ->
                        assertThat(experiment.failure()).as(experiment.id()).isNull())
                .extracting(LabResults.Experiment::id)
                .containsExactlyElementsOf(ids);
        assertThat(results.complete()).isTrue();
        for (LabResults.Experiment experiment : results.experiments()) {
            assertThat(experiment.published())
                    .hasSameSizeAs(PublishedFigures.load().of(experiment.id()));
            for (LabResults.Side side : List.of(experiment.before(), experiment.control(), experiment.after())) {
                assertThat(side.samplesMs()).hasSize(36).allMatch(latency -> latency > 0);
                assertThat(side.plans())
                        .isNotEmpty()
                        .allSatisfy(plan -> assertThat(outcome.bundle().folder().resolve(plan.file()))
                                .isNotEmptyFile());
            }
            Path raw = outcome.bundle().folder().resolve("raw/" + experiment.id() + ".csv");
            assertThat(Files.readAllLines(raw)).hasSize(1 + 3 * 36);
        }
        assertThat(databasesLeft()).isEmpty();
        theBundleIsAsDocumented(outcome.bundle().folder());
        assertThat(TextRenderer.of(LabReport.of(results))).contains("pk-lookup", "returning-id", "weak evidence");
    }

    @Test
    void experimentsOfRegionsAreRefusedWhereThereAreNone() {
        assertThatThrownBy(
                        () -> new Lab(server, request(List.of("geo-read-new-york"), false), null, new SilentListener()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("need a database in each of several regions");
    }

    @Test
    void aWrongAnswerFailsItsExperimentAndIsShown() {
        Answers otherSeed = new Answers(Scale.TINY.spec(99));
        LabResults results = run(BuiltInExperiments.of(List.of("join-index", "name-index"), otherSeed));
        assertThat(results.complete()).isFalse();
        assertThat(results.experiments()).allSatisfy(experiment -> {
            assertThat(experiment.status()).isEqualTo("failed");
            assertThat(experiment.failure()).contains("Wrong answer before");
            assertThat(experiment.published()).isEmpty();
        });
        assertThat(TextRenderer.of(LabReport.of(results))).contains("FAILED").contains("Wrong answer before");
    }

    @Test
    void aWriteThatIsLostFailsItsExperiment() {
        Experiment bulk = experiment("bulk-insert");
        Operation lossy = new Operation() {
            @Override
            public List<Step> steps() {
                return bulk.after().operation().steps();
            }

            @Override
            public List<List<String>> run(Connection connection) {
                return List.of(List.of("100"));
            }

            @Override
            public java.util.Optional<String> complaint(List<List<String>> answer, Connection connection)
                    throws java.sql.SQLException {
                return bulk.after().operation().complaint(answer, connection);
            }
        };
        LabResults results = run(
                List.of(with(bulk, bulk.before(), new Side("lossy", bulk.after().stage(), lossy))));
        assertThat(results.experiments().get(0).failure()).contains("expected 100 new rows, found 0");
    }

    @Test
    void aWrongPlanFailsItsExperimentAndIsShown() {
        Experiment nameIndex = experiment("name-index");
        // The index was never made: both sides run on the stage before it.
        Experiment withoutIndex = with(
                nameIndex,
                nameIndex.before(),
                new Side("index", nameIndex.before().stage(), nameIndex.after().operation()));
        LabResults results = run(List.of(withoutIndex));
        assertThat(results.experiments().get(0).failure())
                .contains("Wrong plan after")
                .contains("expected index scan of users by users_name_idx")
                .contains("found full scan of users")
                .contains("Seq Scan on users");
    }

    @Test
    @Tag("full")
    void stagesThatWereSwappedFailEveryExperimentThatComparesStages() {
        for (String id : List.of("name-index", "covering-index", "join-index", "unused-index")) {
            Experiment experiment = experiment(id);
            Side before = experiment.before();
            Side after = experiment.after();
            LabResults results = run(List.of(with(
                    experiment,
                    new Side(before.label(), after.stage(), before.operation()),
                    new Side(after.label(), before.stage(), after.operation()))));
            assertThat(results.experiments().get(0).failure()).as(id).contains("Wrong plan");
        }
    }

    @Test
    void aServerThatIsNotDurableIsRefusedUnlessForced() throws Exception {
        alter("ALTER SYSTEM SET synchronous_commit = off");
        try {
            assertThatThrownBy(() -> lab(List.of("pk-lookup")).run(new LoadProgress()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("synchronous_commit")
                    .hasMessageContaining("--force");
            assertThat(databasesLeft()).isEmpty();
            LabResults forced = new Lab(server, request(List.of("pk-lookup"), true), null, new SilentListener())
                    .run(new LoadProgress())
                    .results();
            assertThat(forced.preflight())
                    .anySatisfy(check -> assertThat(check.status()).isEqualTo("problem"));
        } finally {
            alter("ALTER SYSTEM RESET synchronous_commit");
        }
    }

    @Test
    void theSameRunsAgainstAnyPostgresByItsAddress() {
        try (Cluster cluster = Cluster.at(server.gateway().url())) {
            LabResults results = new Lab(cluster, request(List.of("name-index"), false), null, new SilentListener())
                    .run(new LoadProgress())
                    .results();
            assertThat(results.complete()).isTrue();
            assertThat(results.environment().embedded()).isFalse();
        }
    }

    @Tag("full")
    @Test
    void mediansAreAlsoGivenInUnitsOfACalibration() throws IOException {
        LabRequest plain = request(List.of("pk-lookup"), false);
        assertThat(plain.unit()).isNull();
        LabRequest inUnits = new LabRequest(
                plain.experiments(),
                plain.scale(),
                plain.dataset(),
                plain.connections(),
                plain.samples(),
                plain.out(),
                plain.force(),
                plain.keepAwake(),
                LabResults.Unit.ofRead("a-calibration", 0.5),
                plain.program(),
                plain.command());
        LabOutcome outcome = new Lab(server, inUnits, null, new SilentListener()).run(new LoadProgress());
        LabResults.Experiment experiment = outcome.results().experiments().get(0);
        for (LabResults.Side side : List.of(experiment.before(), experiment.control(), experiment.after())) {
            assertThat(side.medianUnits()).isEqualTo(side.medianMs().estimate() / 0.5);
        }
        Path json = outcome.bundle().folder().resolve("results.json");
        assertThat(json)
                .content()
                .contains("\"medianUnits\"", "0.500 ms (YCSB B, one worker), from the calibration a-calibration.");
        isAsDocumented(json);
        LabOutcome without = new Lab(server, plain, null, new SilentListener()).run(new LoadProgress());
        assertThat(without.bundle().folder().resolve("results.json"))
                .content()
                .doesNotContain("medianUnits", "\"unit\" : {", "traffic");
    }

    @Test
    void badRequestsAreRefusedInOneLine() {
        assertThatThrownBy(() -> request(List.of("name-index", "nonsense"), false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no experiment 'nonsense'")
                .hasMessageContaining("covering-index")
                .hasMessageContaining("multi-region-qps, multi-region-p99");
        assertThatThrownBy(() -> new LabRequest(
                        List.of("name-index"),
                        "tiny",
                        Scale.TINY.spec(1),
                        1,
                        5,
                        out,
                        false,
                        false,
                        null,
                        new Program("test", "test"),
                        List.of()))
                .hasMessageContaining("at least 30");
    }

    private LabResults run(List<Experiment> experiments) {
        return lab(experiments.stream().map(Experiment::id).toList())
                .run(new LoadProgress(), experiments)
                .results();
    }

    private Lab lab(List<String> ids) {
        return new Lab(server, request(ids, false), REGIONS, new SilentListener());
    }

    private LabRequest request(List<String> ids, boolean force) {
        return new LabRequest(
                ids,
                "tiny",
                Scale.TINY.spec(1),
                2,
                30,
                out,
                force,
                false,
                null,
                new Program("test", "test"),
                List.of("./movr", "lab"));
    }

    private static Experiment experiment(String id) {
        return BuiltInExperiments.of(List.of(id), new Answers(Scale.TINY.spec(1)))
                .get(0);
    }

    private static Experiment with(Experiment experiment, Side before, Side after) {
        return new Experiment(
                experiment.id(), experiment.title(), experiment.lesson(), experiment.notes(), before, after);
    }

    private static void isAsDocumented(Path json) throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
        assertThat(schema.validate(Files.readString(json), InputFormat.JSON)).isEmpty();
    }

    private static void theBundleIsAsDocumented(Path bundle) throws IOException {
        isAsDocumented(bundle.resolve("results.json"));
        String page = Files.readString(bundle.resolve("report.html"));
        assertThat(page)
                .doesNotContain("/*DATA*/", "/*D3*/", "/*CSS*/", "/*JS*/", "{{")
                .contains("returning-id");
        assertThat(page.replaceAll("(?s)<script.*?</script>", ""))
                .as("nothing that a browser would fetch")
                .doesNotContain("http://", "https://", "src=");
        try (Stream<Path> files = Files.walk(bundle)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".part"));
        }
    }

    private static List<String> databasesLeft() {
        try (Connection connection = server.gateway().connect()) {
            return Rows.query(connection, "SELECT datname FROM pg_database WHERE datname LIKE 'movr_lab_%'", List.of())
                    .stream()
                    .map(row -> row.get(0))
                    .toList();
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void alter(String sql) throws Exception {
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            statement.execute("SELECT pg_reload_conf()");
        }
    }
}
