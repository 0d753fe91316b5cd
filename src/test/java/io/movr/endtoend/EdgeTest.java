package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The study of the cache, small: its answers and rows are checked, its figures are not. */
class EdgeTest {

    private static final Set<String> PUBLISHED = Set.of(
            "edge-select-1",
            "edge-select-1-local",
            "edge-insert-5",
            "edge-ycsb-b",
            "edge-ycsb-b-local",
            "edge-ycsb-b-local-p50",
            "edge-ycsb-c",
            "edge-ycsb-c-local",
            "edge-tpcb-reconnect",
            "edge-tpcb-reconnect-local",
            "edge-tpcb",
            "edge-tpcb-local");

    @TempDir
    private Path folder;

    @Tag("full")
    @Test
    void everyPublishedFigureIsMeasuredAndEveryAnswerIsRight() throws Exception {
        Ended ended = new MovrProgram(folder)
                .run("edge", "--rtt", "10", "--pop-rtt", "2", "--scale", "tiny", "--out", "results");
        assertThat(ended.code()).as(ended.error() + ended.output()).isZero();
        assertThat(ended.output())
                .contains("It pays for: ", "No difference was shown for: ", "notification", "Report: ");

        Path bundle;
        try (Stream<Path> files = Files.list(folder.resolve("home/results"))) {
            bundle = files.findFirst().orElseThrow();
        }
        JsonNode results =
                JsonMapper.shared().readTree(bundle.resolve("results.json").toFile());
        Set<String> ids = new HashSet<>();
        for (JsonNode figure : results.path("figures")) {
            ids.add(figure.path("id").asString());
            // A round trip of 10 ms against none.
            if (figure.path("id").asString().equals("edge-select-1")) {
                assertThat(figure.path("different").asBoolean())
                        .as(figure.toString())
                        .isTrue();
            }
            assertThat(figure.path("published").size()).isEqualTo(1);
        }
        assertThat(ids).isEqualTo(PUBLISHED);
        assertThat(results.path("runs")).isNotEmpty();
        for (JsonNode run : results.path("runs")) {
            assertThat(run.path("operations").asLong()).isPositive();
            boolean reads = run.path("workload").asString().startsWith("ycsb")
                    && !run.path("way").asString().equals("direct");
            assertThat(run.path("hitRate").asDouble(0) > 0).isEqualTo(reads);
        }
        assertThat(results.path("staleness")).isNotEmpty();
        for (JsonNode mode : results.path("staleness")) {
            assertThat(mode.path("reads").asLong()).isPositive();
            if (List.of("direct", "written-through").contains(mode.path("mode").asString())) {
                assertThat(mode.path("stale").asLong()).isZero();
            }
        }
        assertThat(ReportInBrowserTest.opened(bundle.resolve("report.html"), folder))
                .contains("<svg", "edge-ycsb-c-local", "written-through");
    }

    @Test
    void tablesNotifyOfTheirWritesOnDemand() throws Exception {
        MovrProgram movr = new MovrProgram(folder);
        assertThat(movr.run("migrate", "--stage", "baseline", "--cache-triggers", "on")
                        .output())
                .contains("At stage baseline", " tables notify of their writes.")
                .doesNotContain("0 tables");
        assertThat(movr.run("migrate", "--cache-triggers", "off").output()).contains("No table notifies");
    }

    @Test
    void distancesThatMakeNoSenseAreRefused() throws Exception {
        Ended ended = new MovrProgram(folder).run("edge", "--rtt", "10", "--pop-rtt", "20");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error())
                .contains("--pop-rtt is out of range: at least 0, and less than --rtt")
                .doesNotContain("\tat ");
    }
}
