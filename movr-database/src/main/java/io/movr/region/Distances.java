package io.movr.region;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The round-trip times between regions.
 *
 * @param roundTrips between two regions
 * @param otherwise between two that are not listed
 */
public record Distances(Map<Set<Region>, Duration> roundTrips, Duration otherwise) {

    private static final Duration LONGEST = Duration.ofSeconds(10);

    public Distances {
        roundTrips = Map.copyOf(roundTrips);
    }

    /**
     * Returns the times that {@code cockroach demo --global} simulates. For us-west2 they follow from the published samples of
     * the tuning tutorial: a remote read minus a local one. Any other two regions have 100 ms.
     */
    public static Distances standard() {
        Region east = new Region("us-east1");
        Region west = new Region("us-west1");
        Region europe = new Region("europe-west1");
        Map<Set<Region>, Duration> roundTrips = new HashMap<>();
        roundTrips.put(Set.of(east, west), Duration.ofMillis(66));
        roundTrips.put(Set.of(east, europe), Duration.ofMillis(64));
        roundTrips.put(Set.of(west, europe), Duration.ofMillis(146));
        Region south = new Region("us-west2");
        roundTrips.put(Set.of(east, south), Duration.ofMillis(65));
        roundTrips.put(Set.of(west, south), Duration.ofMillis(28));
        return new Distances(roundTrips, Duration.ofMillis(100));
    }

    /** Returns the same but for one pair of regions. */
    public Distances with(Region one, Region other, Duration roundTrip) {
        if (one.equals(other)) {
            throw new IllegalArgumentException(one + " is given twice: name two regions");
        }
        if (roundTrip.isNegative() || roundTrip.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A round trip takes 0 to " + LONGEST.toMillis() + " ms");
        }
        Map<Set<Region>, Duration> changed = new HashMap<>(roundTrips);
        changed.put(Set.of(one, other), roundTrip);
        return new Distances(changed, otherwise);
    }

    /** Returns the round-trip time between two regions; zero within one. */
    public Duration roundTrip(Region one, Region other) {
        return one.equals(other) ? Duration.ZERO : roundTrips.getOrDefault(Set.of(one, other), otherwise);
    }
}
