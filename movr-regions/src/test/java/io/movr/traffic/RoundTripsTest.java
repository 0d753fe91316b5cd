package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Engine;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.schema.Placement;
import io.movr.schema.Placement.Range;
import io.movr.traffic.RegionMatrix.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");
    private static final Region EUROPE = new Region("europe-west1");

    private static RoundTrips roundTrips(Engine engine, Range... ranges) {
        return new RoundTrips(engine, new Placement(List.of(ranges)), Optional.of(Distances.standard()));
    }

    /** A range of the table users. */
    private static Range range(@Nullable Region home, Region leaseholder, Region... voters) {
        return new Range(
                "users",
                "users_pkey",
                home == null ? null : home.name(),
                leaseholder.name(),
                List.of(),
                Arrays.stream(voters).map(Region::name).toList(),
                1);
    }

    @Test
    void beforeRowsArePlacedEverythingCrossesToTheServerOnce() {
        RoundTrips postgres = roundTrips(Engine.POSTGRESQL, range(null, EAST, EAST));
        for (Operation operation : List.of(Operation.USER_BY_KEY, Operation.RENAME_USER, Operation.NEW_USER)) {
            assertThat(postgres.count(operation, EAST, EUROPE)).hasValue(0);
            assertThat(postgres.count(operation, WEST, WEST)).hasValue(1);
            assertThat(postgres.expectedMs(operation, WEST, EUROPE)).hasValue(66);
        }
    }

    @Test
    void placedRowsAreReachedByPostgresFdwInSeveralRoundTrips() {
        RoundTrips postgres = roundTrips(
                Engine.POSTGRESQL, range(EAST, EAST, EAST), range(WEST, WEST, WEST), range(EUROPE, EUROPE, EUROPE));
        assertThat(postgres.count(Operation.USER_BY_KEY, WEST, WEST)).hasValue(0);
        assertThat(postgres.count(Operation.USER_BY_KEY, WEST, EUROPE)).hasValue(5);
        assertThat(postgres.expectedMs(Operation.USER_BY_KEY, WEST, EUROPE)).hasValue(730);
        assertThat(postgres.expectedMs(Operation.RENAME_USER, EAST, WEST)).hasValue(198);
    }

    @Test
    void onCockroachAReadTakesOneAndAnUpdateTwo() {
        RoundTrips cockroach =
                roundTrips(Engine.COCKROACHDB, range(EUROPE, EUROPE, EUROPE, EUROPE, EUROPE), range(null, WEST, WEST));
        assertThat(cockroach.expectedMs(Operation.USER_BY_KEY, WEST, EUROPE)).hasValue(146);
        assertThat(cockroach.expectedMs(Operation.NEW_USER, WEST, EUROPE)).hasValue(146);
        assertThat(cockroach.expectedMs(Operation.RENAME_USER, WEST, EUROPE)).hasValue(292);
        assertThat(cockroach.expectedMs(Operation.RENAME_USER, EUROPE, EUROPE)).hasValue(0);
    }

    @Test
    void aWriteAlsoWaitsForAMajorityOfVoters() {
        RoundTrips three = roundTrips(Engine.COCKROACHDB, range(null, WEST, EUROPE, WEST, EAST));
        assertThat(three.expectedMs(Operation.NEW_USER, EUROPE, EUROPE)).hasValue(146 + 66);
        assertThat(three.expectedMs(Operation.RENAME_USER, EUROPE, EUROPE)).hasValue(2 * 146 + 66);
        assertThat(three.expectedMs(Operation.USER_BY_KEY, EUROPE, EUROPE)).hasValue(146);
        RoundTrips five = roundTrips(Engine.COCKROACHDB, range(WEST, WEST, WEST, WEST, EAST, EAST, EUROPE));
        assertThat(five.expectedMs(Operation.NEW_USER, WEST, WEST)).hasValue(66);
    }

    @Test
    void leaseholdersInSeveralRegionsGiveNoPrediction() {
        RoundTrips unsettled = roundTrips(Engine.COCKROACHDB, range(WEST, WEST, WEST), range(WEST, EAST, EAST));
        assertThat(unsettled.count(Operation.USER_BY_KEY, WEST, WEST)).isEmpty();
        assertThat(unsettled.expectedMs(Operation.USER_BY_KEY, WEST, WEST)).isEmpty();
    }

    @Test
    void unknownDistancesGiveNoPredictionOfTime() {
        RoundTrips elsewhere = new RoundTrips(
                Engine.COCKROACHDB, new Placement(List.of(range(EUROPE, EUROPE, EUROPE))), Optional.empty());
        assertThat(elsewhere.count(Operation.USER_BY_KEY, WEST, EUROPE)).hasValue(1);
        assertThat(elsewhere.expectedMs(Operation.USER_BY_KEY, WEST, EUROPE)).isEmpty();
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
