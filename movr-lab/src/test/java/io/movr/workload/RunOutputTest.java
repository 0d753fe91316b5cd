package io.movr.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.report.Documented;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.WorkloadResults;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOutputTest {

    @TempDir
    private Path folder;

    private final OperationResult read = OperationResult.none("read");
    private final OperationResult update = OperationResult.none("update");

    @BeforeEach
    void record() {
        for (int sample = 1; sample <= 100; sample++) {
            read.responseNanos().recordValue(sample * 10_000L);
            read.serviceNanos().recordValue(sample * 1_000L);
        }
        update.responseNanos().recordValue(3_000_000);
        update.failures().put("40001 serialization failure", 2L);
        update.retries().put("40P01 deadlock", 5L);
    }

    private Tick tick() {
        return new Tick(1, 1, 2, 1.5, List.of(new Tick.Part(read, read), new Tick.Part(update, update)));
    }

    @Test
    void theHistogramLogHoldsEverySampleUnderItsOperation() throws Exception {
        Path file = folder.resolve("run.hlog");
        try (HistogramLog log = new HistogramLog(file)) {
            log.measuringBegins();
            log.tick(tick());
            log.lastTick(tick());
        }
        Map<String, Long> counts = new HashMap<>();
        try (HistogramLogReader reader = new HistogramLogReader(new File(file.toString()))) {
            while (reader.hasNext()) {
                if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
                    counts.merge(histogram.getTag(), histogram.getTotalCount(), Long::sum);
                }
            }
        }
        assertThat(counts).containsOnly(Map.entry("read", 200L), Map.entry("update", 2L));
    }

    @Test
    void aFolderThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> new HistogramLog(folder.resolve("none").resolve("run.hlog")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("name another file with --histograms");
    }

    @Test
    void metricsAreServedInTheOpenMetricsFormat() throws Exception {
        try (OpenMetrics metrics = new OpenMetrics("ycsb-a", 0)) {
            metrics.tick(tick());
            String text = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(metrics.address())).build(), BodyHandlers.ofString())
                    .body();
            assertThat(text)
                    .contains(
                            "# TYPE movr_workload_latency_seconds summary\n",
                            "movr_workload_latency_seconds_count{workload=\"ycsb-a\",operation=\"read\"} 100\n",
                            "movr_workload_failures_total{workload=\"ycsb-a\",operation=\"update\",cause=\"40001 serialization failure\"} 2\n",
                            "movr_workload_retries_total{workload=\"ycsb-a\",operation=\"update\",cause=\"40P01 deadlock\"} 5\n",
                            "movr_workload_lag_seconds{workload=\"ycsb-a\"} 0.001500\n")
                    .endsWith("# EOF\n");
        }
    }

    @Test
    void theBundleHoldsResponseAndServiceTimesFailuresAndThePage() throws Exception {
        ResultRecords records = new ResultRecords();
        records.tick(tick());
        RunResult result = new RunResult(
                "ycsb-a",
                RunPlan.of(1, Duration.ofSeconds(2)).withMaxRate(50),
                Instant.EPOCH,
                2,
                List.of(read, update),
                7,
                "update: it failed",
                false,
                new RunnerCost(0.1, 0.5, 1, 0));
        Environment environment = new Environment(
                "1",
                "c",
                "17",
                "Linux",
                "a processor",
                2,
                1,
                "PostgreSQL",
                "PostgreSQL 18",
                "jdbc:",
                true,
                0.02,
                Map.of());
        WorkloadResults results =
                records.results(result, List.of("./movr", "ycsb"), environment, Map.of("max-rate", "50"), List.of());
        assertThat(results.complete()).isFalse();
        assertThat(results.overdue()).isEqualTo(7);
        assertThat(results.operations().get(0).response().p50Ms()).isBetween(0.49, 0.51);
        assertThat(results.operations().get(0).service().p50Ms()).isBetween(0.049, 0.051);
        assertThat(results.operations().get(1).failures()).containsEntry("40001 serialization failure", 2L);
        assertThat(results.cost().bottleneck()).contains("50% of the workers' time");
        assertThat(results.timeline()).hasSize(2);

        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "ycsb-a");
        bundle.write(results);
        String written = Files.readString(bundle.folder().resolve("results.json"));
        assertThat(written).contains("\"kind\" : \"workload\"");
        Documented.assertDescribes(Documented.RESULTS, written);
        Documented.assertRefuses(Documented.RESULTS, written.replace("\"overdue\"", "\"late\""));
        assertThat(Files.readString(bundle.report()))
                .contains("MovR ycsb-a", "40001 serialization failure")
                .doesNotContain("http-equiv=\"refresh\"", "src=\"http");
    }
}
