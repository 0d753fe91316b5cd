package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Serving;
import io.movr.traffic.ServiceProcess.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that are to stop the service, each refused or survived while ordinary requests are answered, by a service in a
 * heap of 256 MiB that ends at its first OutOfMemoryError.
 */
@Tag("full")
class HostileRequestsTest {

    /** More than the service has threads. */
    private static final int CLIENTS = 300;

    private static final int ORDINARY = 50;
    /** After which a request that is not answered counts as never answered; far longer than a busy machine takes. */
    private static final Duration NEVER = Duration.ofMinutes(2);

    private static final String RIDER = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a";
    private static final String JSON = "Content-Type: application/json\r\n";

    @TempDir
    private static Path folder;

    private static MovrProgram movr;
    private static Serving serving;
    private static int filesBefore;
    private static int threadsBefore;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void serve() throws Exception {
        movr = new MovrProgram(folder).withJavaOptions("-Xmx256m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError");
        // Waiting for the usual minute would show nothing else.
        serving = movr.serve("--set=server.tomcat.keep-alive-timeout=10s");
        HostileRequestsTest test = new HostileRequestsTest();
        test.ordinaryRequestsAreAnswered();
        Metrics metrics = test.metrics();
        filesBefore = (int) metrics.sum("process_files_open_files");
        threadsBefore = (int) metrics.sum("jvm_threads_live_threads");
    }

    /** Connections are closed and threads end long after the test that needed them, so it is waited for once. */
    @AfterAll
    static void everythingIsAsBefore() throws Exception {
        try {
            HostileRequestsTest test = new HostileRequestsTest();
            long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (true) {
                Metrics metrics = test.metrics();
                double files = metrics.sum("process_files_open_files");
                double threads = metrics.sum("jvm_threads_live_threads");
                if (files <= filesBefore + 20 && threads <= threadsBefore + 20) {
                    break;
                }
                assertThat(System.nanoTime())
                        .as(
                                "%.0f files, %d before; %.0f threads, %d before",
                                files, filesBefore, threads, threadsBefore)
                        .isLessThan(end);
                // Each question wakes a thread that would have ended.
                Thread.sleep(5_000);
            }
        } finally {
            serving.close();
        }
    }

    @BeforeEach
    void itIsThere() {
        assertThat(serving.process().isAlive()).isTrue();
    }

