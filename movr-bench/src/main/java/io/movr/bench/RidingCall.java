package io.movr.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.springframework.jdbc.core.RowMapper;

/** A whole transaction of a rider: riders and available vehicles are drawn beforehand, other ones for each thread. */
@State(Scope.Thread)
public abstract class RidingCall extends WritingCall {

    static final String REQUIRE_USER = "SELECT EXISTS (SELECT 1 FROM users WHERE city = ? AND id = ?)";
    static final String REMEMBER = "INSERT INTO idempotency_keys"
            + " (city, key, operation, request_hash, response, creation_time) VALUES (?, ?, ?, ?, ?, ?)";

    private static final int MOST = 1_000;

    private final List<Rider> riders = new ArrayList<>();
    private int position;

    /**
     * A rider and an available vehicle.
     *
     * @param location where the vehicle stands
     */
    record Rider(String city, UUID user, UUID vehicle, String location) {}

    @Override
    void prepare() throws SQLException {
        super.prepare();
        riders.clear();
        try (PreparedStatement statement = helper().prepareStatement("""
                SELECT v.city, u.id, v.id, coalesce(v.current_location, '') FROM (
                    SELECT city, id, status, current_location, row_number() OVER (PARTITION BY city ORDER BY id) AS number
                    FROM vehicles) AS v
                JOIN (
                    SELECT city, id, row_number() OVER (PARTITION BY city ORDER BY id DESC) AS number FROM users) AS u
                ON u.city = v.city AND u.number = v.number
                WHERE v.status = 'available' AND v.number % ? = ? ORDER BY v.number, v.city LIMIT ?""")) {
            statement.setInt(1, threads());
            statement.setInt(2, thread());
            statement.setInt(3, MOST);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    riders.add(new Rider(
                            row.getString(1),
                            row.getObject(2, UUID.class),
                            row.getObject(3, UUID.class),
                            row.getString(4)));
                }
            }
        }
        if (riders.isEmpty()) {
            throw new IllegalStateException("At scale " + scale + " there are fewer vehicles than threads");
        }
    }

    final Rider nextRider() {
        position = (position + 1) % riders.size();
        return riders.get(position);
    }

    final Rider rider() {
        return riders.get(position);
    }

    /** Makes a vehicle available again, and removes its rides of this benchmark, which began after the rides of the dataset. */
    final void removeRide() throws SQLException {
        update(
                helper(),
                "DELETE FROM rides WHERE vehicle_city = ? AND vehicle_id = ? AND start_time > '2019-01-01'",
                rider().city(),
                rider().vehicle());
        update(
                helper(),
                "UPDATE vehicles SET status = 'available', current_location = ? WHERE city = ? AND id = ?",
                rider().location(),
                rider().city(),
                rider().vehicle());
        removeKeys();
    }

    final void removeKeys() throws SQLException {
        update(helper(), "DELETE FROM idempotency_keys WHERE city = ?", rider().city());
    }

    /** Finds the row that a rule of the transaction demands. */
    static <T> T required(Connection connection, String sql, RowMapper<T> mapper, Object... parameters)
            throws SQLException {
        List<T> found = query(connection, sql, mapper, parameters);
        if (found.size() != 1) {
            throw new IllegalStateException(found.size() + " rows where one was expected: " + sql);
        }
        return found.get(0);
    }

    static void requireUser(Connection connection, Rider rider) throws SQLException {
        if (!required(connection, REQUIRE_USER, (row, number) -> row.getBoolean(1), rider.city(), rider.user())) {
            throw new IllegalStateException("No user " + rider.user());
        }
    }

    /** Notes the answer under a key of its own, as the service does. */
    static void remember(Connection connection, String city, String operation, String response, LocalDateTime now)
            throws SQLException {
        update(connection, REMEMBER, city, "movr-" + UUID.randomUUID(), operation, "", response, now);
    }
}
