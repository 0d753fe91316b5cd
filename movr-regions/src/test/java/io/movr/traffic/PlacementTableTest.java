package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.region.RegionMap;
import io.movr.schema.Placement;
import io.movr.schema.Placement.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTableTest {

    @Test
    void placementIsATableOfIndexAndRegion() {
        List<String> spread = List.of("us-east1", "us-west1", "us-west1");
        String table = PlacementTable.of(
                new Placement(List.of(
                        new Range("users", "users_pkey", "us-east1", "us-east1", spread, spread, 100),
                        new Range("users", "users_pkey", "us-west1", "us-central1", spread, spread, 100),
                        new Range("users", "users_pkey", null, "europe-west1", spread, spread, 0))),
                RegionMap.standard());
        assertThat(table.lines())
                .containsExactly(
                        "Leaseholders of partitions, and all their replicas, by region:",
                        "                     us-east1   us-west1  europe-west1  us-central1",
                        "  users@users_pkey  1,      2  0,      4     0,      0    1,      0",
                        "3 ranges, 1 of them outside their home region",
                        "  users@users_pkey: rows of us-west1, leaseholder in us-central1, replicas in us-east1, us-west1,"
                                + " us-west1");
    }
}
