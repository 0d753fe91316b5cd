package io.movr.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;

/** Requests that are rejected, by clients that want to do harm. */
class RejectedRequestsTest {

    private static final String HOST = "Host: localhost\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String USER =
            "{\"city\":\"boston\",\"name\":\"Ada\",\"address\":\"x\",\"credit_card\":\"4111111111111111\"}";
    private static final int THREADS = 4;

    /** Whatever waits for a client waits for longer than any test. */
    private static RunningService service;

    private static int port;

    @BeforeAll
    static void start() {
        service = RunningService.start(
                RunningService.database(RunningService.STAGE),
                Map.of(
                        "server.tomcat.connection-timeout", "1h",
                        "server.tomcat.threads.max", Integer.toString(THREADS),
                        "server.tomcat.threads.min-spare", Integer.toString(THREADS)));
        port = Integer.parseInt(service.bean(Environment.class).getRequiredProperty("local.server.port"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Socket sent(byte[] request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(15_000);
        socket.getOutputStream().write(request);
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        try (InputStream answer = socket.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String answer(String request) throws IOException {
        try (Socket socket = sent(request.getBytes(StandardCharsets.ISO_8859_1))) {
            return answer(socket);
        }
    }

    private static String post(String headers, String body) throws IOException {
        return answer("POST /api/users HTTP/1.1\r\n" + headers + "Connection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%00", "GET /a%2Fb", "TRACE /", "TRACE /api/users", "OPTIONS *", "GET *"})
    void aRequestThatIsRejectedDoesNotWaitForItsBody(String line) throws IOException {
        for (String body : List.of(
                "Content-Length: 100\r\n\r\n",
                "Content-Length: 100\r\n\r\npart",
                "Content-Length: 100000000\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n64\r\npart")) {
            List<Socket> waiting = new ArrayList<>();
            for (int number = 0; number < 2 * THREADS; number++) {
                waiting.add(sent((line + " HTTP/1.1\r\n" + HOST + body).getBytes(StandardCharsets.US_ASCII)));
            }
            assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
            for (Socket socket : waiting) {
                assertThat(answer(socket)).startsWith(line.equals("OPTIONS *") ? "HTTP/1.1 200" : "HTTP/1.1 4");
                socket.close();
            }
        }
    }

    @Test
    void aBodyThatIsThereDoesNotCostTheConnection() throws IOException {
        String rejected = "TRACE / HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody";
        String both = answer(rejected + "GET /problems HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
        assertThat(both).startsWith("HTTP/1.1 405").contains("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 30})
    void aClientThatSendsTooMuchReadsWhy(int mebibytes) throws IOException {
        byte[] part = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = sent(("POST /api/users HTTP/1.1\r\n" + HOST + JSON + "Content-Length: "
                        + ((long) mebibytes << 20) + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII))) {
            OutputStream body = socket.getOutputStream();
            for (int sent = 0; sent < mebibytes; sent++) {
                body.write(part);
            }
            assertThat(answer(socket)).startsWith("HTTP/1.1 413").contains("/problems/body-too-large");
        }
    }

    @Test
    void aBodyThatIsDeclaredTooLargeIsNotAskedFor() throws IOException {
        assertThat(answer("POST /api/users HTTP/1.1\r\n" + HOST + JSON
                        + "Expect: 100-continue\r\nContent-Length: 100000000\r\n\r\n"))
                .startsWith("HTTP/1.1 413")
                .contains("/problems/body-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: ", "Transfer-Encoding: chunked"})
    void aClientThatWaitsIsAskedForItsBody(String framing) throws IOException {
        boolean chunked = framing.startsWith("Transfer");
        try (Socket socket = sent(("POST /api/users HTTP/1.1\r\n" + HOST + JSON + "Connection: close\r\n"
                        + "Expect: 100-continue\r\n" + framing + (chunked ? "" : USER.length()) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII))) {
            String asked = "HTTP/1.1 100 \r\n\r\n";
            assertThat(new String(socket.getInputStream().readNBytes(asked.length()), StandardCharsets.US_ASCII))
                    .isEqualTo(asked);
            String body = chunked ? Integer.toHexString(USER.length()) + "\r\n" + USER + "\r\n0\r\n\r\n" : USER;
            socket.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(socket)).startsWith("HTTP/1.1 201");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n{}\r\n0\r\n\r\n",
                "-1\r\n{}\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
                "2\r\n{}XX0\r\n\r\n",
                "2\r\n{}\r\nzz\r\n",
                "2\r\n{}\r\n0\r\nbad trailer\r\n\r\n",
            })
    void aMalformedChunkIsAnswered(String chunks) throws IOException {
        String head = "POST /api/users HTTP/1.1\r\n" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n";
        assertThat(answer(head + chunks)).startsWith("HTTP/1.1 400").contains("/problems/malformed-request");
        try (Socket socket = sent(head.getBytes(StandardCharsets.US_ASCII))) {
            // In packets of their own.
            socket.setTcpNoDelay(true);
            for (byte each : chunks.getBytes(StandardCharsets.US_ASCII)) {
                socket.getOutputStream().write(each);
            }
            assertThat(answer(socket)).startsWith("HTTP/1.1 400").contains("/problems/malformed-request");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/yaml",
                "application/x-yaml",
                "text/yaml",
                "*/*",
                "application/*",
                "application/*+json",
                "application/json;charset=UTF-16",
                "application/json;charset=ISO-8859-1",
                "application/cbor",
                "application/xml",
                "nonsense",
                "application/json\r\nContent-Type: application/json",
                "application/json\r\nContent-Encoding: gzip",
            })
    void onlyJsonInUtf8IsTaken(String type) throws IOException {
        assertThat(post(HOST + "Content-Type: " + type + "\r\n", USER))
                .startsWith("HTTP/1.1 415")
                .contains("/problems/unsupported-media-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json;charset=utf-8", "application/merge-patch+json"})
    void jsonIsTaken(String type) throws IOException {
        assertThat(post(HOST + "Content-Type: " + type + "\r\n", USER)).startsWith("HTTP/1.1 201");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/yaml", "application/cbor", "application/xml", "text/html"})
    void nothingButJsonIsAnswered(String type) {
        for (String path : List.of(
                "/api/region",
                "/problems",
                "/api/vehicles?city=boston",
                "/api/users/boston/" + RunningService.RIDER,
                "/api/promo_codes")) {
            Reply refused = service.get(path, "Accept", type);
            assertThat(refused.status()).as(path).isEqualTo(406);
            assertThat(refused.problem()).isEqualTo("not-acceptable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE"})
    void otherEncodingsAreNotGuessed(String encoding) throws IOException {
        byte[] body = USER.getBytes(Charset.forName(encoding));
        byte[] head = ("POST /api/users HTTP/1.1\r\n" + HOST + JSON + "Connection: close\r\nContent-Length: "
                        + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = sent(head)) {
            socket.getOutputStream().write(body);
            assertThat(answer(socket)).startsWith("HTTP/1.1 400").contains("UTF-8");
        }
    }

    @Test
    void aPropertyThatIsThereTwiceIsNamed() {
        Reply refused = service.send("POST", "/api/users", USER.replace("}", ",\"city\":\"rome\"}"));
        assertThat(refused.problem()).isEqualTo("unreadable-body");
        assertThat(refused.text("detail"))
                .isEqualTo("An object of the body has the same field several times: send it once");
    }

    @Test
    void headersThatDecideAreThereOnce() throws IOException {
        String twice = post(HOST + JSON + "Idempotency-Key: one\r\nIdempotency-Key: two\r\n", USER);
        assertThat(twice).startsWith("HTTP/1.1 400").contains("Idempotency-Key occurs several times");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "-01", "+1", "1e0", "1.0", "0x1", "%201", "1%00", "%D9%A1"})
    void numbersHaveOneSpelling(String limit) {
        assertThat(service.get("/api/users?city=boston&limit=" + limit).text("detail"))
                .isEqualTo("limit is not a whole number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"1-1-1-1-1\"",
                "\" 00000000-0000-4000-8000-000000000000\"",
                "\"{00000000-0000-4000-8000-000000000000}\"",
                "\"00000000000040008000000000000000\"",
                "\"AAAAAAAAAAAAAAAAAAAAAA==\"",
                "\"AAAAAAAAAAAAAAAAAAAAAA\"",
                "\"\"",
                "0",
            })
    void uuidsInBodiesHaveOneSpelling(String rider) {
        String ride =
                "{\"city\":\"boston\",\"rider_id\":" + rider + ",\"vehicle_id\":\"" + RunningService.RIDER + "\"}";
        assertThat(service.send("POST", "/api/rides", ride).text("detail")).isEqualTo("rider_id is not a UUID");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4102444800",
                "4102444800.5",
                "\"4102444800\"",
                "1e400",
                "\" 2100-01-01T00:00:00Z \"",
                "\"2100-01-01T24:00:00Z\"",
                "\"2100-01-01T00:00Z\"",
                "\"2100-01-01T00:00:00\"",
                "\"2100-02-29T00:00:00Z\"",
                "\"+2100-01-01T00:00:00Z\"",
                "\"\uff12100-01-01T00:00:00Z\"",
                "\"\"",
            })
    void timesInBodiesHaveTheirZone(String time) {
        String code = "{\"code\":\"T-TIME\",\"description\":\"x\",\"expiration_time\":" + time
                + ",\"rules\":{\"type\":\"percent_discount\",\"value\":10}}";
        Reply refused = service.send("POST", "/api/promo_codes", code);
        assertThat(refused.problem()).isEqualTo("unreadable-body");
        assertThat(refused.text("detail")).isEqualTo("expiration_time is not a time such as 2026-07-20T18:30:00Z");
    }

    @Test
    void parametersInsideAPathAreNotIgnored() {
        assertThat(service.get("/api/users;limit=1?city=boston").problem()).isEqualTo("malformed-request");
        assertThat(service.get("/api/promo_codes/a%3Bb").problem()).isEqualTo("invalid-request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /api/users HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
                "CONNECT /x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            })
    void whatTheServiceDoesNotSpeakIsNoDefectOfIt(String request) throws IOException {
        assertThat(answer(request)).startsWith("HTTP/1.1 50").contains("/problems/malformed-request");
    }

    @Test
    void pathsOfThisMachineAreNotShown() {
        String shown = service.get("/api/region").text("gateway");
        assertThat(shown).startsWith("jdbc:postgresql://").doesNotContain("passfile", "password");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: rebound.example\r\n",
                "Host: rebound.example:80\r\nOrigin: http://rebound.example\r\n",
                "Host: localhost\r\nOrigin: http://rebound.example\r\n",
                "Host: localhost\r\nOrigin: null\r\n",
                "Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://rebound.example\r\n",
                "Host: localhost\r\nOrigin: extension://localhost\r\n",
                "Host: localhost.rebound.example\r\n",
                "Host: 127.0.0.1.rebound.example\r\n",
                "Host: localhost\r\nOrigin: http://localhost.rebound.example\r\n",
                "Host: localhost\r\nOrigin: http://localhost@rebound.example\r\n",
            })
    void pagesOfOtherSitesReachNothing(String headers) throws IOException {
        String before = service.ask("SELECT count(*) FROM users");
        assertThat(post(headers + JSON, USER)).startsWith("HTTP/1.1 403").contains("/problems/foreign-site");
        assertThat(answer("GET /api/region HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(answer("POST /api/users HTTP/1.1\r\n" + headers + JSON + "Content-Length: 100\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(service.ask("SELECT count(*) FROM users")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: localhost:8080\r\n",
                "Host: LOCALHOST\r\nOrigin: http://localhost:8080\r\n",
                "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1:8080\r\n",
                "Host: [::1]:8080\r\nOrigin: http://[::1]:8080\r\n",
            })
    void pagesOfThisMachineDo(String headers) throws IOException {
        assertThat(post(headers + JSON, USER)).startsWith("HTTP/1.1 201");
    }

    @Test
    void aServiceForOthersKnowsNoForeignSites() throws Exception {
        try (RunningService open = RunningService.start(service.gateway(), Map.of("server.address", "0.0.0.0"));
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        Integer.parseInt(open.bean(Environment.class).getRequiredProperty("local.server.port")))) {
            socket.getOutputStream()
                    .write("GET /problems HTTP/1.1\r\nHost: movr.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
        }
    }
}
