package io.movr.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnansweredTest {

    @Test
    void aStatementThatIsNotAnsweredFailsAndTheServerSaysWhatItWaitsFor() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Connection holder = server.gateway().connect("holder");
                Statement holding = holder.createStatement()) {
            holding.execute("CREATE TABLE t (a INT)");
            holder.setAutoCommit(false);
            holding.execute("LOCK TABLE t");
            Gateway bounded = Unanswered.bounded(server.gateway(), Duration.ofSeconds(1));
            Throwable failed = catchThrowable(() -> {
                try (Connection waiting = bounded.connect("waiting");
                        Statement statement = waiting.createStatement()) {
                    statement.execute("SELECT a FROM t");
                }
            });
            assertThat(Unanswered.isCauseOf(failed)).isTrue();
            assertThat(Unanswered.reason(Engine.POSTGRESQL, server.gateway()))
                    .startsWith(
                            "the server says: waits for Lock relation in SELECT a FROM t, blocked by the sessions ");
        }
    }

    @Test
    void aServerThatIsGoneSaysNothing() {
        Gateway nobody = new Gateway("jdbc:postgresql://127.0.0.1:1/none");
        assertThat(Unanswered.reason(Engine.COCKROACHDB, nobody)).startsWith("the server does not say why (");
        assertThat(Unanswered.isCauseOf(new IllegalStateException())).isFalse();
    }
}
