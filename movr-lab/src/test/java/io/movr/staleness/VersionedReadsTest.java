package io.movr.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.staleness.VersionedReads.Outcome;
import io.movr.staleness.VersionedReads.Readers;
import io.movr.staleness.VersionedReads.Seen;
import io.movr.staleness.VersionedReads.Source;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class VersionedReadsTest {

    private static final Duration RUN = Duration.ofSeconds(2);
    private static final String UPDATE = "UPDATE versions SET version = ? WHERE id = ?";
    private static final String READ = "SELECT version FROM versions WHERE id = ?";

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        try (Connection connection = server.gateway().connect("test");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE versions (id INT PRIMARY KEY, version BIGINT NOT NULL)");
            statement.execute(
                    "INSERT INTO versions SELECT n, 0 FROM generate_series(0, " + (VersionedReads.ROWS - 1) + ") n");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Source source() {
        return () -> server.gateway().connect("test");
    }

    @Test
    void onlyWhoReadsOlderVersionsIsStale() throws Exception {
        // The first version of a measurement ends in zeros: what came after it is read as the version before.
        String late = "SELECT version - LEAST(1, version % 1000) FROM versions WHERE id = ?";
        Outcome outcome = new VersionedReads(source(), UPDATE, id -> id)
                .measure(Map.of("now", new Readers(source(), READ, 2), "late", new Readers(source(), late, 1)), RUN);
        assertThat(outcome.writes()).isPositive();
        assertThat(outcome.writeMedianMs()).isPositive();
        Seen now = outcome.seen().get("now");
        assertThat(now.reads()).isPositive();
        assertThat(now.medianMs()).isPositive();
        assertThat(now.stale()).isZero();
        assertThat(now.staleShare()).isZero();
        Seen behind = outcome.seen().get("late");
        assertThat(behind.stale()).isPositive().isLessThanOrEqualTo(behind.reads());
        assertThat(behind.staleShare()).isBetween(0.0, 1.0);
        assertThat(behind.ageMaxMs()).isPositive().isGreaterThanOrEqualTo(behind.ageP50Ms());
    }

    @Test
    void rowsThatAreNotThereAreRefused() {
        VersionedReads reads = new VersionedReads(source(), UPDATE, id -> id + VersionedReads.ROWS);
        assertThatThrownBy(() -> reads.measure(Map.of("now", new Readers(source(), READ, 1)), RUN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'20' to count up is not there");
    }

    @Test
    void whatAReaderIsDeniedIsSaid() {
        VersionedReads reads = new VersionedReads(source(), UPDATE, id -> id);
        Source broken = () -> {
            throw new SQLException("nobody may read here");
        };
        assertThatThrownBy(() -> reads.measure(Map.of("broken", new Readers(broken, READ, 1)), RUN, Duration.ZERO))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nobody may read here");
    }
}
