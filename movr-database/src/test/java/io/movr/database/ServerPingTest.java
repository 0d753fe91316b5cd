package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServerPingTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int QUESTION = 8;

    @Test
    void aServerIsAskedTwiceUnlessItOffersEncryption() throws Exception {
        assertThat(ping(socket -> {
                    answer(socket, 'N');
                    answer(socket, 'N');
                }))
                .isPresent();
        assertThat(ping(socket -> answer(socket, 'S'))).isPresent();
        assertThat(ping(socket -> {
                    answer(socket, 'N');
                    answer(socket, 'E');
                    socket.getOutputStream().write(ascii("....SERROR\0C08P01\0Munknown protocol version"));
                }))
                .as("CockroachDB")
                .isPresent();
    }

    @Test
    void anErrorThatAnswersNoQuestionIsNoRoundTrip() throws Exception {
        byte[] error = ascii("E....SFATAL\0C57P03\0Mthe database system is starting up");
        assertThat(ping(socket -> socket.getOutputStream().write(error))).isEmpty();
        assertThat(ping(socket -> {
                    answer(socket, 'N');
                    socket.getOutputStream().write(error);
                }))
                .isEmpty();
        assertThat(ping(socket -> answer(socket, 'N'))).as("only one answer").isEmpty();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private interface Server {
        void serve(Socket socket) throws IOException;
    }

    private static void answer(Socket socket, char answer) throws IOException {
        assertThat(socket.getInputStream().readNBytes(QUESTION)).hasSize(QUESTION);
        socket.getOutputStream().write(answer);
    }

    private static Optional<Duration> ping(Server server) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Socket socket = listening.accept()) {
                    server.serve(socket);
                } catch (IOException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            Optional<Duration> seen = ServerPing.of("127.0.0.1", listening.getLocalPort(), LIMIT);
            served.join();
            return seen;
        }
    }
}
