package io.movr.users;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class UsersApiTest {

    private final RunningService service = RunningService.shared();

    private static Map<String, Object> registration(String name, String card) {
        return Map.of("city", "rome", "name", name, "address", "Via Appia 1", "credit_card", card);
    }

    @Test
    void aRegisteredUserIsShownWithTheCardMasked() {
        Reply registered = service.post("/api/users", registration("Ada Brown", "4111111111111111"));
        assertThat(registered.status()).isEqualTo(201);
        assertThat(registered.header("Location")).isEqualTo("/api/users/rome/" + registered.text("id"));
        assertThat(registered.text("credit_card")).isEqualTo("************1111");

        Reply shown = service.get(registered.header("Location"));
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body()).isEqualTo(registered.body());
        assertThat(shown.header("ETag")).isEqualTo(registered.header("ETag"));
        assertThat(service.ask("SELECT credit_card FROM users WHERE id = '" + registered.text("id") + "'"))
                .isEqualTo("4111111111111111");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"4111111111111112", "4111 1111 1111 1111", "411111", "", "4111111111111111x", "٤١١١١١١١١١١١١١١١"
            })
    void aCardThatIsNoneIsRefused(String card) {
        Reply refused = service.post("/api/users", registration("Ada Brown", card));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-request");
        assertThat(refused.body().path("errors").get(0).path("field").asString())
                .isEqualTo("credit_card");
        assertThat(refused.body().toString()).doesNotContain("4111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "a\u0000b", "line\nbreak", "\u009f", "\\ud800"})
    void aNameThatIsNoneIsRefused(String name) {
        String body = JsonMapper.shared().writeValueAsString(registration(name, "4111111111111111"));
        // Half a surrogate pair cannot be sent but as an escape.
        Reply refused = service.send("POST", "/api/users", body.replace("\\\\u", "\\u"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("errors").get(0).path("field").asString())
                .isEqualTo("name");
    }

    @Test
    void namesOfAllTheWorldAreKept() {
        String name = "Zoë Łukasz-O'Neil 李雷 🚲";
        Reply registered = service.post("/api/users", registration(name, "4111111111111111"));
        assertThat(service.get(registered.header("Location")).text("name")).isEqualTo(name);
        assertThat(service.post("/api/users", registration("x".repeat(101), "4111111111111111"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void allUsersOfACityAreListedOnceOverItsPages() {
        Set<String> seen = new HashSet<>();
        String next = "";
        int pages = 0;
        do {
            Reply page = service.get("/api/users?city=seattle&limit=7" + (next.isEmpty() ? "" : "&after=" + next));
            assertThat(page.status()).isEqualTo(200);
            for (JsonNode user : page.body().path("items")) {
                assertThat(seen.add(user.path("id").asString())).isTrue();
                assertThat(user.path("credit_card").asString()).startsWith("****");
            }
            next = page.text("next");
            pages++;
        } while (!next.isEmpty() && pages < 100);
        assertThat(service.ask("SELECT count(*) FROM users WHERE city = 'seattle'"))
                .isEqualTo(Integer.toString(seen.size()));
        assertThat(pages).isGreaterThan(2);
    }

    @Test
    void aRenamingAppliesToTheVersionThatWasSeen() {
        String path = "/api/users/rome/" + service.newUser("rome");
        String seen = service.get(path).header("ETag");
        Reply renamed = service.patch(path, Map.of("name", "Grace Hopper"), "If-Match", seen);
        assertThat(renamed.status()).isEqualTo(200);
        assertThat(service.get(path).text("name")).isEqualTo("Grace Hopper");
        assertThat(service.get(path).header("ETag"))
                .isEqualTo(renamed.header("ETag"))
                .isNotEqualTo(seen);

        Reply stale = service.patch(path, Map.of("name", "Somebody Else"), "If-Match", seen);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.problem()).isEqualTo("stale-version");
        assertThat(service.get(path).text("name")).isEqualTo("Grace Hopper");
        assertThat(service.patch(path, Map.of("name", "Ada"), "If-Match", "*").status())
                .isEqualTo(200);
        assertThat(service.patch(path, Map.of("name", "Bea")).status()).isEqualTo(200);
    }

    @Test
    void aClientThatHasTheVersionIsNotSentItAgain() {
        String path = "/api/users/boston/" + RunningService.RIDER;
        String tag = service.get(path).header("ETag");
        assertThat(service.get(path, "If-None-Match", tag).status()).isEqualTo(304);
        assertThat(service.get(path, "If-None-Match", "\"other\"").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/users/boston/00000000-0000-0000-0000-000000000000, 404, unknown-user",
        "/api/users/rome/02cc9e5b-1e91-4cdb-87c4-726b4ea7219a, 404, unknown-user",
        "/api/users/atlantis/02cc9e5b-1e91-4cdb-87c4-726b4ea7219a, 400, unknown-city",
        "/api/users/boston/x, 400, invalid-request",
        "/api/users, 400, invalid-request",
        "/api/users?city=atlantis, 400, unknown-city",
        "/api/users?city=boston&limit=0, 400, invalid-request",
        "/api/users?city=boston&limit=201, 400, invalid-request",
        "/api/users?city=boston&limit=99999999999, 400, invalid-request",
        "/api/users?city=boston&after=x, 400, invalid-request",
        "/api/users?city=boston&after=, 400, invalid-request",
        "/api/users?city=boston&=x, 400, malformed-request",
        "/api/users?city=boston&city=%00, 400, invalid-request",
        "/api/users?city=boston&limit=1&limit=2, 400, invalid-request",
        "/api/users?city=%00, 400, unknown-city",
        "/api/users/boston/1-1-1-1-1, 400, invalid-request",
    })
    void whatIsNotThereOrNotAskedWellIsAProblem(String path, int status, String problem) {
        Reply refused = service.get(path);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.problem()).isEqualTo(problem);
    }
}
