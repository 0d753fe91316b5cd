package io.movr.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatementTimeoutTest {

    @Test
    void aStatementThatIsNotAnsweredFailsAndTheServerSaysWhatItWaitsFor() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Connection holder = server.gateway().connect("holder");
                Statement holding = holder.createStatement()) {
            holding.execute("CREATE TABLE t (a INT)");
            holder.setAutoCommit(false);
            holding.execute("LOCK TABLE t");
            Gateway bounded = StatementTimeout.bounded(server.gateway(), Duration.ofSeconds(1));
            Throwable failed = catchThrowable(() -> {
                try (Connection waiting = bounded.connect("waiting");
                        Statement statement = waiting.createStatement()) {
                    statement.execute("SELECT a FROM t");
                }
            });
            assertThat(SqlState.isSocketTimeout(failed)).isTrue();
            assertThat(StatementTimeout.reason(Engine.POSTGRESQL, server.gateway()))
                    .startsWith(
                            "the server says: waits for Lock relation in SELECT a FROM t, blocked by the sessions ");
        }
    }

    @Test
    void onlyAStatementWithoutAnAnswerIsLate() {
        Gateway gateway = new Gateway("jdbc:postgresql://127.0.0.1:1/none");
        SQLException refused = new SQLException("syntax error");
        assertThat((Throwable) StatementTimeout.of(refused, "SELEC 1", StatementTimeout.SAMPLE_LIMIT, gateway))
                .isSameAs(refused);
        SQLException silent = new SQLException("I/O", new SocketTimeoutException());
        SQLException late = StatementTimeout.of(silent, "SELECT\n 1", StatementTimeout.SAMPLE_LIMIT, gateway);
        assertThat((Throwable) late)
                .hasMessage("No answer within 30 s to: SELECT 1")
                .hasCause(silent);
        assertThat((Throwable) StatementTimeout.of(late, "another", StatementTimeout.LIMIT, gateway))
                .isSameAs(late);
    }

    @Test
    void aServerThatIsGoneSaysNothing() {
        Gateway nobody = new Gateway("jdbc:postgresql://127.0.0.1:1/none");
        assertThat(StatementTimeout.reason(Engine.COCKROACHDB, nobody)).startsWith("the server does not report why (");
        assertThat(SqlState.isSocketTimeout(new IllegalStateException())).isFalse();
    }
}
