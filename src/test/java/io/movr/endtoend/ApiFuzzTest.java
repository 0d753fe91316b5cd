package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Gateway;
import io.movr.dataset.Invariants;
import io.movr.endtoend.MovrProgram.Serving;
import io.movr.traffic.ServiceProcess.Metrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has schemathesis generate requests from the service's own description, valid ones and others, until the service has
 * answered as many as {@code -Dmovr.fuzz.requests} says.
 */
@Tag("full")
class ApiFuzzTest {

    private static final int REQUESTS = Integer.getInteger("movr.fuzz.requests", 2_000);
    /** Of so many requests schemathesis is run once, and of more several times, by two processes. */
    private static final int FEW = 2_500;

    private static final long LIMIT_MINUTES = 30;
    private static final int MOST_ROUNDS = 100;

    @TempDir
    private Path folder;

    @Test
    void noRequestFindsADefectAndNoRuleIsBroken() throws Exception {
        assumeTrue(isThere(), "schemathesis is not on the path: pip install schemathesis");
        MovrProgram movr = new MovrProgram(folder);
        int processes = REQUESTS <= FEW ? 1 : 2;
        int examples = REQUESTS <= FEW ? 60 : 300;
        try (Serving serving = movr.serve()) {
            long answered = 0;
            for (int round = 0; answered < REQUESTS; round++) {
                assertThat(round).as("rounds for %d requests", answered).isLessThan(MOST_ROUNDS);
                List<Fuzzing> fuzzing = new ArrayList<>();
                try {
                    for (int number = 0; number < processes; number++) {
                        fuzzing.add(start(serving, examples, 20_180_720 + round * processes + number));
                    }
                    for (Fuzzing one : fuzzing) {
                        one.end();
                    }
                } finally {
                    fuzzing.forEach(one -> one.process().destroyForcibly());
                }
                Metrics metrics = metrics(serving);
                answered = Math.round(metrics.sum("http_server_requests_seconds_count")
                        - metrics.sum("http_server_requests_seconds_count", "uri=\"/actuator/prometheus\"")
                        - metrics.sum("http_server_requests_seconds_count", "uri=\"/v3/api-docs\""));
                System.out.printf(
                        "%,d requests answered, %,.0f with 5xx%n",
                        answered, metrics.sum("http_server_requests_seconds_count", "outcome=\"SERVER_ERROR\""));
                assertThat(metrics.sum("http_server_requests_seconds_count", "outcome=\"SERVER_ERROR\""))
                        .isZero();
            }
            assertThat(Invariants.violations(new Gateway(serving.database()))).isEmpty();
        }
    }

    private record Fuzzing(Process process, Path report) {

        void end() throws IOException, InterruptedException {
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            assertThat(ended).as("schemathesis did not end").isTrue();
            assertThat(process.exitValue()).as(Files.readString(report)).isZero();
        }
    }

    private Fuzzing start(Serving serving, int examples, int seed) throws IOException {
        Path report = folder.resolve("schemathesis-" + seed + ".txt");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "schemathesis",
                        "run",
                        serving.root() + "/v3/api-docs",
                        "--checks=all",
                        // That a rider exists, or that a check digit is right, no schema can say.
                        "--exclude-checks=positive_data_acceptance",
                        "--max-examples=" + examples,
                        "--seed=" + seed,
                        "--no-color"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(report.toFile());
        builder.environment().put("SCHEMATHESIS_HOOKS", "movr_hooks");
        builder.environment()
                .put(
                        "PYTHONPATH",
                        MovrProgram.ROOT.resolve("src/test/resources").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return new Fuzzing(builder.start(), report);
    }

    private static Metrics metrics(Serving serving) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(serving.root() + "/actuator/prometheus"))
                .build();
        return new Metrics(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }

    private static boolean isThere() throws InterruptedException {
        try {
            return new ProcessBuilder("schemathesis", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
