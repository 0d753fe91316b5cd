package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends bytes to a server that sends them back, over links. What must not be early is asserted, what may be late is not. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LinksTest {

    private static final Duration FAR = Duration.ofMillis(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Links links = new Links();
    private ServerSocket server;

    private interface Serving {
        void run() throws IOException;
    }

    private void inBackground(Serving serving) {
        threads.execute(() -> {
            try {
                serving.run();
            } catch (IOException closed) {
                // As every socket is when a test ends; what a client misses then fails the test there.
                assertThat(closed).isNotNull();
            }
        });
    }

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        inBackground(() -> {
            while (true) {
                Socket socket = server.accept();
                inBackground(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                        socket.shutdownOutput();
                    }
                });
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        links.close();
        server.close();
        threads.shutdownNow();
    }

    private Links.Link link(Duration oneWay) {
        return links.open(0, "127.0.0.1", server.getLocalPort(), oneWay);
    }

    private static Socket connect(Links.Link link) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    @Test
    void aRoundTripTakesTheWayThereAndBackAndTheFirstOneTheConnectionToo() throws IOException {
        try (Socket socket = connect(link(FAR))) {
            assertThat(echoNanos(socket)).isGreaterThanOrEqualTo(4 * FAR.toNanos());
            for (int time = 0; time < 5; time++) {
                assertThat(echoNanos(socket)).isGreaterThanOrEqualTo(2 * FAR.toNanos());
            }
        }
    }

    private static long echoNanos(Socket socket) throws IOException {
        long begun = System.nanoTime();
        socket.getOutputStream().write("ping".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(socket.getInputStream().readNBytes(4), StandardCharsets.UTF_8))
                .isEqualTo("ping");
        return System.nanoTime() - begun;
    }

    @Test
    void whatIsUnderWayDoesNotWaitForWhatWasSentBefore() throws IOException {
        int messages = 1_000;
        try (Socket socket = connect(link(FAR))) {
            echoNanos(socket);
            long begun = System.nanoTime();
            for (int message = 0; message < messages; message++) {
                socket.getOutputStream().write(new byte[100]);
            }
            socket.getInputStream().readNBytes(100 * messages);
            // One after the other they would take a thousand round trips.
            assertThat(System.nanoTime() - begun).isBetween(2 * FAR.toNanos(), 2L * messages * FAR.toNanos());
        }
    }

    @Test
    void aRoundTripIsARequestAndItsAnswerInAnyNumberOfPieces() throws IOException {
        Links.Link link = link(Duration.ZERO);
        try (Socket socket = connect(link)) {
            for (int time = 1; time <= 5; time++) {
                echoNanos(socket);
                assertThat(link.roundTrips()).isEqualTo(time);
            }
            link.delay(Duration.ofMillis(500));
            for (int message = 0; message < 100; message++) {
                socket.getOutputStream().write(new byte[100]);
            }
            socket.getInputStream().readNBytes(100 * 100);
            assertThat(link.roundTrips()).isEqualTo(6);
        }
    }

    @Test
    void everyByteArrivesInOrderAndTheEndOfOneDirectionLeavesTheOther() throws Exception {
        byte[] sent = new byte[20 << 20];
        new Random(1).nextBytes(sent);
        try (Socket socket = connect(link(Duration.ofMillis(5)))) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream().write(sent);
                    socket.shutdownOutput();
                } catch (IOException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(received);
            sending.get(1, TimeUnit.MINUTES);
            assertThat(Arrays.equals(received.toByteArray(), sent)).isTrue();
        }
    }

    @Test
    void aCutHangsAndWhatWaitedArrivesWhenItIsMended() throws IOException {
        Links.Link link = link(Duration.ZERO);
        try (Socket before = connect(link)) {
            echoNanos(before);
            link.cut();
            before.getOutputStream().write("late".getBytes(StandardCharsets.UTF_8));
            silent(before);
            try (Socket meanwhile = connect(link)) {
                meanwhile.getOutputStream().write("more".getBytes(StandardCharsets.UTF_8));
                silent(meanwhile);
                link.mend();
                assertThat(read(meanwhile)).isEqualTo("more");
            }
            assertThat(read(before)).isEqualTo("late");
        }
    }

    private static void silent(Socket socket) throws IOException {
        socket.setSoTimeout(200);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(60_000);
    }

    private static String read(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(4), StandardCharsets.UTF_8);
    }

    @Test
    void aResetBreaksWhatIsThereAndNotWhatComesAfter() throws IOException {
        Links.Link link = link(Duration.ZERO);
        try (Socket socket = connect(link)) {
            echoNanos(socket);
            link.reset();
            assertThat(isOver(socket)).isTrue();
        }
        try (Socket socket = connect(link)) {
            echoNanos(socket);
        }
    }

    private static boolean isOver(Socket socket) throws IOException {
        try {
            InputStream in = socket.getInputStream();
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static final Duration VERY_FAR = Duration.ofMillis(200);

    /** Connects to a server of its own, without waiting for the distance. */
    private void withBothEnds(BothEnds test) throws Exception {
        try (ServerSocket own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket caller = connect(links.open(0, "127.0.0.1", own.getLocalPort(), VERY_FAR));
                Socket answering = own.accept()) {
            answering.setSoTimeout(60_000);
            test.with(caller, answering);
        }
    }

    private interface BothEnds {
        void with(Socket caller, Socket answering) throws IOException;
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    void aResetByTheCallerTakesTheWayThere() throws Exception {
        withBothEnds((caller, answering) -> {
            long begun = System.nanoTime();
            reset(caller);
            assertThat(isOver(answering)).isTrue();
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(VERY_FAR.toNanos());
        });
    }

    @Test
    void aResetByTheServerTakesTheWayBackAndComesAfterWhatWasSentBefore() throws Exception {
        withBothEnds((caller, answering) -> {
            answering.getOutputStream().write("last".getBytes(StandardCharsets.UTF_8));
            // The relay must have read it, or the reset discards it before.
            assertThat(read(caller)).isEqualTo("last");
            long begun = System.nanoTime();
            reset(answering);
            assertThat(isOver(caller)).isTrue();
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(VERY_FAR.toNanos());
        });
    }

    @Test
    void aResetPassesThoughItsReceiverDoesNotTakeWhatWasSentBefore() throws Exception {
        withBothEnds((caller, answering) -> {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> {
                        try {
                            while (true) {
                                caller.getOutputStream().write(new byte[1 << 20]);
                            }
                        } catch (IOException reset) {
                            assertThat(reset).isNotNull();
                        }
                    },
                    threads);
            assertThat(answering.getInputStream().read()).isZero();
            reset(caller);
            sending.join();
            answering.setSoTimeout(60_000);
            assertThatThrownBy(() -> {
                        while (true) {
                            // What the kernel has taken arrives; then comes the reset, and neither an end nor a time
                            // limit.
                            answering.getOutputStream().write(1);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        });
    }

    @Test
    void aServerThatRefusesIsKnownAfterARoundTrip() throws IOException {
        // Bound, so that nobody else takes the port, and not listening.
        try (Socket refusing = new Socket()) {
            refusing.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Links.Link link = links.open(0, "127.0.0.1", refusing.getLocalPort(), VERY_FAR);
            long begun = System.nanoTime();
            try (Socket socket = connect(link)) {
                assertThat(isOver(socket)).isTrue();
                assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(2 * VERY_FAR.toNanos());
            }
        }
    }

    @Test
    void theDistanceCanChangeWhileBytesAreUnderWay() throws IOException {
        Links.Link link = link(FAR);
        try (Socket socket = connect(link)) {
            echoNanos(socket);
            socket.getOutputStream().write("far ".getBytes(StandardCharsets.UTF_8));
            link.delay(Duration.ZERO);
            socket.getOutputStream().write("near".getBytes(StandardCharsets.UTF_8));
            assertThat(read(socket)).isEqualTo("far ");
            assertThat(read(socket)).isEqualTo("near");
        }
    }

    @Test
    void aServerThatIsNotThereEndsTheConnectionAndTheLinkGoesOn() throws IOException {
        int port = server.getLocalPort();
        Links.Link link = link(Duration.ZERO);
        server.close();
        try (Socket socket = connect(link)) {
            assertThat(isOver(socket)).isTrue();
        }
        server = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        inBackground(() -> {
            Socket accepted = server.accept();
            accepted.getInputStream().transferTo(accepted.getOutputStream());
        });
        try (Socket socket = connect(link)) {
            echoNanos(socket);
        }
    }

    @Test
    void aServerWhoseNameIsNotKnownEndsTheConnectionAndNoOther() throws IOException {
        Links.Link nowhere = links.open(0, "no-such-host.invalid", 1, Duration.ZERO);
        try (Socket other = connect(link(Duration.ZERO));
                Socket socket = connect(nowhere)) {
            assertThat(isOver(socket)).isTrue();
            echoNanos(other);
            nowhere.cut();
            nowhere.mend();
        }
    }

    @Test
    void manyConnectionsShareTheThread() throws Exception {
        Links.Link link = link(Duration.ofMillis(10));
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            all.add(CompletableFuture.runAsync(
                    () -> {
                        try (Socket socket = connect(link)) {
                            for (int time = 0; time < 20; time++) {
                                assertThat(echoNanos(socket)).isGreaterThanOrEqualTo(20_000_000L);
                            }
                        } catch (IOException failed) {
                            throw new IllegalStateException(failed);
                        }
                    },
                    threads));
        }
        for (CompletableFuture<Void> one : all) {
            one.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() {
        assertThatThrownBy(() -> links.open(server.getLocalPort(), "127.0.0.1", 1, FAR))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Cannot listen on");
    }
}
