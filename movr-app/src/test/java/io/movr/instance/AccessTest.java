package io.movr.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGProperty;

/** A service whose role may not write. */
class AccessTest {

    private static final Map<String, Object> USER =
            Map.of("city", "boston", "name", "Ada", "address", "x", "credit_card", "4111111111111111");

    private final Gateway gateway = RunningService.database(RunningService.STAGE);

    private Gateway as(String privileges, String setting) throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, "CREATE ROLE limited LOGIN PASSWORD 'limited'");
            Rows.execute(connection, "GRANT " + privileges + " ON ALL TABLES IN SCHEMA public TO limited");
            Rows.execute(connection, "ALTER ROLE limited SET " + setting);
        }
        return gateway.withoutPassword().with(PGProperty.USER, "limited").with(PGProperty.PASSWORD, "limited");
    }

    @AfterEach
    void dropRole() throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, "DROP OWNED BY limited");
            Rows.execute(connection, "DROP ROLE limited");
        }
    }

    private static void isOutOfService(RunningService service, String reason) {
        Reply written = service.post("/api/users", USER);
        assertThat(written.status()).isEqualTo(503);
        assertThat(written.problem()).isEqualTo("database-access-denied");
        assertThat(written.header("Retry-After")).isNotEmpty();
        assertThat(service.get("/api/vehicles?city=boston").status()).isEqualTo(200);
        Reply readiness = service.get("/actuator/health/readiness");
        assertThat(readiness.status()).isEqualTo(503);
        assertThat(readiness.body().at("/components/gateway/status").asString()).isEqualTo("OUT_OF_SERVICE");
        assertThat(readiness.body().at("/components/gateway/details/reason").asString())
                .contains(reason);
        assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
    }

    @Test
    void aRoleWhoseTransactionsOnlyReadIsNoDefect() throws SQLException {
        Gateway reader = as("ALL", "default_transaction_read_only = on");
        try (RunningService service = RunningService.start(reader, Map.of())) {
            isOutOfService(service, "transactions of role limited are read-only");
        }
    }

    @Test
    void aRoleThatLacksPrivilegesIsNoDefect() throws SQLException {
        Gateway reader = as("SELECT", "work_mem = '4MB'");
        try (RunningService service = RunningService.start(reader, Map.of())) {
            isOutOfService(service, "role limited lacks DELETE on idempotency_keys, INSERT on idempotency_keys,");
        }
    }

    @Test
    void aRoleThatMayDoWhatTheServiceDoesIsReady() throws SQLException {
        Gateway writer = as("SELECT, INSERT, UPDATE, DELETE", "work_mem = '4MB'");
        try (RunningService service = RunningService.start(writer, Map.of())) {
            assertThat(service.post("/api/users", USER).status()).isEqualTo(201);
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);
        }
    }
}
