package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGProperty;

/** Sessions of a role that has limits for an application's statements. */
class SessionLimitsTest {

    private static final List<String> LIMITS = List.of(
            "statement_timeout",
            "lock_timeout",
            "transaction_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout");

    private TestDatabase database;
    private Gateway limited;

    @BeforeEach
    void limitRole() throws SQLException {
        database = TestDatabase.fresh();
        database.execute("CREATE ROLE limited LOGIN PASSWORD 'limited'");
        for (String limit : LIMITS) {
            database.execute("ALTER ROLE limited SET " + limit + " = '50ms'");
        }
        database.execute("ALTER ROLE limited SET default_transaction_read_only = on");
        database.execute("ALTER ROLE limited SET work_mem = '7MB'");
        limited = database.gateway()
                .withoutPassword()
                .with(PGProperty.USER, "limited")
                .with(PGProperty.PASSWORD, "limited");
    }

    @AfterEach
    void dropRole() throws SQLException {
        database.execute("DROP ROLE limited");
    }

    private static List<String> settings(Connection connection) throws SQLException {
        List<String> settings = new ArrayList<>();
        for (String limit : LIMITS) {
            settings.add(Rows.one(connection, "SHOW " + limit));
        }
        settings.add(Rows.one(connection, "SHOW default_transaction_read_only"));
        settings.add(Rows.one(connection, "SHOW work_mem"));
        return settings;
    }

    @Test
    void limitsOfARoleAreLiftedAndItsOtherSettingsAreNot() throws SQLException {
        try (Connection connection = limited.connect()) {
            assertThat(settings(connection)).containsExactly("0", "0", "0", "0", "0", "on", "7MB");
        }
        try (HikariDataSource pool = limited.pool("limited", 1);
                Connection connection = pool.getConnection()) {
            assertThat(settings(connection)).containsExactly("0", "0", "0", "0", "0", "on", "7MB");
        }
    }

    @Test
    void limitsThatTheAddressSetsStay() throws SQLException {
        try (Connection connection =
                limited.withOptions("-c statement_timeout=7s").connect()) {
            assertThat(settings(connection)).containsExactly("7s", "0", "0", "0", "0", "on", "7MB");
        }
    }
}
