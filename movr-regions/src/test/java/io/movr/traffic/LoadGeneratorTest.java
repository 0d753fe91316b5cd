package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.SupervisedProcess;
import io.movr.traffic.LoadGenerator.Load;
import io.movr.traffic.LoadGenerator.RunOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class LoadGeneratorTest {

    private static final Load ASKED = new Load(30, 0, 0.05, Duration.ofSeconds(5), Duration.ofSeconds(20), 1);

    @TempDir
    private Path folder;

    private static RunOutput output(String summary, int code) {
        return new RunOutput(List.of(), new JsonMapper().readTree(summary), code, 0.02, 0L, null);
    }

    private static String summary(long lastedMs, int arrivals, boolean bottleneck) {
        return "{\"steady_started\": 1000, \"steady_ended\": " + (1_000 + lastedMs) + ", \"arrivals\": " + arrivals
                + ", \"arrivals_planned\": 750, \"bottleneck\": " + bottleneck + ", \"reason\": \"it was late\"}";
    }

    private LoadGenerator.ActiveRun started(String script) throws IOException, InterruptedException {
        return started(process(script));
    }

    private LoadGenerator.ActiveRun started(SupervisedProcess process) throws InterruptedException {
        return new LoadGenerator.ActiveRun(process, folder, log(), List.of());
    }

    private SupervisedProcess process(String script) throws IOException {
        return ExternalProgram.of("sh", "-c", script).start(log());
    }

    private Path log() {
        return folder.resolve("load.log");
    }

    @Test
    void aCompleteRunHasNoWarnings() {
        assertThat(output(summary(20_000, 750, false), 0).warnings(ASKED)).isEmpty();
    }

    @Test
    void warningsNameWhatARunLacks() {
        assertThat(output(summary(12_000, 400, true), 2).warnings(ASKED))
                .containsExactly(
                        "it was late",
                        "an assertion on its run failed (exit code 2)",
                        "its steady part lasted 12.0 s instead of 20 s",
                        "only 400 of 750 riders arrived");
        assertThat(new RunOutput(List.of(), new JsonMapper().missingNode(), 0, null, null, null).warnings(ASKED))
                .containsExactly("it wrote no summary, so it is unknown whether it kept up");
    }

    @Test
    void theServicesRetriesAreTheSumOfTheirCounters() {
        assertThat(new ServiceProcess.Metrics("""
                # TYPE movr_transactions_retries_total counter
                movr_transactions_retries_total{cause="serialization",operation="start ride",region="us-west1"} 44.0
                movr_transactions_retries_total{cause="deadlock",operation="end ride",region="us-west1"} 1.0
                movr_transactions_seconds_count{operation="start ride",outcome="done",region="us-west1"} 44
                """).sum("movr_transactions_retries_total"))
                .isEqualTo(45);
        assertThat(new ServiceProcess.Metrics("").sum("movr_transactions_retries_total"))
                .isZero();
    }

    @Test
    void cpuStealIsAWarning() {
        String whole = summary(20_000, 750, false);
        assertThat(new RunOutput(List.of(), new JsonMapper().readTree(whole), 0, 0.31, 0L, null).warnings(ASKED))
                .containsExactly("CPU steal was 31%");
    }

    @Test
    void aRunThatIsStoppedEarlyMayBeShort() {
        assertThat(output(summary(12_000, 400, false), 0).warnings(null)).isEmpty();
        assertThat(output(summary(12_000, 400, true), 0).warnings(null)).containsExactly("it was late");
    }

    @Test
    void aCrashIsAnError() throws Exception {
        try (LoadGenerator.ActiveRun started = started("echo no more memory; exit 3")) {
            assertThatThrownBy(() -> started.await(Duration.ZERO, () -> {}))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("failed with exit code 3: no more memory");
        }
    }

    @Test
    void aRunWithAFailedAssertionIsComplete() throws Exception {
        Files.writeString(folder.resolve("requests.csv"), """
                due_ms,region,operation,remote,phase,latency_us,service_us,outcome,city
                1000,us-east1,list_vehicles,false,steady,1500,1400,ok,boston
                """);
        Files.writeString(folder.resolve("summary.json"), summary(20_000, 750, false));
        try (LoadGenerator.ActiveRun started = started("exit 2")) {
            RunOutput output = started.await(Duration.ZERO, () -> {});
            assertThat(output.code()).isEqualTo(2);
            assertThat(output.measured().toMs()).isEqualTo(21_000);
            assertThat(output.measured().steady())
                    .containsExactly(new Request(1_000, "us-east1", "list_vehicles", false, true, 1.5, "ok", "boston"));
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void stoppingARunThatHasEndedIsAnError() throws Exception {
        SupervisedProcess process = process("echo it broke");
        try (LoadGenerator.ActiveRun started = started(process)) {
            while (process.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThatThrownBy(started::stop).hasMessageContaining("ended too early, with exit code 0: it broke");
        }
    }
}
