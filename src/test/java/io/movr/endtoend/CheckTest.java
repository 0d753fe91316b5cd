package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.LocalCockroach;
import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("full")
class CheckTest {

    /** Of more than two, PostgreSQL itself has let a G2-item pass once in a few hundred thousand transactions. */
    private static final String CLIENTS = "2";

    private static final String FINE = "no anomaly that serializable forbids";

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Test
    void aRunIsCheckedAndItsHistoryCanBeCheckedAgain() throws Exception {
        Ended ended = movr.run("check", "--duration", "3s", "--concurrency", CLIENTS, "--isolation", "all");
        assertThat(ended.code()).as(ended.error() + ended.output()).isZero();
        assertThat(ended.output())
                .contains("no anomaly that read-committed forbids", "no anomaly that snapshot forbids", FINE);
        Path results = results();
        JsonNode json = JsonMapper.shared().readTree(results.resolve("results.json"));
        assertThat(json.path("complete").asBoolean()).isTrue();
        assertThat(json.path("runs")).hasSize(3);
        Path history = results.resolve(json.path("runs").path(2).path("history").asString());
        assertThat(movr.run("check", "history", history.toString()).code()).isZero();
    }

    @Test
    void aBrokenClientIsFoundOutAndNamed() throws Exception {
        Ended ended = movr.run("check", "--duration", "5s", "--concurrency", CLIENTS, "--broken", "retry");
        assertThat(ended.code()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output()).contains("element twice", "FORBIDDEN", "It had what serializable forbids");
    }

    @Test
    void aServerLosesNothingByFiveFaults() throws Exception {
        underFaults("--fault", "kill,pause,cut,schema-change", "--seed", "2");
    }

    @Test
    void threeRegionsLoseNothingByFiveFaults() throws Exception {
        // The seed draws faults of the primary region, whose server has all lists.
        underFaults("--regions", "--fault", "kill,break,slow,cut", "--seed", "11");
    }

    @Test
    void aNodeOfCockroachLosesNothingByFiveFaults() throws Exception {
        assumeTrue(LocalCockroach.onPath().isPresent(), "there is no program 'cockroach' on the path");
        underFaults("--engine", "cockroach", "--fault", "kill,pause,cut,schema-change", "--seed", "2");
    }

    @Test
    void theServiceLosesNothingByFiveFaults() throws Exception {
        underFaults("--through", "service", "--fault", "kill-service,kill,pause,cut,break", "--seed", "2");
    }

    @Test
    void requestsThatAreSentAgainWithoutAKeyAreFoundOut() throws Exception {
        Ended ended = movr.run(
                "check", "--through", "service", "--duration", "10s", "--concurrency", CLIENTS, "--broken", "retry");
        assertThat(ended.code()).as(ended.error() + ended.output()).isEqualTo(1);
        assertThat(ended.output()).contains("FORBIDDEN", "It had what serializable forbids");
    }

    @Test
    void aRowThatBreaksARuleOfMovrIsFoundAtTheEnd() throws Exception {
        Ended ended = movr.run(
                "check", "--through", "service", "--duration", "3s", "--concurrency", CLIENTS, "--broken", "bypass");
        assertThat(ended.code()).as(ended.error() + ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .contains(FINE, "Broken: a vehicle is in_use exactly while it has a ride that has not ended (1 rows)");
    }

    private void underFaults(String... more) throws Exception {
        List<String> line =
                new ArrayList<>(List.of("check", "--duration", "5s", "--concurrency", CLIENTS, "--faults", "5"));
        line.addAll(List.of(more));
        Ended ended = movr.run(line, "");
        assertThat(ended.code()).as(ended.error() + ended.output()).isZero();
        assertThat(ended.output()).contains("  5 faults: ", FINE);
        JsonNode run = JsonMapper.shared()
                .readTree(results().resolve("results.json"))
                .path("runs")
                .path(0);
        assertThat(run.path("faults")).hasSize(5);
        assertThat(run.path("faults")
                        .valueStream()
                        .map(fault -> fault.path("kind").asString()))
                .as("the seed draws a fault that ends connections")
                .containsAnyOf("kill", "break", "kill-service");
        assertThat(run.path("failures").propertyNames())
                .as("the faults were felt")
                .containsAnyOf("no answer", "no connection");
        assertThat(run.path("incomplete").asString()).isEmpty();
        assertThat(run.path("appends").asLong()).isPositive();
        try (Stream<Path> left = Files.walk(folder.resolve("tmp"), 2)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("movr-cockroach-")))
                    .isEmpty();
        }
    }

    private Path results() throws IOException {
        try (DirectoryStream<Path> bundles = Files.newDirectoryStream(
                movr.dataFolder().getParent().getParent().resolve("results"))) {
            return bundles.iterator().next();
        }
    }
}
