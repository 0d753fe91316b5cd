package io.movr.bench;

import io.movr.database.plan.Access;
import io.movr.lab.Expectation;
import io.movr.rides.RideStart;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** A rider takes a vehicle, as one transaction of four statements: the whole of what the service does below HTTP. */
public class StartRide extends RidingCall {

    static final String TAKE =
            "UPDATE vehicles SET status = 'in_use' WHERE city = ? AND id = ? AND status = 'available'"
                    + " RETURNING coalesce(current_location, '')";
    static final String INSERT = "INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_address,"
            + " start_time) VALUES (?, ?, ?, ?, ?, ?, ?)";

    @Override
    public void begin() {
        nextRider();
    }

    @Benchmark
    public Object service() {
        return subject().rideService.start(null, new RideStart(rider().city(), rider().user(), rider().vehicle()));
    }

    @Benchmark
    public UUID plainJdbc() throws SQLException {
        return connected(connection -> {
            connection.setAutoCommit(false);
            try {
                UUID id = start(connection, rider());
                connection.commit();
                return id;
            } finally {
                connection.setAutoCommit(true);
            }
        });
    }

    private static UUID start(Connection connection, Rider rider) throws SQLException {
        try (var statement = connection.prepareStatement(REQUIRE_USER)) {
            statement.setString(1, rider.city());
            statement.setObject(2, rider.user());
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                if (!answer.getBoolean(1)) {
                    throw new IllegalStateException("No user " + rider.user());
                }
            }
        }
        String address;
        try (var statement = connection.prepareStatement(TAKE)) {
            statement.setString(1, rider.city());
            statement.setObject(2, rider.vehicle());
            try (ResultSet answer = statement.executeQuery()) {
                if (!answer.next()) {
                    throw new IllegalStateException("The vehicle " + rider.vehicle() + " is not available");
                }
                address = answer.getString(1);
            }
        }
        UUID id = UUID.randomUUID();
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        try (var statement = connection.prepareStatement(INSERT)) {
            statement.setObject(1, id);
            statement.setString(2, rider.city());
            statement.setString(3, rider.city());
            statement.setObject(4, rider.user());
            statement.setObject(5, rider.vehicle());
            statement.setString(6, address);
            statement.setObject(7, now);
            statement.executeUpdate();
        }
        remember(connection, rider.city(), "start ride", "{\"id\":\"" + id + "\"}", now);
        return id;
    }

    static void remember(Connection connection, String city, String operation, String response, LocalDateTime now)
            throws SQLException {
        try (var statement = connection.prepareStatement(REMEMBER)) {
            statement.setString(1, city);
            statement.setString(2, "movr-" + UUID.randomUUID());
            statement.setString(3, operation);
            statement.setString(4, "");
            statement.setString(5, response);
            statement.setObject(6, now);
            statement.executeUpdate();
        }
    }

    @Override
    public void takeBack() throws SQLException {
        removeRide();
    }

    @Override
    String[] tables() {
        return new String[] {"rides", "vehicles", "idempotency_keys"};
    }

    @Override
    void check() throws SQLException {
        List<Write> ways = List.of(this::service, this::plainJdbc);
        for (Write way : ways) {
            begin();
            way.run();
            long open = count("SELECT count(*) FROM rides JOIN vehicles"
                    + " ON vehicles.city = rides.city AND vehicles.id = rides.vehicle_id"
                    + " WHERE rides.end_time IS NULL AND vehicles.status = 'in_use' AND rides.vehicle_id = '"
                    + rider().vehicle() + "' AND rides.rider_id = '" + rider().user() + "'");
            takeBack();
            require(open == 1, "one ride under way expected", open);
        }
    }

    @Override
    List<Planned> statements(Stage at) {
        Rider rider = nextRider();
        List<Object> vehicle = List.of(rider.city(), rider.vehicle());
        return List.of(
                new Planned(
                        REQUIRE_USER,
                        List.of(rider.city(), rider.user()),
                        Expectation.anyOf("users", Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN)),
                new Planned(TAKE, vehicle, Expectation.anyOf("vehicles", Access.INDEX_SCAN, Access.FULL_SCAN)));
    }
}
