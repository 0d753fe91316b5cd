package io.movr.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import io.movr.instance.ProblemController;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ProblemsTest {

    private final RunningService service = RunningService.shared();

    @ParameterizedTest
    @CsvSource({
        "GET, /nowhere, 404, no-such-path",
        "GET, /api, 404, no-such-path",
        "GET, /actuator, 404, no-such-path",
        "GET, /actuator/env, 404, no-such-path",
        "GET, /actuator/heapdump, 404, no-such-path",
        "POST, /actuator/shutdown, 404, no-such-path",
        "DELETE, /api/users, 405, method-not-allowed",
        "PUT, /api/users/boston/02cc9e5b-1e91-4cdb-87c4-726b4ea7219a, 405, method-not-allowed",
        "GET, /problems/unheard-of, 404, no-such-path",
    })
    void whatIsNotThereIsAProblemToo(String method, String path, int status, String problem) {
        Reply refused = service.send(method, path, null);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.header("Content-Type")).startsWith("application/problem+json");
        assertThat(refused.text("instance")).isEqualTo(path);
    }

    @Test
    void aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre() {
        assertThat(service.send("DELETE", "/api/users", null).header("Allow")).contains("GET", "POST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "nonsense", "[]", "\"text\"", "5", "null", "{} {}", "{\"city\": 5}", "{\"nme\": \"x\"}"
            })
    void aBodyThatCannotBeReadIsAProblem(String body) {
        Reply refused = service.send("POST", "/api/users", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("unreadable-body");
        assertThat(refused.body().toString()).doesNotContain("jackson", "Exception", "io.movr");
    }

    @Test
    void aFieldOfTheWrongTypeIsNamed() {
        Reply refused = service.send("POST", "/api/users", "{\"city\": \"boston\", \"name\": 5}");
        assertThat(refused.body().path("errors").get(0).path("field").asString())
                .isEqualTo("name");
        assertThat(refused.text("detail")).isEqualTo("name is not text");
    }

    @Test
    void whatIsMissingIsNamed() {
        Reply refused = service.send("POST", "/api/users", "{}");
        assertThat(refused.problem()).isEqualTo("invalid-request");
        assertThat(refused.text("detail"))
                .isEqualTo("address must not be null; city must not be null; credit_card must not be null; name must"
                        + " not be null");
    }

    @Test
    void anotherMediaTypeIsAProblem() {
        assertThat(service.send("POST", "/api/users", "a=b", "Content-Type", "application/x-www-form-urlencoded")
                        .problem())
                .isEqualTo("unsupported-media-type");
        assertThat(service.get("/api/region", "Accept", "text/html").problem()).isEqualTo("not-acceptable");
        for (String body : List.of("%zz", "a=" + "x".repeat(70_000))) {
            Reply refused = service.send(
                    "PATCH",
                    "/api/users/boston/" + RunningService.RIDER,
                    body,
                    "Content-Type",
                    "application/x-www-form-urlencoded");
            assertThat(refused.problem()).isIn("unsupported-media-type", "body-too-large");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsAProblemWhetherItSaysItsSizeOrNot() throws IOException {
        String body = "{\"city\": \"boston\", \"name\": \"" + "x".repeat(70_000) + "\"}";
        Reply refused = service.send("POST", "/api/users", body);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.problem()).isEqualTo("body-too-large");
        String chunked = raw("POST /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
        assertThat(chunked).startsWith("HTTP/1.1 413").contains("/problems/body-too-large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/users/%00/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /a%2Fb HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /api/users/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /api/users/\u0001 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /api/region HTTP/1.1\r\n\r\n",
                "nonsense\r\n\r\n",
            })
    void whatIsNoHttpIsAProblemToo(String request) throws IOException {
        assertThat(raw(request)).startsWith("HTTP/1.1 400").contains("\"type\":\"/problems/malformed-request\"");
    }

    @Test
    void twoSlashesAreNoDefect() throws IOException {
        assertThat(raw("GET // HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 404")
                .contains("/problems/no-such-path");
    }

    private String raw(String request) throws IOException {
        int port = Integer.parseInt(
                service.bean(org.springframework.core.env.Environment.class).getRequiredProperty("local.server.port"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            try (InputStream answer = socket.getInputStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void aRequestKeepsTheIdThatItCameWith() {
        assertThat(service.get("/nowhere", "X-Request-Id", "abc-1").text("request_id"))
                .isEqualTo("abc-1");
        Reply own = service.get("/nowhere", "X-Request-Id", "not an id");
        assertThat(own.text("request_id")).isEqualTo(own.header("X-Request-Id")).doesNotContain(" ");
    }

    @Test
    void everyTypeIsDocumentedUnderItsAddressAndInTheDocs() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "api.md"));
        assertThat(ProblemController.all()).hasSizeGreaterThan(25).doesNotHaveDuplicates();
        for (ProblemType type : ProblemController.all()) {
            Reply shown = service.get(URI.create(type.address()).getPath());
            assertThat(shown.text("title")).isEqualTo(type.title());
            assertThat(docs).contains("`" + type.slug() + "`");
        }
    }

    @Test
    void everyEndpointIsInTheDocsAndDescribesItsProblems() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "api.md"));
        JsonNode api = service.get("/v3/api-docs").body();
        assertThat(api.path("openapi").asString()).startsWith("3.1");
        assertThat(api.path("paths").size()).isGreaterThan(12);
        api.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    assertThat(docs).contains(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                    assertThat(operation
                                    .getValue()
                                    .path("responses")
                                    .path("4XX")
                                    .toString())
                            .contains("application/problem+json");
                }));
    }
}
