package io.movr.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.movr.RunningService;
import io.movr.RunningService.Reply;
import io.movr.datasource.DatabaseProperties;
import io.movr.datasource.Transactions;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.region.InstanceRegion;
import io.movr.web.RequestProblem;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import tools.jackson.databind.json.JsonMapper;

class IdempotencyTest {

    private final RunningService service = RunningService.shared();
    private String key;

    @BeforeEach
    void drawKey() {
        key = UUID.randomUUID().toString();
    }

    private Reply register(String name) {
        return register(name, "Via Appia 1");
    }

    private Reply register(String name, String address) {
        Map<String, Object> registration = new LinkedHashMap<>();
        registration.put("city", "rome");
        registration.put("name", name);
        registration.put("address", address);
        registration.put("credit_card", "4111111111111111");
        return service.post("/api/users", registration, "Idempotency-Key", key);
    }

    @Test
    void everyPostAnswersTheSameUnderTheSameKeyAndWritesOnce() {
        String user = service.newUser("rome");
        String vehicle = service.newVehicle("rome", user);
        String ride = service.start("rome", user, vehicle).text("id");
        String code = service.newPromoCode(10, 5);
        Map<String, Object> posts = new HashMap<>();
        posts.put("/api/users", Map.of("city", "rome", "name", "A", "address", "B", "credit_card", "4111111111111111"));
        posts.put(
                "/api/vehicles",
                Map.of(
                        "city",
                        "rome",
                        "owner_id",
                        user,
                        "type",
                        "bike",
                        "current_location",
                        "x",
                        "ext",
                        Map.of("gears", 3)));
        posts.put(
                "/api/rides", Map.of("city", "rome", "rider_id", user, "vehicle_id", service.newVehicle("rome", user)));
        posts.put("/api/rides/rome/" + ride + "/vehicle_location_histories", Map.of("lat", 41.9, "long", 12.5));
        posts.put("/api/rides/rome/" + ride + "/end", Map.of("rider_id", user, "end_address", "x"));
        posts.put(
                "/api/promo_codes",
                Map.of(
                        "code",
                        "I-" + key,
                        "description",
                        "x",
                        "rules",
                        Map.of("type", "percent_discount", "value", 5)));
        posts.put("/api/user_promo_codes", Map.of("city", "rome", "user_id", user, "code", code));
        // The end of the ride comes last, whatever the order of the map.
        List<String> paths = posts.keySet().stream()
                .sorted((one, other) -> Boolean.compare(one.endsWith("/end"), other.endsWith("/end")))
                .toList();
        assertThat(paths).hasSize(7);
        for (String path : paths) {
            String own = key + path.hashCode();
            Reply first = service.post(path, posts.get(path), "Idempotency-Key", own);
            assertThat(first.status()).as(path + first.body()).isIn(200, 201);
            assertThat(first.header("Idempotency-Replayed")).isEmpty();
            String before = rows();
            Reply second = service.post(path, posts.get(path), "Idempotency-Key", own);
            assertThat(second.status()).as(path).isEqualTo(first.status());
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.header("Location")).isEqualTo(first.header("Location"));
            assertThat(second.header("ETag")).isEqualTo(first.header("ETag"));
            assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(rows()).as(path).isEqualTo(before);
        }
    }

    private String rows() {
        return service.ask("""
                SELECT concat_ws(' ', (SELECT count(*) FROM users), (SELECT count(*) FROM vehicles),
                    (SELECT count(*) FROM rides), (SELECT count(*) FROM vehicle_location_histories),
                    (SELECT count(*) FROM promo_codes), (SELECT sum(usage_count) FROM user_promo_codes),
                    (SELECT count(*) FROM idempotency_keys))""");
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() {
        assertThat(register("Ada").status()).isEqualTo(201);
        Reply other = register("Bea");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("idempotency-key-reused");
    }

    @Test
    void requestsWhoseFieldsLookLikeOthersAreToldApart() {
        assertThat(register("A, address=B", "C").status()).isEqualTo(201);
        assertThat(register("A", "B, address=C").problem()).isEqualTo("idempotency-key-reused");
        assertThat(register("A, address=B", "C").header("Idempotency-Replayed")).isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0b8ae0cf9d3f8b1b1c2fd1aa2bbbb1ff0b8ae0cf9d3f8b1b1c2fd1aa2bbbb1ff",
                "v9:digest-of-a-later-version"
            })
    void aDigestOfAnotherVersionOfTheServiceRefusesNoRepetition(String digest) {
        Reply first = register("Ada");
        service.execute("UPDATE idempotency_keys SET request_hash = '" + digest + "' WHERE key = '" + key + "'");
        Reply second = register("Ada");
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
        service.execute("UPDATE idempotency_keys SET operation = 'other' WHERE key = '" + key + "'");
        assertThat(register("Ada").problem()).isEqualTo("idempotency-key-reused");
    }

    @Test
    void whatIsNotGivenCountsAsNull() {
        Map<String, Object> vehicle = new HashMap<>();
        vehicle.put("city", "rome");
        vehicle.put("owner_id", service.newUser("rome"));
        vehicle.put("type", "bike");
        vehicle.put("current_location", "x");
        assertThat(service.post("/api/vehicles", vehicle, "Idempotency-Key", key)
                        .status())
                .isEqualTo(201);
        vehicle.put("ext", null);
        assertThat(service.post("/api/vehicles", vehicle, "Idempotency-Key", key)
                        .header("Idempotency-Replayed"))
                .isEqualTo("true");
    }

    @Test
    void aRefusalLeavesNoKeyBehind() {
        String user = service.newUser("rome");
        String vehicle = service.newVehicle("rome", user);
        String ride = service.start("rome", user, vehicle).text("id");
        assertThat(service.start("rome", user, vehicle, "Idempotency-Key", key).problem())
                .isEqualTo("vehicle-not-available");
        service.end("rome", ride, user);
        assertThat(service.start("rome", user, vehicle, "Idempotency-Key", key).status())
                .isEqualTo(201);
    }

    @Test
    void theKeyIsKeptInTheCityOfWhatItWrote() {
        register("Ada");
        assertThat(service.ask("SELECT city FROM idempotency_keys WHERE key = '" + key + "'"))
                .isEqualTo("rome");
        assertThat(service.ask("SELECT response FROM idempotency_keys WHERE key = '" + key + "'"))
                .doesNotContain("4111111111111111");
    }

    @Test
    void aPatchUnderTheSameKeyIsDoneOnceToo() {
        String path = "/api/users/rome/" + service.newUser("rome");
        String seen = service.get(path).header("ETag");
        Reply first = service.patch(path, Map.of("name", "Eve"), "If-Match", seen, "Idempotency-Key", key);
        Reply second = service.patch(path, Map.of("name", "Eve"), "If-Match", seen, "Idempotency-Key", key);
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "tab\there"})
    void aKeyThatIsNoneIsRefused(String bad) {
        key = bad;
        Reply refused = register("Ada");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("detail")).startsWith("Idempotency-Key must be");
    }

    @Test
    void theLargestBatchIsRemovedWithOneStatement() {
        IdempotencyProperties largest = new IdempotencyProperties(
                Duration.ofHours(24), Duration.ofMinutes(10), IdempotencyProperties.MAX_BATCH);
        service.execute("INSERT INTO idempotency_keys SELECT 'new york', '" + key + "-' || n, 'x', 'x', '{}',"
                + " now() - interval '25 hours' FROM generate_series(1, " + largest.sweepBatch() + ") n");
        new KeySweeper(
                        service.bean(Transactions.class),
                        service.bean(AnsweredRequests.class),
                        largest,
                        service.bean(InstanceRegion.class),
                        Clock.systemUTC())
                .sweep();
        assertThat(service.ask("SELECT count(*) FROM idempotency_keys WHERE key LIKE '" + key + "-%'"))
                .isEqualTo("0");
    }

    @Test
    void aBatchThatNoStatementCanRemoveIsRefused() {
        try (ValidatorFactory factory = Validation.buildDefaultValidatorFactory()) {
            assertThat(factory.getValidator()
                            .validate(new IdempotencyProperties(
                                    Duration.ofHours(24), Duration.ofMinutes(10), IdempotencyProperties.MAX_BATCH + 1)))
                    .singleElement()
                    .satisfies(fault -> assertThat(fault.getPropertyPath()).hasToString("sweepBatch"));
        }
    }

    @Test
    void oldKeysAreForgottenAndYoungOnesKept() {
        String old = key + "-old";
        register("Ada");
        service.execute("INSERT INTO idempotency_keys VALUES ('new york', '" + old
                + "', 'x', 'x', '{}', now() - interval '25 hours')");
        service.bean(KeySweeper.class).sweep();
        assertThat(service.ask("SELECT count(*) FROM idempotency_keys WHERE key = '" + old + "'"))
                .isEqualTo("0");
        assertThat(service.ask("SELECT count(*) FROM idempotency_keys WHERE key = '" + key + "'"))
                .isEqualTo("1");
    }

    /** Loses the first commit on its way, so that its outcome is unknown. */
    private static final class LosingFirstCommit implements PlatformTransactionManager {

        private final PlatformTransactionManager manager;
        private boolean lost;

        LosingFirstCommit(PlatformTransactionManager manager) {
            this.manager = manager;
        }

        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            DefaultTransactionDefinition readCommitted = new DefaultTransactionDefinition(definition);
            readCommitted.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
            return manager.getTransaction(readCommitted);
        }

        @Override
        public void commit(TransactionStatus status) {
            if (!lost) {
                lost = true;
                manager.rollback(status);
                throw new TransactionSystemException("lost", new SQLException("lost", "08006"));
            }
            manager.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            manager.rollback(status);
        }
    }

    private Answer<String> onceWithALostCommit(String clientKey, IntPredicate refusedAt) {
        IdempotentWrites writes = new IdempotentWrites(
                new Transactions(
                        new LosingFirstCommit(service.bean(PlatformTransactionManager.class)),
                        new SimpleMeterRegistry(),
                        () -> "none",
                        service.bean(DatabaseProperties.class)),
                service.bean(AnsweredRequests.class),
                service.bean(JsonMapper.class),
                Clock.systemUTC());
        List<LocalDateTime> times = new ArrayList<>();
        return writes.once(new IdempotentWrites.Write("test", "rome", clientKey, "request"), String.class, now -> {
            times.add(now);
            if (times.size() == 2) {
                // The first commit arrives now.
                service.execute("INSERT INTO idempotency_keys VALUES ('rome', '" + clientKey
                        + "', 'test', 'of another version', '\"first\"', '" + times.get(0) + "')");
            }
            if (refusedAt.test(times.size())) {
                throw RequestProblem.IDEMPOTENCY_KEY_REUSED.because("refused by what the first attempt did");
            }
            return "attempt " + times.size();
        });
    }

    @Test
    void aCopyThatComesInTheSameMicrosecondIsAReplay() {
        IdempotentWrites writes = new IdempotentWrites(
                service.bean(Transactions.class),
                service.bean(AnsweredRequests.class),
                service.bean(JsonMapper.class),
                Clock.fixed(Instant.now(), ZoneOffset.UTC));
        IdempotentWrites.Write write = new IdempotentWrites.Write("test", "rome", key, "request");
        assertThat(writes.once(write, String.class, now -> "done")).isEqualTo(new Answer<>("done", false));
        assertThat(writes.once(write, String.class, now -> {
                    throw RequestProblem.IDEMPOTENCY_KEY_REUSED.because("refused by what the first did");
                }))
                .isEqualTo(new Answer<>("done", true));
    }

    @Test
    void aFirstRequestIsNoReplayThoughItsLostAttemptIsFoundByTheThird() {
        assertThat(onceWithALostCommit(key, attempt -> false)).isEqualTo(new Answer<>("first", false));
    }

    @Test
    void aFirstRequestIsNoReplayThoughItsLostAttemptRefusesTheSecond() {
        assertThat(onceWithALostCommit(key, attempt -> attempt == 2)).isEqualTo(new Answer<>("first", false));
    }
}
