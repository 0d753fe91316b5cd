package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.schema.CockroachPlacement.Row;
import io.movr.schema.CockroachPlacement.Span;
import io.movr.schema.Placement.Range;
import io.movr.schema.Placement.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whether rows are in their home regions, from the ranges of an index and the ranges where regions begin and end. */
class PlacementTest {

    /** A range of an index whose keys are one byte long. */
    private static Row row(int start, int end, String region) {
        return new Row(
                key(start),
                key(end),
                "region=" + region + ",az=b",
                "{\"region=us-east1,az=b\",\"region=us-west1,az=a\",\"region=europe-west1,az=c\"}",
                "region=us-east1,az=b region=us-west1,az=a",
                1);
    }

    private static String key(int... bytes) {
        return Arrays.stream(bytes).mapToObj("%02x"::formatted).collect(Collectors.joining());
    }

    /** A region whose rows' keys begin with a byte. */
    private static Span span(String home, int prefix) {
        return new Span(home, key(prefix, 0), key(prefix, 0xff));
    }

    private static List<Range> ranges(String table, List<Row> rows, Span... spans) {
        return CockroachPlacement.ranges(table, table + "_pkey", rows, List.of(spans));
    }

    /** Of every table, so that only what is said of one may be missing. */
    private static Placement placement(List<Range> ofUsers) {
        List<Range> all = new ArrayList<>(ofUsers);
        EngineStages.TABLES.stream()
                .filter(table -> !table.equals("users"))
                .forEach(table -> all.addAll(ranges(table, List.of(row(0, 255, "us-east1")), span("us-east1", 1))));
        return new Placement(all);
    }

    @Test
    void aPartitionThatSharesItsRangeWithTheGapBeforeItIsPlaced() {
        // As a real cluster lists them: the primary region's range begins at the end of europe's.
        List<Range> users = ranges(
                "users",
                List.of(
                        row(0x10, 0x40, "us-west1"),
                        row(0x40, 0x41, "europe-west1"),
                        row(0x41, 0xc0, "us-east1"),
                        row(0xc0, 0xc1, "us-west1"),
                        row(0xc1, 0xff, "us-east1")),
                span("us-east1", 0x80),
                span("us-west1", 0xc0),
                span("europe-west1", 0x40));
        assertThat(users).extracting(Range::home).containsExactly(null, "europe-west1", "us-east1", "us-west1", null);
        assertThat(placement(users).isSettled()).isTrue();
        assertThat(placement(users).missing()).isEmpty();
    }

    @Test
    void aRangeOfSeveralRegionsIsAtHomeInOneOfThemAtMost() {
        List<Range> users = ranges(
                "users",
                List.of(row(0x10, 0xff, "us-east1")),
                span("us-east1", 0x80),
                span("us-west1", 0xc0),
                span("asia-east1", 0x20),
                span("europe-west1", 0x40));
        Placement placement = placement(users);
        assertThat(placement.isPlaced()).isTrue();
        assertThat(placement.isSettled()).isFalse();
        assertThat(placement.missing())
                .containsExactly(
                        "users: 1 of 1 leaseholders not in asia-east1 yet",
                        "users: 1 of 1 leaseholders not in europe-west1 yet",
                        "users: 1 of 1 leaseholders not in us-west1 yet");
    }

    @Test
    void aPartitionThatWasSplitIsAtHomeInAllItsRanges() {
        List<Range> users = ranges(
                "users",
                List.of(
                        new Row(key(0x40), key(0x40, 0x30), "region=europe-west1", "", "", 1),
                        new Row(key(0x40, 0x30), key(0x40, 0x90), "region=us-west1", "", "", 1),
                        new Row(key(0x40, 0x90), key(0x41), "region=europe-west1", "", "", 1),
                        row(0x41, 0xff, "us-west1")),
                span("europe-west1", 0x40));
        assertThat(users).extracting(Range::home).containsExactly("europe-west1", "europe-west1", "europe-west1", null);
        assertThat(placement(users).missing()).containsExactly("users: 1 of 3 leaseholders not in europe-west1 yet");
    }

    @Test
    void citiesOfOneRegionInOneRangeAreOneRange() {
        List<Range> users =
                ranges("users", List.of(row(0, 255, "us-east1")), span("us-east1", 0x20), span("us-east1", 0x30));
        assertThat(users).hasSize(1).allMatch(Range::isInHomeRegion);
    }

    @Test
    void votersAreToldFromOtherReplicas() {
        Range range = ranges("users", List.of(row(0, 255, "us-east1")), span("us-east1", 1))
                .get(0);
        assertThat(range.replicas()).containsExactly("us-east1", "us-west1", "europe-west1");
        assertThat(range.voters()).containsExactly("us-east1", "us-west1");
    }

    @Test
    void aNodeWithoutRegionIsNobodysHome() {
        List<Range> users = ranges("users", List.of(new Row(key(0), key(255), null, "{}", "", 1)), span("us-east1", 1));
        assertThat(users.get(0).leaseholder()).isNull();
        assertThat(placement(users).away()).hasSize(1);
    }

    @Test
    void whileATableIsNotPartitionedThePlacementIsNotSettled() {
        List<Range> users = ranges("users", List.of(row(0x10, 0xff, "us-west1")));
        Placement placement = placement(users);
        assertThat(placement.away()).isEmpty();
        assertThat(placement.isSettled()).isFalse();
        assertThat(placement.missing()).containsExactly("users: not partitioned by region");
    }

    @Test
    void sharesCountLeaseholdersAndReplicasOfEachRegion() {
        Placement unpartitioned = new Placement(ranges("users", List.of(row(0x10, 0xff, "us-west1"))));
        assertThat(unpartitioned.isPlaced()).isFalse();
        assertThat(unpartitioned.shares())
                .isEqualTo(Map.of(
                        "users@users_pkey",
                        Map.of(
                                "us-east1", new Share(0, 1, 0),
                                "us-west1", new Share(1, 1, 1),
                                "europe-west1", new Share(0, 1, 0))));
        Placement placed = new Placement(ranges(
                "users", List.of(row(0x10, 0x40, "us-west1"), row(0x40, 0x41, "us-east1")), span("us-east1", 0x40)));
        assertThat(placed.sharesOfTables().get("users").get("us-west1"))
                .as("ranges outside the partitions are not counted")
                .isEqualTo(new Share(0, 1, 0));
    }
}
