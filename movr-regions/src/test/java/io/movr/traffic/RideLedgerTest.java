package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.traffic.SteadyTraffic.StartedRide;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares requests to start rides with rows. */
class RideLedgerTest {

    private static final UUID RIDER = UUID.randomUUID();
    private static final UUID VEHICLE = UUID.randomUUID();
    private static final Instant SENT = Instant.parse("2030-01-01T10:00:00Z");

    private final List<StartedRide> requested = new ArrayList<>();
    private final List<RideLedger.Row> rows = new ArrayList<>();

    private UUID request(int second, @Nullable UUID ride) {
        Instant sent = SENT.plusSeconds(second);
        requested.add(new StartedRide(RIDER, VEHICLE, ride, sent, sent.plusMillis(200)));
        return ride == null ? UUID.randomUUID() : ride;
    }

    private void row(UUID ride, UUID rider, double second) {
        rows.add(new RideLedger.Row(
                ride,
                rider,
                VEHICLE,
                LocalDateTime.ofInstant(SENT, ZoneOffset.UTC).plusNanos((long) (second * 1e9))));
    }

    private RideLedger count() {
        return RideLedger.of(requested, rows);
    }

    @Test
    void oneRideForEachRequestIsRight() {
        for (int second = 0; second < 3; second++) {
            row(request(second, UUID.randomUUID()), RIDER, second + 0.1);
        }
        assertThat(count()).isEqualTo(new RideLedger(3, 3, 0));
    }

    @Test
    void aSecondRideOfTheSameRequestIsADuplicate() {
        row(request(0, UUID.randomUUID()), RIDER, 0.1);
        row(UUID.randomUUID(), RIDER, 0.15);
        assertThat(count()).isEqualTo(new RideLedger(1, 1, 1));
    }

    @Test
    void ridesOfOtherRidersOrTimesAreNoDuplicates() {
        row(request(0, UUID.randomUUID()), RIDER, 0.1);
        row(UUID.randomUUID(), UUID.randomUUID(), 0.1);
        row(UUID.randomUUID(), RIDER, -5);
        row(UUID.randomUUID(), RIDER, 5);
        assertThat(count()).isEqualTo(new RideLedger(1, 1, 0));
    }

    @Test
    void aRequestWithoutAnAnswerMayHaveMadeOneRideAndNotTwo() {
        row(request(0, null), RIDER, 0.1);
        assertThat(count()).isEqualTo(new RideLedger(0, 0, 0));
        row(UUID.randomUUID(), RIDER, 0.1);
        assertThat(count()).isEqualTo(new RideLedger(0, 0, 1));
    }

    @Test
    void aMissingRideIsLost() {
        request(0, UUID.randomUUID());
        assertThat(count()).isEqualTo(new RideLedger(1, 0, 0));
    }

    @Test
    void aRideOnTwoServersIsADuplicate() {
        UUID ride = request(0, UUID.randomUUID());
        row(ride, RIDER, 0.1);
        row(ride, RIDER, 0.1);
        assertThat(count()).isEqualTo(new RideLedger(1, 1, 1));
    }
}
