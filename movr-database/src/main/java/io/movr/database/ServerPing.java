package io.movr.database;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Checks by PostgreSQL's protocol, without logging in, whether a server answers. */
public final class ServerPing {

    /** The request for TLS, which every server answers with one byte. */
    private static final byte[] SSL_REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 47};

    /** The request for encryption by GSSAPI, which may follow a refusal of TLS, and is refused or answered as well. */
    private static final byte[] GSS_REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 48};

    private static final String PROTOCOL_VIOLATION = "C08P01";
    private static final int MAX_ERROR_LENGTH = 1_000;

    private ServerPing() {}

    /**
     * Returns the time from the request to the answer, which is one round trip without connecting.
     *
     * @param limit for connecting, and again for the answer
     * @return empty if there is no answer by then
     */
    public static Optional<Duration> of(String host, int port, Duration limit) {
        int millis = Math.toIntExact(limit.toMillis());
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(host, port), millis);
            long begun = System.nanoTime();
            int answer = ask(socket, SSL_REQUEST);
            if (answer == 'N') {
                // The first answer also waited for a link to connect to the server.
                begun = System.nanoTime();
                answer = ask(socket, GSS_REQUEST);
            }
            long took = System.nanoTime() - begun;
            return isAnswer(socket, answer) ? Optional.of(Duration.ofNanos(took)) : Optional.empty();
        } catch (IOException unanswered) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a first byte begins an answer. A server that starts or ends sends an error without having read the
     * request; CockroachDB answers the second request with an error that the request is unknown.
     */
    private static boolean isAnswer(Socket socket, int first) throws IOException {
        if (first != 'E') {
            return first >= 0;
        }
        byte[] error = new byte[MAX_ERROR_LENGTH];
        int read = socket.getInputStream().read(error);
        return new String(error, 0, Math.max(0, read), StandardCharsets.US_ASCII).contains(PROTOCOL_VIOLATION);
    }

    private static int ask(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        return socket.getInputStream().read();
    }
}
