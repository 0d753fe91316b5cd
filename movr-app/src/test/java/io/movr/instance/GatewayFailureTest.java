package io.movr.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import io.movr.database.Gateway;
import io.movr.datasource.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Cuts the way between the service and its database. */
class GatewayFailureTest {

    private static final String FRONT_PAGE = "/api/vehicles?city=boston&status=available";

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("two minutes have passed").isLessThan(end);
            Thread.sleep(50);
        }
    }

    /** A request that came before anybody knew waits for a connection, longer than this client waits for an answer. */
    private static boolean isUnavailable(RunningService service) {
        try {
            return service.getWithin(Duration.ofSeconds(2), FRONT_PAGE).status() == 503;
        } catch (IllegalStateException withoutAnswer) {
            return false;
        }
    }

    @Test
    void aGatewayThatIsDownIsSaidAtOnceAndUsedAgainWhenItIsBack() throws Exception {
        Gateway database = RunningService.database(RunningService.STAGE);
        try (CuttingProxy proxy = new CuttingProxy(database);
                RunningService service =
                        RunningService.start(proxy.gateway(), Map.of("movr.database.timeouts.pool", "1m"))) {
            assertThat(service.get(FRONT_PAGE).status()).isEqualTo(200);
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);

            proxy.cut();
            eventually(() -> isUnavailable(service));
            Reply refused = service.get(FRONT_PAGE);
            assertThat(refused.problem()).isEqualTo("gateway-unavailable");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            // None of these waits for a connection: the pool would let it wait a minute.
            assertThat(service.post(
                                    "/api/users",
                                    Map.of(
                                            "city",
                                            "boston",
                                            "name",
                                            "A",
                                            "address",
                                            "B",
                                            "credit_card",
                                            "4111111111111111"))
                            .status())
                    .isEqualTo(503);
            assertThat(service.get("/api/region").problem()).isEqualTo("gateway-unavailable");
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(503);
            assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
            assertThat(service.get("/problems").status()).isEqualTo(200);

            proxy.mend();
            eventually(() -> service.get(FRONT_PAGE).status() == 200);
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);
        }
    }

    @Test
    void theServiceStartsBeforeItsDatabase() throws Exception {
        Gateway database = RunningService.database(RunningService.STAGE);
        try (CuttingProxy proxy = new CuttingProxy(database)) {
            proxy.cut();
            try (RunningService service = RunningService.startUnconnected(proxy.gateway(), Map.of())) {
                assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(503);
                assertThat(service.get(FRONT_PAGE).problem()).isEqualTo("gateway-unavailable");
                proxy.mend();
                eventually(() -> service.get(FRONT_PAGE).status() == 200);
            }
        }
    }

    @Test
    void ofSeveralGatewaysThePoolMovesToOneThatLives() throws Exception {
        Gateway database = RunningService.database(RunningService.STAGE);
        try (CuttingProxy first = new CuttingProxy(database);
                CuttingProxy second = new CuttingProxy(database)) {
            Gateway both = new Gateway(first.gateway()
                    .url()
                    .replace("127.0.0.1:" + first.port(), "127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port()));
            try (RunningService service = RunningService.start(both, Map.of())) {
                assertThat(service.get(FRONT_PAGE).status()).isEqualTo(200);
                first.cut();
                eventually(() -> service.get(FRONT_PAGE).status() == 200);
                second.cut();
                eventually(() -> isUnavailable(service));
                first.mend();
                eventually(() -> service.get(FRONT_PAGE).status() == 200);
            }
        }
    }

    @Test
    void aCommitWhoseAnswerWasLostIsLookedUpAndNotRepeated() throws Exception {
        Gateway database = RunningService.database(RunningService.STAGE);
        try (CuttingProxy proxy = new CuttingProxy(database);
                // With one connection, cutting it leaves the pool without any.
                RunningService service =
                        RunningService.start(proxy.gateway(), Map.of("movr.database.pool-size", "1"))) {
            String rider = service.newUser("boston");
            String vehicle = service.newVehicle("boston", rider);
            String code = service.newPromoCode(10, 5);
            for (String key : new String[] {null, UUID.randomUUID().toString()}) {
                String[] headers = key == null ? new String[0] : new String[] {"Idempotency-Key", key};

                proxy.cutAnswersOfCommits(1);
                Reply applied = service.apply("boston", rider, code, headers);
                assertThat(applied.status()).isEqualTo(200);
                assertThat(applied.header("Idempotency-Replayed")).isEmpty();

                proxy.cutAnswersOfCommits(1);
                Reply started = service.start(
                        "boston",
                        rider,
                        vehicle,
                        key == null ? headers : new String[] {"Idempotency-Key", key + "-start"});
                assertThat(started.status()).isEqualTo(201);
                assertThat(service.ask(
                                "SELECT count(*) FROM rides WHERE end_time IS NULL AND vehicle_id = '" + vehicle + "'"))
                        .isEqualTo("1");
                proxy.cutAnswersOfCommits(2);
                assertThat(service.end("boston", started.text("id"), rider).status())
                        .isEqualTo(200);
            }
            assertThat(service.ask("SELECT usage_count FROM user_promo_codes WHERE code = '" + code + "'"))
                    .isEqualTo("2");
            assertThat(service.metric("movr_transactions_retries_total", "cause=\"commit_unknown\""))
                    .isGreaterThanOrEqualTo(6);
            assertThat(service.violations()).isEqualTo(List.of());
        }
    }

    @Test
    void aCommitOfUnknownOutcomeCanBeAskedForAgain() throws Exception {
        Gateway database = RunningService.database(RunningService.STAGE);
        try (CuttingProxy proxy = new CuttingProxy(database);
                RunningService service =
                        RunningService.start(proxy.gateway(), Map.of("movr.database.retries.attempts", "1"))) {
            String rider = service.newUser("boston");
            String code = service.newPromoCode(10, 5);
            String key = UUID.randomUUID().toString();
            proxy.cutAnswersOfCommits(1);
            Reply unknown = service.apply("boston", rider, code, "Idempotency-Key", key);
            assertThat(unknown.status()).isEqualTo(503);
            assertThat(unknown.problem()).isEqualTo("outcome-unknown");
            eventually(() -> service.get(FRONT_PAGE).status() == 200);
            Reply again = service.apply("boston", rider, code, "Idempotency-Key", key);
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(again.body().path("usage_count").asInt()).isEqualTo(1);
        }
    }
}
