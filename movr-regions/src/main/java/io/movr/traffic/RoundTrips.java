package io.movr.traffic;

import io.movr.database.Engine;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.schema.Placement;
import io.movr.schema.Placement.Range;
import io.movr.traffic.RegionMatrix.Operation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A prediction of the round trips between regions of a single statement, and of their time, from the placement of its
 * rows.
 *
 * @param placement the placement during the statements
 * @param distances the distances between the regions; empty if they are not simulated and therefore unknown
 */
record RoundTrips(Engine engine, Placement placement, Optional<Distances> distances) {

    private static final double TOLERANCE = 0.15;
    private static final double TOLERANCE_MS = 6;

    /**
     * Returns the number of round trips between a gateway and the leaseholder, or the server, of the rows of a home
     * region; empty if the leaseholders are in several regions.
     */
    OptionalInt count(Operation operation, Region gateway, Region home) {
        return leaseholder(operation, home)
                .map(region -> OptionalInt.of(region.equals(gateway) ? 0 : remote(operation, home)))
                .orElse(OptionalInt.empty());
    }

    private int remote(Operation operation, Region home) {
        if (engine.isMultiRegion()) {
            return operation.roundTrips();
        }
        // A server with all rows executes the statement itself; placed rows are accessed through postgres_fdw.
        return isPlaced(operation, home) ? operation.foreignRoundTrips() : 1;
    }

    /**
     * Returns the time of the round trips, and of the replication of a write, in milliseconds; empty if the distances
     * or the leaseholder are unknown.
     */
    OptionalDouble expectedMs(Operation operation, Region gateway, Region home) {
        Optional<Region> leaseholder = leaseholder(operation, home);
        if (distances.isEmpty() || leaseholder.isEmpty()) {
            return OptionalDouble.empty();
        }
        double reach = count(operation, gateway, home).orElse(0) * milliseconds(gateway, leaseholder.get());
        return OptionalDouble.of(reach + (operation.writes() ? replicationMs(operation, home, leaseholder.get()) : 0));
    }

    /** Returns whether a median agrees with the prediction within 15% or 6 ms. */
    static boolean agrees(double medianMs, double expectedMs) {
        return Math.abs(medianMs - expectedMs) <= Math.max(TOLERANCE_MS, TOLERANCE * expectedMs);
    }

    private boolean isPlaced(Operation operation, Region home) {
        return ranges(operation, home).stream().anyMatch(range -> range.home() != null);
    }

    /**
     * Returns the ranges with the rows of a home region: all ranges of the table if its rows are not placed by
     * region.
     */
    private List<Range> ranges(Operation operation, Region home) {
        List<Range> all = placement.ranges().stream()
                .filter(range -> range.table().equals(operation.table()))
                .toList();
        return all.stream().anyMatch(range -> range.home() != null)
                ? all.stream().filter(range -> home.name().equals(range.home())).toList()
                : all;
    }

    private Optional<Region> leaseholder(Operation operation, Region home) {
        List<Optional<String>> regions = ranges(operation, home).stream()
                .map(range -> Optional.ofNullable(range.leaseholder()))
                .distinct()
                .toList();
        return regions.size() == 1 ? regions.get(0).map(Region::new) : Optional.empty();
    }

    /**
     * Returns the time until a majority of voters has a write. The ranges of the indexes of a table are written
     * concurrently.
     */
    private double replicationMs(Operation operation, Region home, Region leaseholder) {
        return ranges(operation, home).stream()
                .mapToDouble(range -> range.voters().stream()
                        .mapToDouble(voter -> milliseconds(leaseholder, new Region(voter)))
                        .sorted()
                        .skip(range.voters().size() / 2)
                        .findFirst()
                        .orElse(0))
                .max()
                .orElse(0);
    }

    private double milliseconds(Region one, Region other) {
        return distances
                .map(known -> known.roundTrip(one, other).toNanos() / 1e6)
                .orElse(0.0);
    }
}
