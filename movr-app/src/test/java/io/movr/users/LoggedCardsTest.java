package io.movr.users;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.OutputStreamAppender;
import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Whoever turns on every logger finds no card number in the lines that the service would write. */
class LoggedCardsTest {

    private static final String CARD = "4111111111111111";
    private static final String MISTYPED = "4111111111111112";

    private static final List<String> SPELLED = List.of(
            "4111.1111.1111.1111",
            "3782 822463 10005",
            "378282246310005",
            "\\u0034111111111111111",
            "\\u0034\\u0031\\u0031\\u0031 1111 1111 1111");

    private final RunningService service = RunningService.shared();
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    private final java.util.logging.Logger driver = LogManager.getLogManager().getLogger("");
    private final Map<Logger, Level> levels = new HashMap<>();
    private final java.util.logging.Level driverLevel = driver.getLevel();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private Appender<ILoggingEvent> console;
    private Appender<ILoggingEvent> captured;

    @BeforeEach
    void logEverything() {
        console = root.iteratorForAppenders().next();
        captured = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                byte[] line = ((OutputStreamAppender<ILoggingEvent>) console)
                        .getEncoder()
                        .encode(event);
                lines.add(new String(line, StandardCharsets.UTF_8));
            }
        };
        captured.setContext(context);
        captured.start();
        root.detachAppender(console);
        root.addAppender(captured);
        for (Logger logger : context.getLoggerList()) {
            if (logger.getLevel() != null) {
                levels.put(logger, logger.getLevel());
            }
            logger.setLevel(Level.TRACE);
        }
        assertThat(SLF4JBridgeHandler.isInstalled()).isTrue();
        driver.setLevel(java.util.logging.Level.ALL);
    }

    @AfterEach
    void logAsBefore() {
        driver.setLevel(driverLevel);
        for (Logger logger : context.getLoggerList()) {
            logger.setLevel(levels.get(logger));
        }
        root.detachAppender(captured);
        root.addAppender(console);
    }

    private Reply register(Object card) {
        return service.post(
                "/api/users", Map.of("city", "rome", "name", "Ada", "address", "Via Appia 1", "credit_card", card));
    }

    @Test
    void noLineShowsACardNumber() {
        Reply registered = register(CARD);
        assertThat(registered.status()).isEqualTo(201);
        String path = registered.header("Location");
        assertThat(service.get(path).text("credit_card")).isEqualTo("************1111");
        assertThat(service.get("/api/users?city=rome").status()).isEqualTo(200);
        assertThat(service.patch(path, Map.of("name", "Bea")).status()).isEqualTo(200);
        assertThat(service.bean(Users.class).cardsOf("Bea")).isNotEmpty();

        assertThat(register(MISTYPED).status()).isEqualTo(400);
        assertThat(register("4111 1111 1111 1111").status()).isEqualTo(400);
        for (String spelled : SPELLED) {
            assertThat(service.send(
                                    "POST",
                                    "/api/users",
                                    "{\"city\": \"rome\", \"name\": \"Ada\", \"address\": \"x\", \"credit_card\": \""
                                            + spelled + "\"}")
                            .status())
                    .isLessThan(500);
        }
        assertThat(service.get("/api/users?city=rome&after=%34111%20111111111111")
                        .status())
                .isEqualTo(400);
        assertThat(register(4111111111111111L).status()).isEqualTo(400);
        assertThat(service.send("POST", "/api/users", "{\"credit_card\": \"" + CARD + "\"")
                        .status())
                .isEqualTo(400);
        assertThat(service.send("POST", "/api/users", "{\"credit_card\": x" + CARD + "}")
                        .status())
                .isEqualTo(400);
        assertThat(service.send("POST", "/api/users", CARD).status()).isEqualTo(400);

        String log = String.join("", lines);
        assertThat(log)
                .as("bodies, rejected values, parameters and the protocol are logged")
                .contains("Read \\\"application/json", "rejected value", "SQL statement parameter value", "FE=> Bind");
        assertThat(lines).filteredOn(line -> line.contains(CARD)).isEmpty();
        assertThat(lines).filteredOn(line -> line.contains(MISTYPED)).isEmpty();
        assertThat(lines).filteredOn(line -> line.contains("4111 1111")).isEmpty();
        for (String spelled :
                List.of("4111.1111", "3782 822463", "u0034111", "u0034\\\\u0031", "37828224631", "34111%20")) {
            assertThat(lines)
                    .filteredOn(line -> line.contains(spelled))
                    .as(spelled)
                    .isEmpty();
        }
    }

    @Test
    void recordsDoNotShowTheirCard() {
        assertThat(new Registration("rome", "Ada", "x", CARD).toString())
                .doesNotContain(CARD)
                .contains("1111");
        assertThat(new NameAndCard("Ada", CARD).toString()).doesNotContain(CARD).contains("1111");
        assertThat(new User(new UserId("rome", new java.util.UUID(0, 1)), "Ada", "x", CARD).toString())
                .doesNotContain(CARD);
    }
}
