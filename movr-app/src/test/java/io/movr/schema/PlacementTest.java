package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.schema.CockroachPlacement.Row;
import io.movr.schema.CockroachPlacement.Span;
import io.movr.schema.Placement.Range;
import io.movr.schema.Placement.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether rows are in their home regions, from the ranges of an index and the ranges where regions begin and end. */
class PlacementTest {

    private static Row row(long id, String region) {
        return new Row(
                id,
                "region=" + region + ",az=b",
                "{\"region=us-east1,az=b\",\"region=us-west1,az=a\",\"region=europe-west1,az=c\"}",
                1);
    }

    private static List<Range> ranges(String table, List<Row> rows, Span... spans) {
        return CockroachPlacement.ranges(table, table + "_pkey", rows, List.of(spans));
    }

    /** Of every table, so that only what is said of one may be missing. */
    private static Placement placement(List<Range> ofUsers) {
        List<Range> all = new ArrayList<>(ofUsers);
        RegionalStages.TABLES.stream()
                .filter(table -> !table.equals("users"))
                .forEach(table -> all.addAll(ranges(table, List.of(row(1, "us-east1")), new Span("us-east1", 1, 1))));
        return new Placement(all);
    }

    @Test
    void aPartitionThatSharesItsRangeWithTheGapBeforeItIsPlaced() {
        // As the primary region's is shown: its range begins at the end of europe's, and not with a key of its own.
        List<Range> users = ranges(
                "users",
                List.of(row(10, "us-west1"), row(11, "europe-west1"), row(12, "us-east1"), row(13, "us-west1")),
                new Span("us-east1", 12, 12),
                new Span("us-west1", 13, 13),
                new Span("europe-west1", 11, 11));
        assertThat(users).extracting(Range::home).containsExactly(null, "europe-west1", "us-east1", "us-west1");
        assertThat(placement(users).isSettled()).isTrue();
        assertThat(placement(users).missing()).isEmpty();
    }

    @Test
    void aRangeOfSeveralRegionsIsAtHomeInOneOfThemAtMost() {
        List<Range> users = ranges(
                "users",
                List.of(row(10, "us-east1")),
                new Span("us-east1", 10, 10),
                new Span("us-west1", 10, 10),
                new Span("asia-east1", 10, 10),
                new Span("europe-west1", 10, 10));
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
                List.of(row(10, "europe-west1"), row(11, "us-west1"), row(12, "europe-west1"), row(13, "us-west1")),
                new Span("europe-west1", 10, 12));
        assertThat(users).extracting(Range::home).containsExactly("europe-west1", "europe-west1", "europe-west1", null);
        assertThat(placement(users).missing()).containsExactly("users: 1 of 3 leaseholders not in europe-west1 yet");
    }

    @Test
    void citiesOfOneRegionInOneRangeAreOneRange() {
        List<Range> users = ranges(
                "users", List.of(row(10, "us-east1")), new Span("us-east1", 10, 10), new Span("us-east1", 10, 10));
        assertThat(users).hasSize(1).allMatch(Range::isAtHome);
    }

    @Test
    void aNodeWithoutRegionIsNobodysHome() {
        List<Range> users = ranges("users", List.of(new Row(10, null, "{}", 1)), new Span("us-east1", 10, 10));
        assertThat(users.get(0).leaseholder()).isNull();
        assertThat(placement(users).away()).hasSize(1);
    }

    @Test
    void whileATableIsNotPartitionedThePlacementIsNotSettled() {
        List<Range> users = ranges("users", List.of(row(10, "us-west1")));
        Placement placement = placement(users);
        assertThat(placement.away()).isEmpty();
        assertThat(placement.isSettled()).isFalse();
        assertThat(placement.missing()).containsExactly("users: not partitioned by region");
    }

    @Test
    void sharesCountLeaseholdersAndReplicasOfEachRegion() {
        Placement unpartitioned = new Placement(ranges("users", List.of(row(10, "us-west1"))));
        assertThat(unpartitioned.isPlaced()).isFalse();
        assertThat(unpartitioned.shares())
                .isEqualTo(Map.of(
                        "users@users_pkey",
                        Map.of(
                                "us-east1", new Share(0, 1, 0),
                                "us-west1", new Share(1, 1, 1),
                                "europe-west1", new Share(0, 1, 0))));
        Placement placed = new Placement(
                ranges("users", List.of(row(10, "us-west1"), row(11, "us-east1")), new Span("us-east1", 11, 11)));
        assertThat(placed.sharesOfTables().get("users").get("us-west1"))
                .as("ranges outside the partitions are not counted")
                .isEqualTo(new Share(0, 1, 0));
    }
}
