package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.region.RegionMap;
import io.movr.schema.Placement.Range;
import io.movr.schema.Placement.Row;
import io.movr.schema.Placement.Share;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reads what a real cluster of nine nodes said of its ranges. */
class PlacementTest {

    @Test
    void aPartitionByCityIsAtHomeInTheCitysRegion() throws IOException {
        Placement placement = placement("V07.show-ranges-vehicles.tsv");
        assertThat(placement.isPlaced()).isTrue();
        List<Range> partitions = placement.ranges().stream()
                .filter(range -> range.home() != null)
                .toList();
        // Nine cities, in the primary key and in the secondary index.
        assertThat(partitions).hasSize(18);
        assertThat(partitions).allMatch(range -> range.bytes() > 0);
        assertThat(partitions)
                .filteredOn(range -> range.home().equals("europe-west1"))
                .hasSize(6)
                .allMatch(Range::isAtHome)
                .allMatch(range -> range.replicas().equals(List.of("europe-west1", "europe-west1", "europe-west1")));
        // It was asked while leases were still moving: some of los angeles were at work in the east.
        assertThat(placement.away()).isNotEmpty().allMatch(range -> "us-west1".equals(range.home()));
    }

    @Test
    void theBytesOfRegionsAreInAlphabeticalOrder() throws IOException {
        Placement placement = placement("V11.show-ranges-index-vehicles-pkey.tsv");
        assertThat(placement.ranges()).hasSize(7);
        assertThat(placement.ranges())
                .filteredOn(range -> range.home() != null)
                .extracting(Range::home)
                .containsExactly("europe-west1", "us-east1", "us-west1");
        assertThat(placement.away()).isEmpty();
        assertThat(placement.shares()).hasSize(1);
        Map<String, Share> shares = placement.shares().values().iterator().next();
        assertThat(shares).containsOnlyKeys("europe-west1", "us-east1", "us-west1");
        assertThat(shares.values()).extracting(Share::leaseholders).containsOnly(1L);
        assertThat(shares.values().stream().mapToLong(Share::replicas).sum()).isEqualTo(3 * 5);
        assertThat(placement.ranges()).allMatch(range -> range.replicas().size() == 5);
    }

    @Test
    void withoutPartitionsNothingIsAway() {
        Row whole = new Row("<before:/Table/106>", "region=us-west1,az=b", "{\"region=us-west1,az=b\"}", 1);
        Placement placement =
                new Placement(Placement.ranges("users", "users_pkey", List.of(whole), RegionMap.standard()));
        assertThat(placement.isPlaced()).isFalse();
        assertThat(placement.away()).isEmpty();
        assertThat(placement.shares()).isEqualTo(Map.of("users@users_pkey", Map.of("us-west1", new Share(1, 1, 1))));
    }

    @Test
    void aPartitionThatWasSplitIsAtHomeInAllItsRanges() {
        List<Row> rows = List.of(
                new Row("…/1/\"rome\"", "region=europe-west1,az=b", "", 1),
                new Row("…/1/\"rome\"/\"\\x80\\x12\"", "region=us-west1,az=b", "", 1),
                new Row("…/1/\"rome\"/PrefixEnd", "region=us-west1,az=b", "", 0));
        Placement placement = new Placement(Placement.ranges("users", "users_pkey", rows, RegionMap.standard()));
        assertThat(placement.ranges()).extracting(Range::home).containsExactly("europe-west1", "europe-west1", null);
        assertThat(placement.away()).hasSize(1);
    }

    private static Placement placement(String sample) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (var stream = PlacementTest.class.getResourceAsStream("/cockroachdb/" + sample)) {
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().skip(1).toList()) {
                List<String> cells = cells(line);
                rows.add(new Row(cells.get(0), cells.get(5), cells.get(7), Long.parseLong(cells.get(12))));
            }
        }
        return new Placement(Placement.ranges("vehicles", "vehicles_pkey", rows, RegionMap.standard()));
    }

    /** Cells as they are, or in quotation marks that are doubled inside. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        Matcher cell =
                Pattern.compile("(?:\"((?:[^\"]|\"\")*)\"|([^\\t]*))(?:\\t|$)").matcher(line);
        while (cell.find() && cells.size() < 13) {
            cells.add(cell.group(1) != null ? cell.group(1).replace("\"\"", "\"") : cell.group(2));
        }
        return cells;
    }
}
