package io.movr.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Sends malformed, slow and concurrent requests to the server of a console. */
class ConsoleServerTest {

    /** More connections than Tomcat has threads. */
    private static final int CLIENTS = 250;

    private static ConsoleServer server;

    @BeforeAll
    static void start() {
        server = ConsoleServer.start(
                0,
                null,
                "token",
                RouterFunctions.route()
                        .GET("/", request -> ServerResponse.ok().body("page"))
                        .GET("/defect", request -> {
                            throw new IllegalStateException("/home/me/secret");
                        })
                        .POST("/command", request -> ServerResponse.ok().body("done"))
                        .build());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Socket sent(String request) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
        // Less than the time after which a silent client's connection is closed.
        socket.setSoTimeout(8_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String answer(String request) throws IOException {
        try (Socket socket = sent(request)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\npart",
                "POST /command HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n64\r\npart",
                "POST /command HTTP/1.1\r\nHost: rebound.example\r\nX-Movr-Token: token\r\nContent-Length: 9\r\n\r\npart",
                "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\npart",
                "GET /%00 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\npart",
                "TRACE / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\npart",
            })
    void aRequestDoesNotWaitForABodyThatIsNotRead(String request) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        for (int number = 0; number < CLIENTS; number++) {
            waiting.add(sent(request));
        }
        assertThat(answer("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        for (Socket socket : waiting) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith(request.startsWith("GET / ") ? "HTTP/1.1 200" : "HTTP/1.1 4");
            socket.close();
        }
    }

    @Test
    void aBodyThatIsNotReadIsNotAskedFor() throws IOException {
        String command = "POST /command HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n";
        assertThat(answer(command + "Content-Length: 100\r\n\r\n")).startsWith("HTTP/1.1 403");
    }

    @Test
    void aForeignOriginIsRefusedEvenWithTheToken() throws IOException {
        String command = "POST /command HTTP/1.1\r\nHost: localhost\r\nX-Movr-Token: token\r\nConnection: close\r\n";
        assertThat(answer(command + "Origin: http://rebound.example\r\n\r\n")).startsWith("HTTP/1.1 403");
        assertThat(answer(command + "Origin: http://localhost:8070\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/defect", "/%00", "/a%2Fb"})
    void answersShowNeitherStackTracesNorVersions(String path) throws IOException {
        assertThat(answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .contains("application/problem+json")
                .doesNotContain("Tomcat", "Exception", "secret", "\tat ");
    }

    @Test
    void serversThatStartTogetherEachListenAtOneOfTheNextPorts() throws IOException {
        List<ConsoleServer> servers = IntStream.range(0, 4)
                .parallel()
                .mapToObj(number -> ConsoleServer.start(
                        null,
                        null,
                        "token",
                        RouterFunctions.route()
                                .GET("/number", request -> ServerResponse.ok().body("server " + number))
                                .build()))
                .toList();
        try {
            for (int number = 0; number < servers.size(); number++) {
                URI address = URI.create(servers.get(number).url());
                assertThat(address.getPort())
                        .isBetween(ConsoleServer.PORT, ConsoleServer.PORT + ConsoleServer.MAX_TRIES - 1);
                try (InputStream answer = address.resolve("number").toURL().openStream()) {
                    assertThat(answer.readAllBytes()).asString().isEqualTo("server " + number);
                }
            }
        } finally {
            servers.forEach(ConsoleServer::close);
        }
    }
}
