package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.report.render.TextRenderer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class TrafficReportTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static JsonNode kept() throws IOException {
        try (InputStream file = new GZIPInputStream(Files.newInputStream(
                Documented.DOCS.resolve("results/2026-11-22-cockroachdb-outage-11.results.json.gz")))) {
            return JSON.readTree(file);
        }
    }

    @Test
    void aRegionThatWasKilledHasALineForEachPairOfRegions() throws Exception {
        JsonNode kept = kept();
        List<String> lines = TextRenderer.of(TrafficReport.of(JSON.treeToValue(kept, TrafficResults.class)))
                .lines()
                .dropWhile(line -> !line.equals(
                        "europe-west1 was killed at region-survival, and back after 69 s. Requests due meanwhile:"))
                .toList();
        assertThat(lines)
                .contains("  from us-east1 about us-east1: 383, not answered 0, longest stall 0.2 s")
                .filteredOn(line -> line.startsWith("  from "))
                .hasSize(9);
    }

    @Test
    void requestsThatWereNotAnsweredAgainHaveNoStall() throws Exception {
        JsonNode kept = kept();
        ((ObjectNode) ((ArrayNode) kept.path("outage").path("requests")).get(0)).putNull("stallSeconds");
        assertThat(TextRenderer.of(TrafficReport.of(JSON.treeToValue(kept, TrafficResults.class))))
                .contains("  from europe-west1 about europe-west1: 350, not answered 349, not answered again");
    }

    @Test
    void whetherRunsAlternatedIsSaid() throws Exception {
        JsonNode kept = kept();
        assertThat(TextRenderer.of(TrafficReport.of(JSON.treeToValue(kept, TrafficResults.class))))
                .contains("drift of the machine is not excluded")
                .doesNotContain("alternated");
        ((ObjectNode) kept.path("load")).put("order", "alternating");
        assertThat(TextRenderer.of(TrafficReport.of(JSON.treeToValue(kept, TrafficResults.class))))
                .contains("Runs before and after alternated; ratios are those of pairs of runs.")
                .doesNotContain("drift");
    }

    @Test
    void withoutAKilledRegionNothingIsSaidOfOne() throws Exception {
        JsonNode kept = kept();
        ((ObjectNode) kept).putNull("outage");
        assertThat(TextRenderer.of(TrafficReport.of(JSON.treeToValue(kept, TrafficResults.class))))
                .doesNotContain("killed");
    }
}
