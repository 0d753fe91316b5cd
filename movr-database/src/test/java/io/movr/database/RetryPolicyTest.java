package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final RetryPolicy AT_ONCE = new RetryPolicy(3, Duration.ZERO, Duration.ZERO);

    private final List<Integer> attempts = new ArrayList<>();

    private String failing(int times, String state) throws SQLException {
        return AT_ONCE.run(
                "The test was interrupted",
                SQLException.class,
                attempt -> {
                    attempts.add(attempt);
                    if (attempt <= times) {
                        throw new SQLException("attempt " + attempt, state);
                    }
                    return "done";
                },
                (failed, attempt) -> SqlState.isRetryable(failed));
    }

    @Test
    void whatHadToGiveWayIsTriedAgainUntilItSucceeds() throws SQLException {
        assertThat(failing(2, SqlState.SERIALIZATION_FAILURE)).isEqualTo("done");
        assertThat(attempts).containsExactly(1, 2, 3);
    }

    @Test
    void theLastFailureIsThrown() {
        assertThatThrownBy(() -> failing(9, SqlState.DEADLOCK))
                .isInstanceOf(SQLException.class)
                .hasMessage("attempt 3");
        assertThat(attempts).containsExactly(1, 2, 3);
    }

    @Test
    void anotherFailureIsNotTriedAgain() {
        assertThatThrownBy(() -> failing(9, SqlState.UNIQUE_VIOLATION)).hasMessage("attempt 1");
        assertThatThrownBy(() -> AT_ONCE.run(
                        "The test was interrupted",
                        SQLException.class,
                        attempt -> {
                            attempts.add(attempt);
                            throw new IllegalStateException("a defect");
                        },
                        (failed, attempt) -> true))
                .hasMessage("a defect");
        assertThat(attempts).containsExactly(1, 1);
    }

    @Test
    void pausesDoubleUpToALimit() {
        RetryPolicy policy = new RetryPolicy(100, Duration.ofMillis(10), Duration.ofMillis(70));
        for (int attempt = 1; attempt < 100; attempt++) {
            long most = Math.min(70, attempt > 10 ? 70 : 10L << (attempt - 1));
            List<Duration> drawn = new ArrayList<>();
            for (int time = 0; time < 50; time++) {
                drawn.add(policy.pause(attempt));
            }
            assertThat(drawn)
                    .allMatch(pause -> pause.compareTo(Duration.ofMillis(most)) < 0)
                    .anyMatch(pause -> pause.compareTo(Duration.ofMillis(most).dividedBy(2)) > 0);
        }
    }

    @Test
    void waitingCanBeInterrupted() {
        RetryPolicy slow = new RetryPolicy(2, Duration.ofHours(1), Duration.ofHours(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> slow.run(
                        "The test was interrupted",
                        SQLException.class,
                        attempt -> {
                            throw new SQLException("no");
                        },
                        (failed, attempt) -> true))
                .isInstanceOf(UserError.class)
                .hasMessage("The test was interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
