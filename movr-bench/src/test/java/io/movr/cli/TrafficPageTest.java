package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.console.ProgressPage;
import io.movr.console.ProgressPage.Item;
import io.movr.report.TrafficResults.Figure;
import io.movr.stats.Interval;
import io.movr.traffic.TrafficListener.Run;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TrafficPageTest {

    @Test
    void runsAndTheRatiosOfTheirPairsAreShown() throws Exception {
        try (ProgressPage opened = ProgressPage.start(ProgressPage.PORT)) {
            Item earlier = new Item("name-index", "measured", 1, null, 2.0, 1.0, "ms", "");
            TrafficPage page = new TrafficPage(
                    opened,
                    List.of(earlier),
                    new TrafficOptions().plan(),
                    "./movr lab --with-traffic --console",
                    new Terminal(new PrintWriter(Writer.nullWriter())));
            Run before = new Run("before", false, 1);
            Run after = new Run("after", false, 1);
            Run waiting = new Run("before", true, 1);
            page.planned(List.of(before, after, waiting));
            page.measured(before, 200, List::of);
            assertThat(shown(opened.url()).path("leftSeconds").isNumber())
                    .as("nobody knows yet how long a run takes")
                    .isFalse();
            page.measured(after, 100, () -> List.of(figure("multi-region-p99", "ms")));
            assertThat(shown(opened.url()).path("leftSeconds").isNumber()).isTrue();
            JsonNode items = shown(opened.url()).path("items");
            assertThat(items.valueStream().map(item -> item.path("id").asString()))
                    .containsExactly(
                            "name-index",
                            "multi-region-p99",
                            "arrivals, before, run 1",
                            "arrivals, after, run 1",
                            "waiting clients, before, run 1");
            assertThat(items.path(1).at("/ratio/number").asInt())
                    .as("pairs of runs")
                    .isEqualTo(1);
            assertThat(items.path(1).path("state").asString()).isEqualTo("measuring");
            assertThat(items.path(2).path("before").asDouble()).isEqualTo(200);
            assertThat(items.path(2).path("after").isNull()).isTrue();
            assertThat(items.path(3).path("after").asDouble()).isEqualTo(100);
            assertThat(items.path(4).path("state").asString()).isEqualTo("waiting");
            assertThat(items.path(4).path("unit").asString()).isEqualTo("requests/s");

            opened.ended(Path.of("results/x"));
            JsonNode over = shown(opened.url());
            assertThat(over.path("part").asDouble()).isEqualTo(1);
            assertThat(over.path("doing").asString()).isEqualTo("Done: results/x");
            assertThat(over.path("items")).isEqualTo(items);
        }
    }

    private static Figure figure(String id, String unit) {
        return new Figure(
                id,
                "",
                "",
                unit,
                new Interval(200, 190, 210),
                new Interval(100, 90, 110),
                new Interval(2, 1.5, 2.5),
                null,
                null,
                false,
                List.of());
    }

    /** What a page that is opened now gets. */
    private static JsonNode shown(String address) throws Exception {
        try (Scanner lines =
                new Scanner(URI.create(address + "api/events").toURL().openStream(), StandardCharsets.UTF_8)) {
            String line = lines.nextLine();
            while (!line.startsWith("data:")) {
                line = lines.nextLine();
            }
            return JsonMapper.shared()
                    .readTree(line.substring("data:".length()))
                    .path("events")
                    .path(0)
                    .path("progress");
        }
    }
}