    @AfterEach
    void othersAreStillAnswered() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        ordinaryRequestsAreAnswered();
        assertThat(metrics().sum("http_server_requests_seconds_count", "outcome=\"SERVER_ERROR\""))
                .isZero();
        assertThat(movr.lastError()).doesNotContain("OutOfMemoryError", "A defect at", "StackOverflowError");
    }

    @Test
    void bodiesOf100Megabytes() throws Exception {
        String head = "POST /api/users HTTP/1.1\r\nHost: localhost\r\n" + JSON;
        List<String> heads =
                List.of(head + "Content-Length: 104857600\r\n\r\n", head + "Transfer-Encoding: chunked\r\n\r\n");
        // As one JSON string, so that only its size is wrong with it; eight at once do not fit into the heap.
        byte[] part = "x".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
        ExecutorService senders = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                String begin = heads.get(number % 2);
                boolean chunked = begin.contains("chunked");
                answers.add(senders.submit(() -> {
                    Socket socket = open();
                    OutputStream out = socket.getOutputStream();
                    send(socket, begin);
                    try {
                        byte[] opening = "{\"name\": \"".getBytes(StandardCharsets.US_ASCII);
                        write(out, opening, chunked);
                        for (int sent = 0; sent < 1_600; sent++) {
                            write(out, part, chunked);
                        }
                    } catch (IOException closed) {
                        // The answer says why, if there is one.
                    }
                    return status(socket);
                }));
            }
            ordinaryRequestsAreAnswered();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isIn("413", "closed");
            }
        } finally {
            senders.shutdownNow();
        }
    }

    private static void write(OutputStream out, byte[] bytes, boolean chunked) throws IOException {
        if (chunked) {
            out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        out.write(bytes);
        if (chunked) {
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** What follows a refused body is not taken for a request. */
    @Test
    void requestsInsideARefusedBody() throws Exception {
        Socket socket = open();
        send(socket, "POST /api/users HTTP/1.1\r\nHost: localhost\r\n" + JSON + "Content-Length: 104857600\r\n\r\n");
        send(socket, "GET /api/region HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(10));
        String answers = rest(socket);
        assertThat(answers.split("HTTP/1.1 ", -1)).as(answers).hasSizeLessThanOrEqualTo(2);
        assertThat(answers).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void deepJson() throws Exception {
        for (int levels : List.of(1_000, 20_000, 100_000)) {
            for (String field : List.of("city", "ext", "unknown")) {
                String arrays = "{\"" + field + "\": " + "[".repeat(levels) + "]".repeat(levels) + "}";
                String objects =
                        "{\"" + field + "\": " + "{\"ext\":".repeat(levels / 8) + "1" + "}".repeat(levels / 8) + "}";
                String open = "[".repeat(levels);
                for (String body : List.of(arrays, objects, open)) {
                    assertThat(post("/api/vehicles", body.getBytes(StandardCharsets.UTF_8), Map.of()))
                            .as("%d levels in %s", levels, field)
                            .isEqualTo(body.length() > 65_536 ? 413 : 400);
                }
            }
        }
        ordinaryRequestsAreAnswered();
    }

    @Test
    void wrongEncodings() throws Exception {
        String user =
                "{\"city\": \"boston\", \"name\": \"Ada\", \"address\": \"x\", \"credit_card\": \"4111111111111111\"}";
        byte[] utf8 = user.getBytes(StandardCharsets.UTF_8);
        for (byte[] wrong : List.of(
                new byte[] {(byte) 0xff, (byte) 0xfe},
                new byte[] {(byte) 0xc0, (byte) 0xaf},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xe2, (byte) 0x82},
                new byte[] {0})) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            int at = user.indexOf("Ada");
            body.write(utf8, 0, at);
            body.write(wrong);
            body.write(utf8, at, utf8.length - at);
            assertThat(post("/api/users", body.toByteArray(), Map.of())).isEqualTo(400);
        }
        assertThat(post("/api/users", user.replace("Ada", "\\u0000").getBytes(StandardCharsets.UTF_8), Map.of()))
                .isEqualTo(400);
        assertThat(post("/api/users", user.replace("Ada", "\\ud800").getBytes(StandardCharsets.UTF_8), Map.of()))
                .isEqualTo(400);
        for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-32", "ISO-8859-1", "x-unknown", "\"", "IBM1047")) {
            byte[] body = Charset.isSupported(charset.replace("\"", "x-none"))
                    ? user.getBytes(Charset.forName(charset))
                    : utf8;
            assertThat(post("/api/users", body, Map.of("Content-Type", "application/json;charset=" + charset)))
                    .as(charset)
                    .isLessThan(500);
        }
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
            gzip.write(new byte[50_000_000]);
        }
        assertThat(bomb.size()).isLessThan(65_536);
        for (String encoding : List.of("gzip", "deflate", "br", "gzip, gzip")) {
            assertThat(post("/api/users", bomb.toByteArray(), Map.of("Content-Encoding", encoding)))
                    .isBetween(400, 499);
        }
        ordinaryRequestsAreAnswered();
    }

    @Test
    void thousandsOfHeadersAndLongAddresses() throws Exception {
        StringBuilder headers = new StringBuilder();
        StringBuilder small = new StringBuilder();
        for (int number = 0; number < 5_000; number++) {
            headers.append("X-").append(number).append(": value-of-a-header\r\n");
            if (number < 1_000) {
                small.append("a: b\r\n");
            }
        }
        String get = "GET /api/region";
        String end = "Host: localhost\r\n\r\n";
        for (String request : List.of(
                get + " HTTP/1.1\r\n" + headers + end,
                get + " HTTP/1.1\r\n" + small + end,
                get + " HTTP/1.1\r\nX-Long: " + "x".repeat(1_000_000) + "\r\n" + end,
                get + " HTTP/1.1\r\nCookie: " + "a=b; ".repeat(10_000) + "\r\n" + end,
                get + " HTTP/1.1\r\n" + "x".repeat(100_000) + ": y\r\n" + end,
                get + "/" + "x".repeat(1_000_000) + " HTTP/1.1\r\n" + end,
                "GET /api/vehicles?city=boston" + "&city=boston".repeat(100_000) + " HTTP/1.1\r\n" + end,
                "GET /api/vehicles?city=boston" + "&a=".repeat(2_000) + " HTTP/1.1\r\n" + end,
                "X".repeat(1_000_000) + " / HTTP/1.1\r\n" + end,
                get + " HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n" + end,
                get + " HTTP/1.1\r\nContent-Length: -1\r\n" + end,
                "POST /api/users HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n" + end,
                "POST /api/users HTTP/1.1\r\nTransfer-Encoding: cow\r\n" + end,
                "POST /api/users HTTP/1.1\r\n" + JSON + "Transfer-Encoding: chunked\r\n" + end + "zz\r\n")) {
            Socket socket = open();
            try {
                send(socket, request);
            } catch (IOException closed) {
                // The answer says why, if there is one.
            }
            assertThat(status(socket))
                    .as(request.substring(0, Math.min(60, request.length())))
                    .isIn("400", "414", "431", "501", "closed");
        }
        ordinaryRequestsAreAnswered();
    }

    @Test
    void headersOfAByteASecond() throws Exception {
        slowly("GET /api/region HTTP/1.1\r\nHost: localhost\r\n", "X-Slow: ");
        slowly("", "GET /api/region/and/more/that/never/ends/and/goes/on/and/on/for/ever/and/a/day HTTP/1.1");
    }

    @Test
    void bodiesOfAByteASecond() throws Exception {
        String post = "POST /api/users HTTP/1.1\r\nHost: localhost\r\n";
        String length = "Content-Length: 60000\r\n\r\n";
        String[] bodies = {
            post + JSON + length,
            post + JSON + "Transfer-Encoding: chunked\r\n\r\nfff0\r\n",
            post + "Content-Type: application/x-www-form-urlencoded\r\n" + length,
            // Not even looked at, but the connection could not be used again without it.
            "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n" + length,
        };
        for (String body : bodies) {
            for (Socket socket : slowly(body, "x")) {
                assertThat(status(socket)).isIn("408", "404", "415");
                socket.close();
            }
        }
    }

    /** Sends to many connections a byte each second while ordinary requests are answered. */
    private List<Socket> slowly(String begin, String next) throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (int number = 0; number < CLIENTS; number++) {
            Socket socket = open();
            send(socket, begin);
            slow.add(socket);
        }
        AtomicBoolean ended = new AtomicBoolean();
        Thread sender = new Thread(() -> {
            try {
                for (int number = 0; !ended.get(); number++) {
                    for (Socket socket : slow) {
                        send(socket, next.substring(number % next.length(), number % next.length() + 1));
                    }
                    Thread.sleep(1_000);
                }
            } catch (IOException | InterruptedException refused) {
                // The service may close any of them.
            }
        });
        sender.start();
        try {
            ordinaryRequestsAreAnswered();
            Thread.sleep(3_000);
            ordinaryRequestsAreAnswered();
        } finally {
            ended.set(true);
            sender.interrupt();
            sender.join();
        }
        return slow;
    }

    @Test
    void fiveHundredIdleConnections() throws Exception {
        List<Socket> idle = new ArrayList<>();
        for (int number = 0; number < 500; number++) {
            Socket socket = open();
            idle.add(socket);
            if (number % 2 == 0) {
                send(socket, "GET /api/region HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
        }
        ordinaryRequestsAreAnswered();
        for (Socket socket : idle) {
            // The service closes each of them in the end.
            assertThat(rest(socket)).doesNotContain("HTTP/1.1 5");
        }
    }

    @Test
    void halfClosedConnections() throws Exception {
        String get = "GET /api/region HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        Socket whole = open();
        send(whole, get);
        whole.shutdownOutput();
        assertThat(status(whole)).isEqualTo("200");
        for (String half : List.of(
                "",
                "G",
                "GET /api/region HTTP/1.1\r\nHost",
                "POST /api/users HTTP/1.1\r\nHost: localhost\r\n" + JSON + "Content-Length: 100\r\n\r\n{\"city\"",
                "POST /api/users HTTP/1.1\r\nHost: localhost\r\n" + JSON
                        + "Transfer-Encoding: chunked\r\n\r\n5\r\n{")) {
            for (int number = 0; number < 100; number++) {
                Socket socket = open();
                send(socket, half);
                socket.shutdownOutput();
                assertThat(status(socket)).isIn("400", "408", "closed");
            }
        }
        ordinaryRequestsAreAnswered();
    }

    @Test
    void garbageBehindRequests() throws Exception {
        String get = "GET /api/region HTTP/1.1\r\nHost: localhost\r\n\r\n";
        Socket many = open();
        send(many, get.repeat(99) + get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
        assertThat(rest(many).split("HTTP/1.1 200", -1)).hasSize(101);
        Random random = new Random(20_180_720);
        for (int number = 0; number < 300; number++) {
            byte[] garbage = new byte[1 + random.nextInt(20_000)];
            random.nextBytes(garbage);
            Socket socket = open();
            try {
                send(socket, get);
                socket.getOutputStream().write(garbage);
                send(socket, "\r\n\r\n" + get);
                socket.shutdownOutput();
            } catch (IOException closed) {
                // Garbage need not be read to its end.
            }
            assertThat(rest(socket)).doesNotContain("HTTP/1.1 5");
        }
        ordinaryRequestsAreAnswered();
    }

    /** Reads and writes of somebody else. */
    private void ordinaryRequestsAreAnswered() throws Exception {
        for (int number = 0; number < ORDINARY; number++) {
            HttpResponse<String> page = client.send(
                    HttpRequest.newBuilder(URI.create(serving.root() + "/api/vehicles?city=boston&limit=1"))
                            .timeout(NEVER)
                            .build(),
                    BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            HttpResponse<String> renamed = client.send(
                    HttpRequest.newBuilder(URI.create(serving.root() + "/api/users/boston/" + RIDER))
                            .timeout(NEVER)
                            .header("Content-Type", "application/json")
                            .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"name\": \"Ada " + number + "\"}"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(renamed.statusCode()).as(renamed.body()).isEqualTo(200);
        }
    }

    private int post(String path, byte[] body, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(serving.root() + path))
                .timeout(NEVER)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        request.header("Content-Type", "application/json");
        headers.forEach(request::setHeader);
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private Metrics metrics() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(serving.root() + "/actuator/prometheus"))
                .timeout(NEVER)
                .build();
        return new Metrics(client.send(request, BodyHandlers.ofString()).body());
    }

    private static InetSocketAddress address() {
        URI root = URI.create(serving.root());
        return new InetSocketAddress(root.getHost(), root.getPort());
    }

    private Socket open() throws IOException {
        Socket socket = new Socket();
        synchronized (sockets) {
            sockets.add(socket);
        }
        socket.connect(address());
        socket.setSoTimeout((int) NEVER.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** The status of the answer; {@code closed} if the connection is closed without one. */
    private static String status(Socket socket) throws IOException {
        String answer = rest(socket);
        return answer.length() < 12 ? "closed" : answer.substring(9, 12);
    }

    /** All that comes until the service closes the connection. */
    private static String rest(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8_192];
        try {
            InputStream in = socket.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                all.write(buffer, 0, count);
            }
        } catch (SocketException reset) {
            // Closed with something unread.
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }
}
