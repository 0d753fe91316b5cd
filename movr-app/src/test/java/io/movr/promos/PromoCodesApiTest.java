package io.movr.promos;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PromoCodesApiTest {

    private final RunningService service = RunningService.shared();

    private static Map<String, Object> creation(String expirationTime, Object value) {
        Map<String, Object> creation = new HashMap<>();
        creation.put("code", "P-" + UUID.randomUUID());
        creation.put("description", "of a test");
        creation.put("expiration_time", expirationTime);
        creation.put("rules", Map.of("type", "percent_discount", "value", value, "max_uses", 2));
        return creation;
    }

    @Test
    void aCodeThatWasCreatedIsShownOnceAndListedWhileItIsValid() {
        Map<String, Object> creation = creation("2099-01-01T00:00:00.123456789Z", 20);
        Reply created = service.post("/api/promo_codes", creation);
        assertThat(created.status()).isEqualTo(201);
        Reply shown = service.get(created.header("Location"));
        assertThat(shown.body()).isEqualTo(created.body());
        assertThat(shown.text("expiration_time")).isEqualTo("2099-01-01T00:00:00.123456Z");
        assertThat(service.post("/api/promo_codes", creation).problem()).isEqualTo("promo-code-exists");

        service.execute("INSERT INTO promo_codes VALUES ('P-OLD', 'x', now(), now() - interval '1 second', '{}')");
        Reply list = service.get("/api/promo_codes?limit=200&after=O");
        assertThat(list.body().toString()).contains(created.text("code")).doesNotContain("P-OLD");
    }

    @ParameterizedTest
    @CsvSource({
        "2020-01-01T00:00:00Z, 20, 422, expires-in-the-past",
        "0000-01-01T00:00:00Z, 20, 400, invalid-request",
        "9999-12-31T23:59:59-01:00, 20, 400, invalid-request",
        "tomorrow, 20, 400, unreadable-body",
        "+999999999-01-01T00:00:00Z, 20, 400, unreadable-body",
        "1735689600, 20, 400, unreadable-body",
        ", 0, 400, invalid-request",
        ", 101, 400, invalid-request",
    })
    void aCodeThatMakesNoSenseIsRefused(String expirationTime, int value, int status, String problem) {
        Reply refused = service.post("/api/promo_codes", creation(expirationTime, value));
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.status()).isEqualTo(status);
    }

    @Test
    void aUserAppliesACodeAsOftenAsItAllows() {
        String user = service.newUser("paris");
        String code = service.newPromoCode(20, 2);
        assertThat(service.apply("paris", user, code).body().path("usage_count").asInt())
                .isEqualTo(1);
        assertThat(service.apply("paris", user, code).body().path("usage_count").asInt())
                .isEqualTo(2);
        Reply third = service.apply("paris", user, code);
        assertThat(third.status()).isEqualTo(409);
        assertThat(third.problem()).isEqualTo("promo-code-used-up");
        assertThat(service.apply("paris", service.newUser("paris"), code).status())
                .isEqualTo(200);

        JsonNode uses = service.get("/api/user_promo_codes?city=paris&user_id=" + user)
                .body()
                .path("items");
        assertThat(uses.size()).isEqualTo(1);
        assertThat(uses.get(0).path("usage_count").asInt()).isEqualTo(2);
    }

    @Test
    void whatCannotBeAppliedIsRefusedByRule() {
        String user = service.newUser("paris");
        String code = service.newPromoCode(20, 2);
        assertThat(service.apply("paris", user, "NO-SUCH-CODE").problem()).isEqualTo("unknown-promo-code");
        assertThat(service.apply("rome", user, code).problem()).isEqualTo("unknown-user");
        service.execute("UPDATE promo_codes SET expiration_time = now() WHERE code = '" + code + "'");
        Reply expired = service.apply("paris", user, code);
        assertThat(expired.status()).isEqualTo(409);
        assertThat(expired.problem()).isEqualTo("promo-code-expired");
        assertThat(service.get("/api/promo_codes?limit=1&after=").status()).isEqualTo(400);
        assertThat(service.get("/api/promo_codes/NO-SUCH-CODE").status()).isEqualTo(404);
        assertThat(service.get("/api/promo_codes/a%20b").status()).isEqualTo(400);
    }

    @Test
    void rulesThatOtherProgramsWroteAreUnderstoodOrWorthNothing() {
        service.execute("""
                INSERT INTO promo_codes VALUES
                    ('W-1', 'x', now(), NULL, '{"type": "percent_discount", "value": "10%"}'),
                    ('W-2', 'x', now(), NULL, '[1, 2]'),
                    ('W-3', NULL, NULL, NULL, NULL),
                    ('W-4', 'x', now(), NULL, '{"type": "free_helmet", "value": 3}'),
                    ('W-5', 'x', now(), NULL, '{"type": "percent_discount", "value": -50}'),
                    ('W-6', 'x', now(), NULL, '{"type": "percent_discount", "value": 5, "max_uses": -1}')""");
        assertThat(service.get("/api/promo_codes/W-1")
                        .body()
                        .path("rules")
                        .path("value")
                        .asInt())
                .isEqualTo(10);
        String user = service.newUser("paris");
        String vehicle = service.newVehicle("paris", user);
        for (String code : new String[] {"W-2", "W-3", "W-4", "W-5"}) {
            assertThat(service.get("/api/promo_codes/" + code).status()).isEqualTo(200);
            assertThat(service.apply("paris", user, code).status()).isEqualTo(200);
        }
        assertThat(service.apply("paris", user, "W-6").problem()).isEqualTo("promo-code-used-up");
        String ride = service.start("paris", user, vehicle).text("id");
        assertThat(service.end("paris", ride, user).body().path("revenue").decimalValue())
                .isEqualByComparingTo("1.29");
    }
}
