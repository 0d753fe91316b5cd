package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresFaultTargetTest {

    private EmbeddedPostgres server;
    private FaultTarget target;

    @BeforeEach
    void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        target = server.faultTargets().get(0);
        execute("CREATE TABLE kept (id INT)");
        execute("INSERT INTO kept VALUES (1)");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.gateway().connect()) {
            Rows.execute(connection, sql);
        }
    }

    private String rows() throws SQLException {
        return rows(server.gateway());
    }

    private static String rows(Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect()) {
            return Rows.one(connection, "SELECT count(*) FROM kept");
        }
    }

    private void assertThatNobodyIsAnswered() {
        Gateway impatient = server.gateway().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThatThrownBy(() -> rows(impatient)).isInstanceOfAny(UserError.class, SQLException.class);
    }

    @Test
    void aServerThatWasKilledComesBackWithItsRows() throws SQLException {
        for (int times = 0; times < 2; times++) {
            target.kill();
            assertThatNobodyIsAnswered();
            target.start();
            assertThat(rows()).isEqualTo("1");
        }
        assertThat(server.process()).isPresent();
    }

    @Test
    void aServerThatIsPausedAnswersNobodyUntilItGoesOn() throws SQLException {
        target.pause();
        assertThatNobodyIsAnswered();
        target.resume();
        assertThat(rows()).isEqualTo("1");
    }
}
