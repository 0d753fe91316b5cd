package io.movr.traffic;

import io.movr.database.Engine;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Stage;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many round trips between regions the design says that a single statement takes, and how long these take.
 *
 * @param distances between the regions, nothing where they are not ours: from outside nobody can tell how far the gateways
 *     of a cluster are from each other
 */
record RoundTrips(Engine engine, RegionMap map, Optional<Distances> distances) {

    private static final double TOLERANCE = 0.15;
    private static final double TOLERANCE_MS = 6;

    /** Round trips between a gateway and the place where rows of a home are at a stage. */
    int count(Stage stage, RegionMatrix.Operation operation, Region gateway, Region home) {
        if (gateway.equals(place(stage, home))) {
            return 0;
        }
        boolean foreign = engine == Engine.POSTGRESQL && !stage.isBefore(Stage.GEO_PARTITIONED);
        return foreign ? operation.foreignRoundTrips() : 1;
    }

    /** What they take in milliseconds, empty where the distances are not known. */
    OptionalDouble expectedMs(Stage stage, RegionMatrix.Operation operation, Region gateway, Region home) {
        if (distances.isEmpty()) {
            return OptionalDouble.empty();
        }
        Distances known = distances.get();
        double reach = count(stage, operation, gateway, home) * milliseconds(known, gateway, place(stage, home));
        return OptionalDouble.of(reach + survival(known, stage, operation, home));
    }

    /** Whether a median is about what was expected: within 15%, or within 6 ms. */
    static boolean agrees(double medianMs, double expectedMs) {
        return Math.abs(medianMs - expectedMs) <= Math.max(TOLERANCE_MS, TOLERANCE * expectedMs);
    }

    private Region place(Stage stage, Region home) {
        return stage.isBefore(Stage.GEO_PARTITIONED) ? map.primary() : home;
    }

    /** Where a region may fail, a write also waits for the nearest other one. */
    private double survival(Distances known, Stage stage, RegionMatrix.Operation operation, Region home) {
        if (stage.isBefore(Stage.REGION_SURVIVAL) || !operation.writes()) {
            return 0;
        }
        return map.cities().keySet().stream()
                .filter(other -> !other.equals(home))
                .mapToDouble(other -> milliseconds(known, home, other))
                .min()
                .orElse(0);
    }

    private static double milliseconds(Distances known, Region one, Region other) {
        return known.roundTrip(one, other).toNanos() / 1e6;
    }
}
