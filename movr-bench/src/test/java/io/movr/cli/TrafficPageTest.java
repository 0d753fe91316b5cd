package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.console.ProgressPage;
import io.movr.report.TrafficResults.Figure;
import io.movr.stats.Interval;
import io.movr.traffic.TrafficListener.Run;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TrafficPageTest {

    private static final Pattern ADDRESS = Pattern.compile("Progress: (\\S+)");

    @Test
    void runsAndTheRatiosOfTheirPairsAreShown() throws Exception {
        StringWriter said = new StringWriter();
        try (TrafficPage page = new TrafficPage(
                ProgressPage.PORT,
                new TrafficOptions().plan(),
                "./movr traffic --console",
                new Terminal(new PrintWriter(said)))) {
            Matcher address = ADDRESS.matcher(said.toString());
            assertThat(address.find()).isTrue();
            Run before = new Run("before", false, 1);
            Run after = new Run("after", false, 1);
            Run waiting = new Run("before", true, 1);
            page.planned(List.of(before, after, waiting));
            page.measured(before, 200, List::of);
            page.measured(after, 100, () -> List.of(figure("multi-region-p99", "ms")));
            JsonNode items = shown(address.group(1)).path("items");
            assertThat(items.valueStream().map(item -> item.path("id").asString()))
                    .containsExactly(
                            "multi-region-p99",
                            "arrivals, before, run 1",
                            "arrivals, after, run 1",
                            "waiting clients, before, run 1");
            assertThat(items.path(0).at("/ratio/number").asInt())
                    .as("pairs of runs")
                    .isEqualTo(1);
            assertThat(items.path(0).path("state").asString()).isEqualTo("measuring");
            assertThat(items.path(1).path("before").asDouble()).isEqualTo(200);
            assertThat(items.path(1).path("after").isNull()).isTrue();
            assertThat(items.path(2).path("after").asDouble()).isEqualTo(100);
            assertThat(items.path(3).path("state").asString()).isEqualTo("waiting");
            assertThat(items.path(3).path("unit").asString()).isEqualTo("requests/s");

            page.ended("results/x");
            assertThat(shown(address.group(1)).path("part").asDouble()).isEqualTo(1);
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
