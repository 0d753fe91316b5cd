package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.PoolerRelay;
import io.movr.database.EmbeddedPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class IsolationThroughAPoolerTest {

    /** The level is set once in each session, which a pooler gives to other clients between two transactions. */
    @Test
    void aLevelIsRefusedWhereSessionsAreShared() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                PoolerRelay pooler = new PoolerRelay(server.gateway())) {
            StringWriter printed = new StringWriter();
            PrintWriter writer = new PrintWriter(printed, true);
            int code = Movr.commandLine()
                    .setOut(writer)
                    .setErr(writer)
                    .execute(
                            "run",
                            "tpcb",
                            "--duration=1s",
                            "--isolation-level=serializable",
                            "--url=" + pooler.gateway().url());
            assertThat(code).isEqualTo(1);
            assertThat(printed.toString()).contains("connection pooler");
        }
    }
}
