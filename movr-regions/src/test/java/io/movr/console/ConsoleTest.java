package io.movr.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import io.movr.database.EmbeddedRegions;
import io.movr.database.ServerPing;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.schema.Stage;
import io.movr.traffic.Control;
import io.movr.traffic.RunningRegions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console of three servers without an instance of the service. */
class ConsoleTest {

    private static final RegionMap MAP = RegionMap.standard();
    private static final Region EAST = new Region("us-east1");
    private static final Region EUROPE = new Region("europe-west1");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static EmbeddedRegions cluster;

    private static RunningRegions running;
    private static Control control;
    private static Console console;

    @TempDir
    private static Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        cluster = EmbeddedRegions.start(List.copyOf(MAP.cities().keySet()), Distances.standard(), null);
        running = new RunningRegions(cluster, MAP);
        control = Control.lock(folder.resolve("running"));
        console = Console.start(running, control, null, null, RunBundle.in(folder));
    }

    @AfterAll
    static void stop() {
        console.close();
        control.close();
        running.close();
        cluster.close();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(console.url() + path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> command(String token, String... words) throws IOException, InterruptedException {
        String body = JsonMapper.shared().writeValueAsString(Map.of("words", words));
        return http.send(
                HttpRequest.newBuilder(URI.create(console.url() + "api/commands"))
                        .header("X-Movr-Token", token)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Sends a request unchanged, with the token and any body and headers. */
    private static Socket sent(String request, byte[] body) throws IOException {
        URI at = URI.create(console.url());
        Socket socket = new Socket(at.getHost(), at.getPort());
        // Less than the time after which a silent client's connection is closed.
        socket.setSoTimeout(8_000);
        socket.getOutputStream()
                .write((request + "Host: localhost\r\nX-Movr-Token: " + console.token() + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
    }

    private static String answer(String headers, byte[] body) throws IOException {
        try (Socket socket = sent("POST /api/commands HTTP/1.1\r\nConnection: close\r\n" + headers, body)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String commandOf(byte[] body, String... headers) throws IOException {
        return answer(
                String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n") + "Content-Length: " + body.length
                        + "\r\n",
                body);
    }

    private static void await(String what, BooleanSupplier reached) throws InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); !reached.getAsBoolean(); ) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Reads events, including earlier ones, until one matches, and reconnects as a browser does. */
    private JsonNode event(Predicate<JsonNode> wanted) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end) {
            URLConnection connection =
                    URI.create(console.url() + "api/events").toURL().openConnection();
            connection.setReadTimeout(20_000);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null && System.nanoTime() < end; line = lines.readLine()) {
                    if (line.startsWith("data:")) {
                        JsonNode event = JsonMapper.shared().readTree(line.substring("data:".length()));
                        for (JsonNode each : event.path("events")) {
                            if (wanted.test(each)) {
                                return each;
                            }
                        }
                        if (wanted.test(event)) {
                            return event;
                        }
                    }
                }
            } catch (SocketTimeoutException silent) {
                System.err.println("The console's events stopped: " + silent.getMessage());
            }
        }
        throw new AssertionError("There was no such event within two minutes");
    }

    @Test
    void everyFileOfThePageHasTheSameOriginUnderAStrictPolicy() throws Exception {
        HttpResponse<String> page = get("");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.body()).doesNotContain("style=", "onclick", "<script>", "<style>");
        for (String file : List.of(
                "console.css", "charts.js", "console.js", "tour.js", "uplot.js", "uplot.css", "ride", "ride.js")) {
            HttpResponse<String> answer = get(file);
            assertThat(answer.statusCode()).as(file).isEqualTo(200);
            assertThat(answer.body()).doesNotContain("https://cdn", "http://cdn");
        }
        assertThat(get("uplot-licence.txt").body()).contains("MIT License");
        assertThat(get("no-such-file").statusCode()).isEqualTo(404);
    }

    @Test
    void withoutTheTokenNothingIsChanged() throws Exception {
        for (String token : List.of("", "guess", console.token() + "x")) {
            assertThat(command(token, "cut", "us-east1", "europe-west1").statusCode())
                    .isEqualTo(403);
        }
        for (String path : List.of("api/token", "api/rider?region=us-east1&path=/api/rides")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(console.url() + path))
                    .POST(BodyPublishers.ofString("{}"))
                    .build();
            assertThat(http.send(request, BodyHandlers.discarding()).statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(console.addressWithToken()).isEqualTo(console.url() + "#token=" + console.token());
        assertThat(get("").body()).doesNotContain(console.token());
        assertThat(cluster.links().orElseThrow().measure(EAST, EUROPE, LIMIT)).isPresent();
    }

    @Test
    void anotherHostNameIsRefused() throws Exception {
        URI at = URI.create(console.url());
        try (Socket socket = new Socket(at.getHost(), at.getPort())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void linksAreCutAndMendedAndTheEdgeShowsTheMeasuredRoundTrip() throws Exception {
        JsonNode open = event(event -> edge(event).path("rttMs").isNumber());
        assertThat(edge(open).path("rttMs").asDouble()).as(open.toString()).isGreaterThanOrEqualTo(64);
        assertThat(open.path("regions").path("us-west1").path("server").asString())
                .isNotEmpty();
        assertThat(command(console.token(), "cut", "us-east1", "europe-west1").statusCode())
                .isEqualTo(200);
        try {
            await(
                    "cut",
                    () -> cluster.links()
                            .orElseThrow()
                            .measure(EAST, EUROPE, Duration.ofMillis(500))
                            .isEmpty());
            event(event -> edge(event).has("rttMs") && edge(event).path("rttMs").isNull());
        } finally {
            command(console.token(), "mend", "us-east1", "europe-west1");
        }
        await(
                "mended",
                () -> cluster.links().orElseThrow().measure(EAST, EUROPE, LIMIT).isPresent());
        event(event -> event.path("state").asString().equals("done")
                && event.path("line").asString().equals("./movr regions cut us-east1:europe-west1"));
    }

    @Test
    void anotherProcessGivesCommandsToTheSameServer() throws Exception {
        String done = Control.sendCommand(
                folder.resolve("running"), List.of("slow", "us-east1", "europe-west1", "70000000"), progress -> {});
        assertThat(done).isEqualTo("the link between us-east1 and europe-west1 has a round trip of 70 ms");
        event(event -> event.path("state").asString().equals("done")
                && event.path("line").asString().equals("./movr regions slow us-east1:europe-west1=70ms"));
        assertThat(command(console.token(), "slow", "us-east1", "europe-west1", "64000000")
                        .body())
                .isEqualTo("{\"done\":\"the link between us-east1 and europe-west1 has a round trip of 64 ms\"}\n");
        List<String> progress = new ArrayList<>();
        Control.sendCommand(folder.resolve("running"), List.of("placement"), progress::add);
        assertThat(progress).isNotEmpty().first().asString().contains("us-east1");
    }

    @Test
    void aCommandIsExecutedToItsEndWhenItsClientLeaves() throws Exception {
        byte[] body = "{\"words\":[\"matrix\"]}".getBytes(StandardCharsets.UTF_8);
        try (Socket left = sent("POST /api/commands HTTP/1.1\r\nContent-Length: " + body.length + "\r\n", body)) {
            assertThat(status(left)).isEqualTo("HTTP/1.1 200");
        }
        event(event -> event.path("verb").asString().equals("matrix")
                && List.of("done", "failed").contains(event.path("state").asString()));
    }

    private static JsonNode edge(JsonNode event) {
        for (JsonNode edge : event.path("edges")) {
            if (edge.path("one").asString().equals("us-east1")
                    && edge.path("other").asString().equals("europe-west1")) {
                return edge;
            }
        }
        return JsonMapper.shared().createObjectNode();
    }

    @Test
    void aServerIsKilledAndStartedAgain() throws Exception {
        int port = cluster.servers().get(EUROPE).port();
        command(console.token(), "kill", "europe-west1");
        await("killed", () -> ServerPing.of("127.0.0.1", port, LIMIT).isEmpty());
        event(event -> event.at("/regions/europe-west1/server").asString().equals("no answer"));
        command(console.token(), "restart", "europe-west1");
        await("started", () -> ServerPing.of("127.0.0.1", port, LIMIT).isPresent());
    }

    @Test
    void aMigrationIsRecordedAndTheRecordingOpensAsAPage() throws Exception {
        command(console.token(), "migrate", "baseline");
        await("at stage baseline", () -> running.schema().current().equals(Optional.of(Stage.BASELINE)));
        event(event -> event.path("type").asString().equals("command")
                && event.path("state").asString().equals("done"));
        event(event -> event.path("type").asString().equals("tick")
                && event.path("stage").asString().equals("baseline"));
        command(console.token(), "migrate", "no-such-stage");
        event(event -> event.path("type").asString().equals("command")
                && event.path("state").asString().equals("failed")
                && event.path("what").asString().contains("no-such-stage"));
        assertThat(command(console.token(), "traffic", "7", "0.5", "0.2").body())
                .startsWith("{\"done\":\"7 arrivals/s are sent in each region");
        assertThat(running.traffic().perSecond()).isEqualTo(7);
        assertThat(running.traffic().writeShare()).isEqualTo(0.2);
        Path recorded = folder.resolve("recorded");
        try (Recording recording = new Recording(RunBundle.in(recorded))) {
            Files.readAllLines(folder.resolve("console.jsonl")).forEach(recording::add);
        }
        List<String> lines = Files.readAllLines(recorded.resolve("console.jsonl"));
        assertThat(lines).anyMatch(line -> line.contains("./movr migrate --stage baseline"));
        assertThat(lines)
                .allSatisfy(line -> assertThat(
                                JsonMapper.shared().readTree(line).path("t").asLong())
                        .isPositive());
        assertThat(Files.readString(recorded.resolve("console.html")))
                .contains("id=\"recording\"", "./movr migrate --stage baseline", "uPlot", "default-src 'none'")
                .doesNotContain("<script src", "<link rel=\"stylesheet\"");
    }

    @Test
    void aFullRecordingOpensAsAPage() throws Exception {
        try (Recording recording = new Recording(RunBundle.in(folder.resolve("short")), 30)) {
            recording.add("{\"event\":\"first\"}");
            recording.add("{\"event\":\"second\"}");
            recording.add("{}");
        }
        Path disk = Path.of("/dev/full");
        assumeTrue(Files.exists(disk), "needs /dev/full");
        Path full = Files.createDirectories(folder.resolve("full"));
        Files.createSymbolicLink(full.resolve("console.jsonl"), disk);
        try (Recording recording = new Recording(RunBundle.in(full))) {
            recording.add("{\"event\":\"first\"}");
        }
        assertThat(Files.readString(folder.resolve("short").resolve("console.html")))
                .contains("{\"event\":\"first\"}")
                .doesNotContain("{\"event\":\"second\"}");
        assertThat(Files.readString(full.resolve("console.html")))
                .contains("[]")
                .doesNotContain("\"event\":\"first\"");
    }

    @Test
    void anUnknownCommandIsRefused() throws Exception {
        assertThat(command(console.token(), "dance").body()).contains("unknown command \\\"dance\\\"");
        assertThat(command(console.token(), "cut", "us-east1").statusCode()).isEqualTo(400);
        assertThat(get("api/line?word=slow&word=us-east1&word=us-west1&word=300000000")
                        .body())
                .contains("./movr regions slow us-east1:us-west1=300ms", "\"harmful\":false");
        assertThat(get("api/line?word=cut&word=us-east1&word=us-west1").body()).contains("\"harmful\":true");
        assertThat(get("api/rider?region=us-east1&path=@example.org/").statusCode())
                .isEqualTo(400);
        assertThat(get("api/rider?region=mars&path=/api/%25").body()).contains("'/api/%' is not a path of the service");
        assertThat(get("api/rider?region=mars&path=/api/%25zz").body()).contains("is not a path of the service");
        assertThat(get("api/rider?region=mars&path=/api/%2520").body()).contains("There is no service in 'mars'");
        assertThat(get("api/rider?region=mars&path=/api/vehicles").body()).contains("There is no service in 'mars'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"words\":[\"kill\",\"\u00e9\"]}",
                "{\"words\":[\"zz\"],\"words\":[\"matrix\"]}",
                "{\"words\":{\"a\":\"matrix\"}}",
                "{\"words\":[\"kill\",1]}",
                "{\"words\":[\"kill\",null]}",
                "{\"words\":[\"kill\",[\"mars\"]]}",
                "{\"words\":\"matrix\"}",
                "{\"words\":[\"matrix\"]} trailing",
                "\"matrix\"",
                "null",
                "",
            })
    void aCommandIsAListOfTexts(String body) throws IOException {
        assertThat(commandOf(body.getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("HTTP/1.1 400")
                .containsPattern("The body is|A command is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json;charset=ISO-8859-1", "application/json;charset=zzz", "nonsense", "*/*", ";"})
    void theTypeOfABodyDoesNotChangeHowItIsRead(String type) throws IOException {
        byte[] body = "{\"words\":[\"kill\",\"\u00e9\"]}".getBytes(StandardCharsets.UTF_8);
        assertThat(commandOf(body, "Content-Type: " + type))
                .startsWith("HTTP/1.1 200")
                .contains("\"failed\":", "\u00e9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Expect: 100-continue\r\n"})
    void aBodyThatIsTooLargeIsRefused(String expect) throws IOException {
        assertThat(answer(expect + "Content-Length: 4097\r\n", new byte[0])).startsWith("HTTP/1.1 413");
        assertThat(answer(expect + "Content-Length: 3000000\r\n", new byte[3_000_000]))
                .startsWith("HTTP/1.1 413");
        assertThat(answer(expect + "Transfer-Encoding: chunked\r\n", new byte[0]))
                .startsWith("HTTP/1.1 411");
    }

    @Test
    void aMalformedParameterIsAClientError() throws IOException {
        try (Socket socket = sent("GET /api/line?word=%zz HTTP/1.1\r\nConnection: close\r\n", new byte[0])) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400")
                    .contains("A parameter is malformed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e9", "0x10", "1_000", "%201", "%2B1", "-1", "%EF%BC%911", "NaN", "1.0", ""})
    void aNumberOfNanosecondsIsDigits(String nanos) throws Exception {
        HttpResponse<String> answer = get("api/line?word=slow&word=us-east1&word=us-west1&word=" + nanos);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("is not a number of nanoseconds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1", "0x1p3", "1_0", "%201", "%2B1", "1d", "NaN", "Infinity", "%EF%BC%911", ".5", "1."})
    void aRateIsADecimalNumber(String rate) throws Exception {
        HttpResponse<String> answer = get("api/line?word=traffic&word=" + rate + "&word=0.05&word=0.1");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("is not a decimal number");
    }

    @Test
    void aHeadRequestHasTheHeadersOfTheGetRequest() throws Exception {
        for (String file : List.of("", "console.js", "ride")) {
            HttpResponse<Void> head = http.send(
                    HttpRequest.newBuilder(URI.create(console.url() + file))
                            .method("HEAD", BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.discarding());
            assertThat(head.statusCode()).as(file).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Type"))
                    .isEqualTo(get(file).headers().firstValue("Content-Type"));
        }
    }

    @Test
    void theLimitOfOpenPagesHoldsForConcurrentRequests() throws Exception {
        byte[] head = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        URI at = URI.create(console.url());
        List<Socket> open = new ArrayList<>();
        try {
            for (int page = 0; page < 500; page++) {
                Socket socket = new Socket(at.getHost(), at.getPort());
                open.add(socket);
                socket.getOutputStream().write(head, 0, head.length - 1);
            }
            for (Socket socket : open) {
                socket.getOutputStream().write(head, head.length - 1, 1);
            }
            List<String> statuses = new ArrayList<>();
            for (Socket socket : open) {
                statuses.add(status(socket));
            }
            assertThat(statuses).containsOnly("HTTP/1.1 200", "HTTP/1.1 503");
            assertThat(statuses).filteredOn("HTTP/1.1 200"::equals).hasSizeLessThanOrEqualTo(20);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
        await("pages that were closed give way to others", () -> {
            try (Socket next = sent("GET /api/events HTTP/1.1\r\n", new byte[0])) {
                return status(next).equals("HTTP/1.1 200");
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }

    @Test
    void aPortInUseIsReportedAndTheDefaultPortIsReplacedByTheNext() {
        int taken = URI.create(console.url()).getPort();
        RunBundle bundle = RunBundle.in(folder.resolve("second"));
        Control other = Control.lock(folder.resolve("second"));
        assertThatThrownBy(() -> Console.start(running, other, taken, null, bundle))
                .isInstanceOf(UserError.class)
                .hasMessage("Port " + taken + " is taken: choose another one with --console, or 0 for any free port");
        try (other;
                Console second = Console.start(running, other, null, null, bundle)) {
            assertThat(URI.create(second.url()).getPort()).isNotEqualTo(taken);
            assertThat(second.end())
                    .hasValueSatisfying(
                            page -> assertThat(page).hasFileName("console.html").exists());
            assertThat(second.end()).isEmpty();
        }
    }
}
