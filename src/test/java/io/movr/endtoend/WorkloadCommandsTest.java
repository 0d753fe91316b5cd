package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadCommandsTest {

    private static final String TICKS =
            "_elapsed___errors__ops/sec(inst)___ops/sec(cum)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)";
    private static final String TOTALS =
            "_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__";
    private static final Pattern METRICS = Pattern.compile("Metrics: (http://127.0.0.1:\\d+/metrics)");

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Test
    void ycsbPrintsWhatUsersOfCockroachWorkloadExpectAndLeavesABundle() throws Exception {
        Ended init = movr.run("run", "ycsb", "init", "--insert-count", "1000");
        assertThat(init.error()).contains("The rows are there.");
        assertThat(init.code()).isZero();

        Ended ended = movr.run(
                "run",
                "ycsb",
                "run",
                "--insert-count",
                "1000",
                "--workload",
                "B",
                "--concurrency",
                "2",
                "--duration",
                "3s",
                "--out",
                "results");
        assertThat(ended.code()).as(ended.error()).isZero();
        List<String> lines = ended.output().lines().toList();
        assertThat(lines).first().isEqualTo(TICKS);
        assertThat(lines).contains(TOTALS + "total", TOTALS + "result");
        assertThat(lines).anyMatch(line -> line.matches(" +[0-9.]+s +0 +[0-9.]+ +[0-9.]+( +[0-9.]+){4} read"));
        assertThat(lines).anyMatch(line -> line.matches(" +[0-9.]+s +0 +[0-9]+ +[0-9.]+( +[0-9.]+){5}  update"));
        assertThat(ended.error()).doesNotContain("Wrong rows", "Failed:");
        try (Stream<Path> files =
                Files.walk(movr.dataFolder().getParent().getParent().resolve("results"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            .toList())
                    .contains("results.json", "environment.json", "histograms.hlog", "report.html");
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run ycsb --workload A --insert-count 300 --max-ops 500",
                "run ycsb --workload D --insert-count 300 --max-ops 500",
                "run ycsb --workload E --insert-count 300 --max-ops 200 --max-rate 400",
                "run ycsb --workload F --insert-count 300 --max-ops 300 --read-modify-write-in-txn",
                "run tpcb --max-ops 200 --isolation-level serializable --retries 100",
                "run tpcb --max-ops 20 --connect",
                "run movr --scale tiny --max-ops 500",
                "run movr --scale tiny --mix python --max-ops 300 --read-only-percentage 0.5 --stage covering-index",
            })
    void everyWorkloadRunsAndItsRowsAreRightAfterwards(String words) throws Exception {
        Ended ended = movr.run(words.split(" ", -1));
        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.output()).contains(TOTALS + "result");
        assertThat(ended.error()).doesNotContain("Wrong rows", "Failed:");
    }

    @Test
    void figuresAreServedForPrometheusAndCtrlCPrintsTheTotals() throws Exception {
        Path output = folder.resolve("ycsb.txt");
        Process process = movr.startWriting(
                output, TICKS, "run", "ycsb", "--insert-count", "300", "--concurrency", "1", "--prometheus-port", "0");
        try {
            Matcher matcher = METRICS.matcher(movr.lastError());
            assertThat(matcher.find()).isTrue();
            String metrics = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(matcher.group(1))).build(), BodyHandlers.ofString())
                    .body();
            assertThat(metrics)
                    .contains("movr_workload_latency_seconds_count{workload=\"ycsb-b\",operation=\"read\"}")
                    .endsWith("# EOF\n");
        } finally {
            process.destroy();
            process.onExit().join();
        }
        assertThat(Files.readString(output)).contains(TOTALS + "result");
        assertThat(movr.servers()).isEmpty();
    }

    @Tag("full")
    @Test
    void aCalibrationJudgesEachLayerAndIsComparedWithAnother() throws Exception {
        Ended first = movr.run("calibrate", "--seconds", "2");
        assertThat(first.code()).as(first.error()).isZero();
        assertThat(first.output()).contains("read", "published", "network", "storage", "Report: ");
        String bundle = first.output()
                .substring(first.output().indexOf("Report: ") + 8)
                .strip()
                .replace("/report.html", "");
        Ended compared = movr.run("calibrate", "compare", bundle, bundle, "--out", "systems");
        assertThat(compared.code()).as(compared.error()).isZero();
        assertThat(compared.output()).contains("read, operations/s", "published laptop of 2018");
        assertThat(compared.error()).contains("Report: systems/comparison.html");
    }
}
