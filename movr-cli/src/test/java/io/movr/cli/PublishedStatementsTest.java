package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.published.PublishedFigures;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedStatementsTest {

    @Test
    void everyPublishedStatementRunsUnchanged() {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            String url = "--url=" + server.gateway().url();
            assertThat(run("load", "--scale", "tiny", url)).isEmpty();
            assertThat(run("migrate", "--stage", "join-index", url)).isEmpty();
            List<String> statements = new ArrayList<>(PublishedFigures.statements());
            assertThat(statements).hasSizeGreaterThan(15);
            String row = "(gen_random_uuid(), 'new york', 'Max Roach', '411 Drum Street', '173635282937347')";
            statements.add("INSERT INTO users VALUES " + String.join(", ", Collections.nCopies(100, row)));
            assertThat(statements)
                    .allSatisfy(statement -> assertThat(
                                    run("experiment", "time", "--repeat", "1", "--statement", statement, url))
                            .isEmpty());
        }
    }

    /** What a command complains about; empty if it ended well. */
    private static String run(String... arguments) {
        StringWriter error = new StringWriter();
        int code = Movr.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(error, true))
                .execute(arguments);
        return code == 0 ? "" : "exit code " + code + ": " + error;
    }
}
