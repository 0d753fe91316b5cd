package io.movr.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyTest {

    private final RunningService service = RunningService.shared();
    private String key;

    @BeforeEach
    void drawKey() {
        key = UUID.randomUUID().toString();
    }

    private Reply register(String name) {
        Map<String, Object> registration = new LinkedHashMap<>();
        registration.put("city", "rome");
        registration.put("name", name);
        registration.put("address", "Via Appia 1");
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
        assertThat(refused.text("detail")).startsWith("Idempotency-Key is not");
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
}
