package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Rows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {

    @Test
    void aDatabaseOfAnotherApplicationIsNamedAndTheServerIsCheckedAllTheSame() throws Exception {
        StringWriter output = new StringWriter();
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            try (Connection connection = server.gateway().connect()) {
                Rows.execute(
                        connection,
                        "CREATE TABLE flyway_schema_history AS SELECT 1 AS installed_rank, '1' AS version,"
                                + " 'V1__init.sql' AS script, 4711 AS checksum, true AS success");
            }
            Movr.commandLine()
                    .setOut(new PrintWriter(output, true))
                    .setErr(new PrintWriter(output, true))
                    .execute("doctor", "--url=" + server.gateway().url());
        }
        assertThat(output.toString().replaceAll("\\s+", " "))
                .contains("PostgreSQL 1", "V1__init.sql", "another application's");
    }
}
