package io.movr.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.MovrApplication;
import io.movr.database.EmbeddedPostgres;
import io.movr.datasource.GatewayPool;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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
                                "--spring.datasource.url=" + server.gateway().url())) {
            assertThat(context.getBean(GatewayPool.class).awaitConnection(Duration.ofSeconds(30)))
                    .isTrue();
        }
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
    void aWrongAddressIsReportedOnceAndWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(() -> MovrApplication.application()
                        .run("--server.port=0", "--spring.datasource.url=mysql://localhost/x"))
                .hasStackTraceContaining("is no PostgreSQL address");
        assertThat(output).containsOnlyOnce("is no PostgreSQL address").doesNotContain("stack_trace");
    }
}
