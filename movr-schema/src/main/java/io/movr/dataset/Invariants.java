package io.movr.dataset;

import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The invariants of MovR's rows. They hold after a load, and after any requests to the service and any failures below it.
 */
public final class Invariants {

    /**
     * An invariant that does not hold.
     *
     * @param rule what should be true
     * @param rows how many rows break it
     */
    public record Violation(String rule, long rows) {}

    private static final Map<String, String> BREAKING = new LinkedHashMap<>();

    static {
        BREAKING.put("a vehicle is in_use exactly while it has a ride that has not ended", """
                SELECT count(*) FROM vehicles v WHERE (coalesce(v.status, '') = 'in_use') <> EXISTS (
                    SELECT 1 FROM rides r
                    WHERE r.vehicle_city = v.city AND r.vehicle_id = v.id AND r.end_time IS NULL)""");
        BREAKING.put("a vehicle is on one ride at a time", """
                SELECT count(*) FROM (
                    SELECT vehicle_city, vehicle_id FROM rides WHERE end_time IS NULL
                    GROUP BY vehicle_city, vehicle_id HAVING count(*) > 1) busy""");
        BREAKING.put("a ride that has ended has an end address and a revenue, and one under way has neither", """
                SELECT count(*) FROM rides
                WHERE (end_time IS NULL) <> (end_address IS NULL) OR (end_time IS NULL) <> (revenue IS NULL)""");
        BREAKING.put("a ride does not end before it starts, and costs no less than nothing", """
                SELECT count(*) FROM rides WHERE end_time < start_time OR revenue < 0 OR start_time IS NULL""");
        BREAKING.put("a ride is not followed after its end", """
                SELECT count(*) FROM vehicle_location_histories h JOIN rides r ON r.city = h.city AND r.id = h.ride_id
                WHERE h."timestamp" > r.end_time""");
        BREAKING.put("the rider of a ride is a user of its city", missing("rides", "rider_id", "users"));
        BREAKING.put("the vehicle of a ride is one of its city", missing("rides", "vehicle_id", "vehicles"));
        BREAKING.put("the owner of a vehicle is a user of its city", missing("vehicles", "owner_id", "users"));
        BREAKING.put(
                "a location belongs to a ride of its city", missing("vehicle_location_histories", "ride_id", "rides"));
        BREAKING.put("the user of a promo code is a user of the city", missing("user_promo_codes", "user_id", "users"));
        BREAKING.put("a promo code that is used is there, and was used at least once and not too often", """
                SELECT count(*) FROM user_promo_codes u LEFT JOIN promo_codes p ON p.code = u.code
                WHERE p.code IS NULL OR u.usage_count < 1
                    OR u.usage_count > CAST(p.rules ->> 'max_uses' AS BIGINT)""");
    }

    private Invariants() {}

    /** Returns the broken rules, each with the number of rows that break it. */
    public static List<Violation> violations(Gateway gateway) throws SQLException {
        List<Violation> violations = new ArrayList<>();
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> rule : BREAKING.entrySet()) {
                try (ResultSet answer = statement.executeQuery(rule.getValue())) {
                    answer.next();
                    if (answer.getLong(1) > 0) {
                        violations.add(new Violation(rule.getKey(), answer.getLong(1)));
                    }
                }
            }
        }
        return violations;
    }

    private static String missing(String table, String column, String other) {
        return "SELECT count(*) FROM " + table + " a WHERE NOT EXISTS (SELECT 1 FROM " + other
                + " b WHERE b.city = a.city AND b.id = a." + column + ")";
    }
}
