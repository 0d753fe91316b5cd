package io.movr.traffic;

import io.movr.traffic.SteadyTraffic.StartedRide;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The comparison of the requested rides of a city with its rows in the database.
 *
 * <p>A request that was executed twice created two rides with different ids. They are found by rider, vehicle and a
 * start time during the request. A request without a response may have created one ride.
 *
 * @param acknowledged the number of rides whose start was acknowledged
 * @param found the number of acknowledged rides in the database
 * @param doubled the number of rides in addition to one for each request, and of further rows of the same ride on
 *     other servers
 */
record RideLedger(long acknowledged, long found, long doubled) {

    /** A ride in the database. */
    record Row(UUID id, UUID rider, UUID vehicle, LocalDateTime start) {}

    /** Returns the rides of the requested vehicles in a city from one table. */
    static List<Row> read(Connection connection, String table, String city, List<StartedRide> requested)
            throws SQLException {
        UUID[] vehicles =
                requested.stream().map(StartedRide::vehicle).distinct().toArray(UUID[]::new);
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id, rider_id, vehicle_id, start_time FROM "
                        + table + " WHERE city = ? AND vehicle_id = ANY (?) AND rider_id IS NOT NULL"
                        + " AND start_time IS NOT NULL")) {
            statement.setString(1, city);
            statement.setArray(2, connection.createArrayOf("uuid", vehicles));
            try (ResultSet ride = statement.executeQuery()) {
                while (ride.next()) {
                    rows.add(new Row(
                            ride.getObject(1, UUID.class),
                            ride.getObject(2, UUID.class),
                            ride.getObject(3, UUID.class),
                            ride.getObject(4, LocalDateTime.class)));
                }
            }
        }
        return rows;
    }

    /** Compares requests with the rows of all servers. */
    static RideLedger of(List<StartedRide> requested, List<Row> rows) {
        Map<UUID, Row> rides = new HashMap<>();
        rows.forEach(row -> rides.put(row.id(), row));
        long copies = (long) rows.size() - rides.size();

        Set<UUID> acknowledged = new HashSet<>();
        Map<List<UUID>, List<StartedRide>> byPair = new HashMap<>();
        Map<List<UUID>, Long> excess = new HashMap<>();
        for (StartedRide request : requested) {
            List<UUID> pair = List.of(request.rider(), request.vehicle());
            byPair.computeIfAbsent(pair, same -> new ArrayList<>()).add(request);
            if (request.ride() == null) {
                // The request may have created a ride, also after its time limit.
                excess.merge(pair, -1L, Long::sum);
            } else {
                acknowledged.add(request.ride());
            }
        }
        for (Row row : rides.values()) {
            List<UUID> pair = List.of(row.rider(), row.vehicle());
            if (!acknowledged.contains(row.id())
                    && byPair.getOrDefault(pair, List.of()).stream()
                            .anyMatch(request -> wasUnderWay(request, row.start()))) {
                excess.merge(pair, 1L, Long::sum);
            }
        }
        return new RideLedger(
                acknowledged.size(),
                acknowledged.stream().filter(rides::containsKey).count(),
                copies
                        + excess.values().stream()
                                .mapToLong(more -> Math.max(0, more))
                                .sum());
    }

    private static boolean wasUnderWay(StartedRide request, LocalDateTime at) {
        // The service writes UTC with microseconds, and uses the clock of this machine.
        return !at.isBefore(LocalDateTime.ofInstant(request.sent().minusMillis(1), ZoneOffset.UTC))
                && !at.isAfter(LocalDateTime.ofInstant(request.answered().plusMillis(1), ZoneOffset.UTC));
    }
}
