package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Engine;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Stage;
import io.movr.traffic.RegionMatrix.Operation;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");
    private static final Region EUROPE = new Region("europe-west1");

    private static RoundTrips roundTrips(Engine engine) {
        return new RoundTrips(engine, RegionMap.standard(), Optional.of(Distances.standard()));
    }

    @Test
    void beforeRowsArePlacedEverythingCrossesToThePrimaryRegionOnce() {
        RoundTrips postgres = roundTrips(Engine.POSTGRESQL);
        for (Operation operation : Operation.values()) {
            Stage stage = Stage.UNUSED_INDEX_DROPPED;
            assertThat(postgres.count(stage, operation, EAST, EUROPE)).isZero();
            assertThat(postgres.count(stage, operation, WEST, WEST)).isEqualTo(1);
            assertThat(postgres.expectedMs(stage, operation, WEST, EUROPE)).hasValue(66);
        }
    }

    @Test
    void placedRowsAreReachedByPostgresFdwInSeveralRoundTrips() {
        RoundTrips postgres = roundTrips(Engine.POSTGRESQL);
        Stage stage = Stage.GEO_PARTITIONED;
        assertThat(postgres.count(stage, Operation.USER_BY_KEY, WEST, WEST)).isZero();
        assertThat(postgres.count(stage, Operation.USER_BY_KEY, WEST, EUROPE)).isEqualTo(5);
        assertThat(postgres.expectedMs(stage, Operation.USER_BY_KEY, WEST, EUROPE))
                .hasValue(730);
        assertThat(postgres.expectedMs(stage, Operation.RENAME_USER, EAST, WEST))
                .hasValue(198);
    }

    @Test
    void cockroachTakesOneAndAWriteThatSurvivesARegionWaitsForTheNextOne() {
        RoundTrips cockroach = roundTrips(Engine.COCKROACHDB);
        assertThat(cockroach.count(Stage.GEO_PARTITIONED, Operation.NEW_USER, WEST, EUROPE))
                .isEqualTo(1);
        assertThat(cockroach.expectedMs(Stage.REGION_SURVIVAL, Operation.NEW_USER, WEST, WEST))
                .hasValue(66);
        assertThat(cockroach.expectedMs(Stage.REGION_SURVIVAL, Operation.NEW_USER, WEST, EUROPE))
                .hasValue(146 + 64);
        assertThat(cockroach.expectedMs(Stage.REGION_SURVIVAL, Operation.USER_BY_KEY, WEST, WEST))
                .hasValue(0);
    }

    @Test
    void unknownDistancesGiveNoPrediction() {
        RoundTrips elsewhere = new RoundTrips(Engine.COCKROACHDB, RegionMap.standard(), Optional.empty());
        assertThat(elsewhere.count(Stage.GEO_PARTITIONED, Operation.USER_BY_KEY, WEST, EUROPE))
                .isEqualTo(1);
        assertThat(elsewhere.expectedMs(Stage.GEO_PARTITIONED, Operation.USER_BY_KEY, WEST, EUROPE))
                .isEmpty();
    }

    @Test
    void aMedianAgreesWithin15PercentOrSixMilliseconds() {
        assertThat(RoundTrips.agrees(5.9, 0)).isTrue();
        assertThat(RoundTrips.agrees(6.1, 0)).isFalse();
        assertThat(RoundTrips.agrees(114, 100)).isTrue();
        assertThat(RoundTrips.agrees(116, 100)).isFalse();
        assertThat(RoundTrips.agrees(84, 100)).isFalse();
    }
}
