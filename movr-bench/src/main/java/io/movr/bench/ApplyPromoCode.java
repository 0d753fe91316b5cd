package io.movr.bench;

import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.promos.PromoCodeApplication;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** A user applies a promo code, as one transaction of five statements. */
public class ApplyPromoCode extends RidingCall {

    static final String FIND =
            "SELECT code, description, creation_time, expiration_time, CAST(rules AS VARCHAR) AS rules"
                    + " FROM promo_codes WHERE code = ?";
    static final String USE_AGAIN = "UPDATE user_promo_codes SET usage_count = coalesce(usage_count, 0) + 1,"
            + " \"timestamp\" = ? WHERE city = ? AND user_id = ? AND code = ? AND coalesce(usage_count, 0) < ?"
            + " RETURNING usage_count";
    static final String USE_FIRST = "INSERT INTO user_promo_codes (city, user_id, code, \"timestamp\", usage_count)"
            + " SELECT ?, ?, ?, ?, 1 WHERE NOT EXISTS ("
            + "SELECT 1 FROM user_promo_codes WHERE city = ? AND user_id = ? AND code = ?)";

    private static final String CODE = "BENCHMARK";

    @Override
    void prepare() throws SQLException {
        super.prepare();
        execute("INSERT INTO promo_codes (code, description, creation_time, expiration_time, rules)"
                + " VALUES ('" + CODE + "', 'Applied by benchmarks', now(), NULL,"
                + " '{\"type\": \"percent_discount\", \"value\": 10}') ON CONFLICT (code) DO NOTHING");
    }

    @Override
    public void begin() {
        nextRider();
    }

    @Benchmark
    public Object service() {
        return subject().promoCodeService.apply(null, new PromoCodeApplication(rider().city(), rider().user(), CODE));
    }

    @Benchmark
    public long plainJdbc() throws SQLException {
        return inTransaction(connection -> apply(connection, rider()));
    }

    private static long apply(Connection connection, Rider rider) throws SQLException {
        requireUser(connection, rider);
        required(connection, FIND, (row, number) -> row.getString(5), CODE);
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        long uses = use(connection, rider, now);
        remember(connection, rider.city(), "apply promo code", "{\"usage_count\":" + uses + "}", now);
        return uses;
    }

    private static long use(Connection connection, Rider rider, LocalDateTime now) throws SQLException {
        List<Long> again = query(
                connection,
                USE_AGAIN,
                (row, number) -> row.getLong(1),
                now,
                rider.city(),
                rider.user(),
                CODE,
                Long.MAX_VALUE);
        if (!again.isEmpty()) {
            return again.get(0);
        }
        return update(connection, USE_FIRST, rider.city(), rider.user(), CODE, now, rider.city(), rider.user(), CODE);
    }

    @Override
    public void undo() throws SQLException {
        update(
                helper(),
                "DELETE FROM user_promo_codes WHERE city = ? AND user_id = ? AND code = ?",
                rider().city(),
                rider().user(),
                CODE);
        removeKeys();
    }

    @Override
    String[] tables() {
        return new String[] {"user_promo_codes", "idempotency_keys"};
    }

    @Override
    void check() throws SQLException {
        List<Write> ways = List.of(this::service, this::plainJdbc);
        for (Write way : ways) {
            begin();
            undo();
            way.run();
            long uses = count("SELECT coalesce(sum(usage_count), 0) FROM user_promo_codes WHERE code = '" + CODE
                    + "' AND user_id = '" + rider().user() + "'");
            undo();
            require(uses == 1, "one use expected", uses);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(
                new Step(FIND, List.of(CODE), Expectation.anyOf("promo_codes", Access.INDEX_SCAN, Access.FULL_SCAN)));
    }
}
