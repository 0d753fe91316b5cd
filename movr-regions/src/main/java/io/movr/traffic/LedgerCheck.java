package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.environment.StatementTimeout;
import io.movr.region.Region;
import io.movr.schema.Placement.Range;
import io.movr.traffic.RideLedger.Row;
import io.movr.traffic.SteadyTraffic.StartedRide;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The comparison of the rides that the steady traffic has started with the rows in the database, for all cities. */
final class LedgerCheck {

    private final RunningRegions running;
    private final List<Range> ranges;

    /** @param ranges the placement of rows on several servers; empty if each gateway reads all rows */
    LedgerCheck(RunningRegions running, List<Range> ranges) {
        this.running = running;
        this.ranges = ranges;
    }

    /** Returns the sums of all cities. */
    RideLedger run(Consumer<String> progress) {
        long acknowledged = 0;
        long found = 0;
        long doubled = 0;
        for (Map.Entry<String, List<StartedRide>> city :
                running.traffic().started().entrySet()) {
            progress.accept("counting the rides of " + city.getKey());
            RideLedger ledger = RideLedger.of(city.getValue(), readRides(city.getKey(), city.getValue()));
            acknowledged += ledger.acknowledged();
            found += ledger.found();
            doubled += ledger.doubled();
        }
        return new RideLedger(acknowledged, found, doubled);
    }

    /** Returns the rides of a city from each server that stores some, or from the gateway of its home region. */
    private List<Row> readRides(String city, List<StartedRide> requested) {
        if (running.cluster().servers().isEmpty()) {
            Region home = running.map().regionOf(city).orElseThrow();
            return readRides(city, requested, home, running.cluster().gateways(), List.of("rides"));
        }
        List<Row> rows = new ArrayList<>();
        for (Region server : running.cluster().servers().keySet()) {
            List<String> tables = ranges.stream()
                    .filter(range ->
                            range.table().equals("rides") && server.name().equals(range.leaseholder()))
                    .map(Range::index)
                    .toList();
            rows.addAll(readRides(city, requested, server, running.cluster().servers(), tables));
        }
        return rows;
    }

    private static List<Row> readRides(
            String city,
            List<StartedRide> requested,
            Region region,
            Map<Region, Gateway> gateways,
            List<String> tables) {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = StatementTimeout.bounded(
                        Objects.requireNonNull(gateways.get(region)), StatementTimeout.LIMIT)
                .connect("movr-ledger")) {
            for (String table : tables) {
                rows.addAll(RideLedger.read(connection, table, city, requested));
            }
        } catch (SQLException failed) {
            throw new UserError(
                    "The rides of " + city + " cannot be counted in " + region + ": " + UserError.firstLine(failed),
                    failed);
        }
        return rows;
    }
}
