package io.movr.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.MovrApplication;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.datasource.GatewayPool;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The service as Spring Boot starts it, without the commands. */
@ExtendWith(OutputCaptureExtension.class)
class StartTest {

    @Test
    void theDatabaseIsSetAsInEveryBootApplication() throws InterruptedException {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                ConfigurableApplicationContext context = MovrApplication.application()
                        .run(
                                "--server.port=0",
                                "--spring.datasource.url="
                                        + server.gateway()
                                                .without(PGProperty.USER)
                                                .url(),
                                "--spring.datasource.username=movr")) {
            assertThat(context.getBean(GatewayPool.class).awaitConnection(Duration.ofSeconds(30)))
                    .isTrue();
        }
    }

    @Test
    void springBootMigratesToAStageAndMovrContinues() {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            migrating(server.gateway(), "4").close();
            migrating(server.gateway(), "4").close();
            Schema schema = new Schema(Engine.POSTGRESQL, server.gateway());
            assertThat(schema.current()).contains(Stage.COVERING_INDEX);
            schema.migrateTo(Stage.REGIONAL_BY_ROW);
            migrating(server.gateway(), "latest").close();
            assertThat(schema.current()).contains(Stage.REGIONAL_BY_ROW);
        }
    }

    private static ConfigurableApplicationContext migrating(Gateway gateway, String target) {
        return MovrApplication.application()
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=" + gateway.url(),
                        "--spring.flyway.enabled=true",
                        "--spring.flyway.target=" + target);
    }

    @Test
    void aMissingDatabaseIsReportedOnceAndWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(() -> MovrApplication.application().run("--server.port=0"))
                .hasStackTraceContaining("The service has no database");
        assertThat(output)
                .containsOnlyOnce("The service has no database: set spring.datasource.url or"
                        + " movr.database.gateways.us-east1, such as jdbc:postgresql://host:port/database")
                .contains("APPLICATION FAILED TO START")
                .doesNotContain("stack_trace");
    }

    @Test
    void aHistoryThatWasChangedIsReportedWithoutAStackTrace(CapturedOutput output) throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            migrating(server.gateway(), "2").close();
            try (Connection connection = server.gateway().connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE flyway_schema_history SET checksum = 1 WHERE version = '2'");
            }
            assertThatThrownBy(() -> migrating(server.gateway(), "3")).hasStackTraceContaining("checksum mismatch");
            assertThat(output)
                    .contains("The database cannot be migrated: ", "checksum mismatch for migration version 2")
                    .doesNotContain("stack_trace");
        }
    }

    @Test
    void aWrongAddressIsReportedOnceAndWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(() -> MovrApplication.application()
                        .run("--server.port=0", "--spring.datasource.url=mysql://localhost/x"))
                .hasStackTraceContaining("is no PostgreSQL address");
        assertThat(output).containsOnlyOnce("is no PostgreSQL address").doesNotContain("stack_trace");
    }
}
