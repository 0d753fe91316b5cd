package io.movr.bench;

import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.rides.RideEnd;
import io.movr.rides.RideId;
import io.movr.schema.Stage;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** A ride is paid and its vehicle given back, as one transaction of five statements. */
public class EndRide extends RidingCall {

    static final String LOCK = "SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address,"
            + " start_time, end_time, revenue FROM rides WHERE city = ? AND id = ? FOR UPDATE";
    static final String CODES = "UPDATE user_promo_codes SET usage_count = usage_count WHERE city = ? AND user_id = ?"
            + " RETURNING city, user_id, code, \"timestamp\", usage_count";
    static final String END = "UPDATE rides SET end_address = ?, end_time = ?, revenue = ?"
            + " WHERE city = ? AND id = ? AND end_time IS NULL";
    static final String GIVE_BACK = "UPDATE vehicles SET status = 'available', current_location = ?"
            + " WHERE city = ? AND id = ? AND status = 'in_use'";

    private static final String END_ADDRESS = "4 Yawkey Way";

    private UUID ride = new UUID(0, 0);

    @Override
    public void begin() throws SQLException {
        Rider rider = nextRider();
        ride = UUID.randomUUID();
        update(
                helper(),
                "UPDATE vehicles SET status = 'in_use' WHERE city = ? AND id = ?",
                rider.city(),
                rider.vehicle());
        update(
                helper(),
                StartRide.INSERT,
                ride,
                rider.city(),
                rider.city(),
                rider.user(),
                rider.vehicle(),
                rider.location(),
                LocalDateTime.now(ZoneOffset.UTC).minusMinutes(10));
    }

    @Benchmark
    public Object service() {
        return subject()
                .rideService
                .end(new RideId(rider().city(), ride), null, new RideEnd(rider().user(), END_ADDRESS));
    }

    @Benchmark
    public int plainJdbc() throws SQLException {
        return inTransaction(connection -> end(connection, rider()));
    }

    private int end(Connection connection, Rider rider) throws SQLException {
        if (required(connection, LOCK, (row, number) -> row.getObject(9) != null, rider.city(), ride)) {
            throw new IllegalStateException("The ride " + ride + " has ended");
        }
        query(connection, CODES, (row, number) -> row.getString(3), rider.city(), rider.user());
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        int ended = update(connection, END, END_ADDRESS, now, new BigDecimal("3.90"), rider.city(), ride);
        ended += update(connection, GIVE_BACK, END_ADDRESS, rider.city(), rider.vehicle());
        remember(connection, rider.city(), "end ride", "{\"id\":\"" + ride + "\"}", now);
        return ended;
    }

    @Override
    public void undo() throws SQLException {
        removeRide();
    }

    @Override
    String[] tables() {
        return new String[] {"rides", "vehicles", "user_promo_codes", "idempotency_keys"};
    }

    @Override
    void check() throws SQLException {
        List<Write> ways = List.of(this::service, this::plainJdbc);
        for (Write way : ways) {
            begin();
            way.run();
            long ended = count("SELECT count(*) FROM rides JOIN vehicles"
                    + " ON vehicles.city = rides.city AND vehicles.id = rides.vehicle_id"
                    + " WHERE rides.end_time IS NOT NULL AND rides.revenue > 0 AND vehicles.status = 'available'"
                    + " AND vehicles.current_location = '" + END_ADDRESS + "' AND rides.id = '" + ride + "'");
            undo();
            require(ended == 1, "one ended ride expected", ended);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        Rider rider = nextRider();
        List<Object> key = List.of(rider.city(), UUID.randomUUID());
        return List.of(new Step(LOCK, key, Expectation.indexScan("rides", "rides_pkey")));
    }
}
