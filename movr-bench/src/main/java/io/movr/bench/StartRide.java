package io.movr.bench;

import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.rides.RideStart;
import io.movr.schema.Stage;
import java.sql.Connection;
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
        return inTransaction(connection -> start(connection, rider()));
    }

    private static UUID start(Connection connection, Rider rider) throws SQLException {
        requireUser(connection, rider);
        String address = required(connection, TAKE, (row, number) -> row.getString(1), rider.city(), rider.vehicle());
        UUID id = UUID.randomUUID();
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        update(connection, INSERT, id, rider.city(), rider.city(), rider.user(), rider.vehicle(), address, now);
        remember(connection, rider.city(), "start ride", "{\"id\":\"" + id + "\"}", now);
        return id;
    }

    @Override
    public void undo() throws SQLException {
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
            undo();
            require(open == 1, "one ride under way expected", open);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        Rider rider = nextRider();
        List<Object> vehicle = List.of(rider.city(), rider.vehicle());
        return List.of(
                new Step(
                        REQUIRE_USER,
                        List.of(rider.city(), rider.user()),
                        Expectation.anyOf("users", Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN)),
                new Step(TAKE, vehicle, Expectation.anyOf("vehicles", Access.INDEX_SCAN, Access.FULL_SCAN)));
    }
}
