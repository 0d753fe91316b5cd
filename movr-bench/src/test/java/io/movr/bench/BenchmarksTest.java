package io.movr.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.EmbeddedPostgres;
import io.movr.dataset.LoadProgress;
import io.movr.schema.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark once on every stage; each checks its rows and its plans before it is measured. */
class BenchmarksTest {

    @TempDir
    private static Path plans;

    private static EmbeddedPostgres server;
    private static BenchmarkDatabases databases;

    @BeforeAll
    static void prepare() {
        server = EmbeddedPostgres.temporary();
        Set<Stage> all = EnumSet.copyOf(Stage.ofOneRegion());
        databases = new BenchmarkDatabases(server, "tiny", 2, all, all, new LoadProgress(), step -> {});
        databases.exportAddresses();
        System.setProperty(RepositoryCall.PLANS, plans.toString());
        System.setProperty("jmh.ignoreLock", "true");
    }

    @AfterAll
    static void end() {
        databases.close();
        server.close();
    }

    private static ChainedOptionsBuilder once() {
        return new OptionsBuilder()
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(0)
                .measurementIterations(1)
                .param("scale", "tiny")
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
    }

    @Test
    void everyBenchmarkAnswersRightAndByTheRightPlanOnEveryStage() throws Exception {
        Collection<RunResult> results =
                new Runner(once().exclude("DriverSettings").build()).run();
        Set<String> run = new TreeSet<>();
        results.forEach(result -> run.add(
                result.getParams().getBenchmark() + " " + result.getParams().getParam("stage")));
        Set<String> expected = new TreeSet<>();
        Set<String> notes = new TreeSet<>();
        for (String benchmark : BenchmarkRun.benchmarks()) {
            if (!benchmark.contains("DriverSettings")) {
                for (Stage stage : Stage.ofOneRegion()) {
                    expected.add(benchmark + " " + stage);
                    notes.add(Benchmarks.classOf(benchmark).getSimpleName() + "-" + stage + ".txt");
                }
            }
        }
        assertThat(run).isEqualTo(expected).hasSizeGreaterThan(250);
        try (var files = Files.list(plans)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(notes);
        }
        assertThat(plans.resolve("UsersByName-name-index.txt")).content().contains("users_name_idx");
        assertThat(plans.resolve("UsersByName-baseline.txt")).content().contains("Seq Scan on users");
    }

    @Test
    void everyDriverSettingRuns() throws Exception {
        Collection<RunResult> results = new Runner(once().include("DriverSettings")
                        .param("stage", "foreign-keys")
                        .build())
                .run();
        assertThat(results).hasSize(5 * DriverSettings.settings().size());
    }

    @Test
    void severalThreadsWriteSideBySide() throws Exception {
        Collection<RunResult> results = new Runner(once().include("(StartRide|EndRide|ApplyPromoCode|InsertOneUser)\\.")
                        .param("stage", "foreign-keys")
                        .param("keys", "zipfian")
                        .threads(3)
                        .build())
                .run();
        assertThat(results).hasSize(9);
    }

    @Test
    void whatIsWrittenIsTakenBack() throws Exception {
        List<String> before = counts();
        new Runner(once().include("StartRide|EndRide|ApplyPromoCode|Insert|NewUserId|RenameUsers")
                        .param("stage", "join-index")
                        .build())
                .run();
        assertThat(counts()).isEqualTo(before);
    }

    private static List<String> counts() throws Exception {
        List<String> counts = new ArrayList<>();
        try (var connection = BenchmarkDatabases.prepared("tiny", Stage.JOIN_INDEX, true)
                        .connect();
                var statement = connection.createStatement()) {
            for (String sql : List.of(
                    "SELECT count(*) || ' ' || md5(string_agg(name, ',' ORDER BY id)) FROM users",
                    "SELECT count(*) || ' ' || md5(string_agg(status || coalesce(current_location, ''), ',' ORDER BY id))"
                            + " FROM vehicles",
                    "SELECT count(*)::text FROM rides",
                    "SELECT count(*) || ' ' || coalesce(sum(usage_count), 0) FROM user_promo_codes",
                    "SELECT count(*)::text FROM idempotency_keys")) {
                try (var answer = statement.executeQuery(sql)) {
                    answer.next();
                    counts.add(answer.getString(1));
                }
            }
        }
        return counts;
    }

    @Test
    void aBenchmarkWithoutAPreparedDatabaseSaysHowToRunIt() {
        assertThatThrownBy(() -> new Runner(once().include("UserById.repository")
                                .param("stage", "foreign-keys")
                                .param("scale", "tutorial")
                                .build())
                        .run())
                .isInstanceOf(RunnerException.class)
                .hasStackTraceContaining("No database was prepared for stage foreign-keys at scale tutorial");
    }

    @Test
    void theCallsOfThePresetsAreThere() {
        List<String> benchmarks = BenchmarkRun.benchmarks();
        for (Preset preset : Preset.values()) {
            assertThat(preset.jobs(benchmarks))
                    .isNotEmpty()
                    .allSatisfy(job -> assertThat(benchmarks).contains(job.benchmark()));
        }
    }
}
