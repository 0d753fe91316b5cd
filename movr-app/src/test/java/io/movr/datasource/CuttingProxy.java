package io.movr.datasource;

import io.movr.database.Gateway;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a database that can be cut: altogether, or at the moment at which a commit has been sent. */
public final class CuttingProxy implements AutoCloseable {

    private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

    private final Gateway target;
    private final int targetPort;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger commitsToCut = new AtomicInteger();
    private volatile ServerSocket listener;

    public CuttingProxy(Gateway target) {
        this.target = target;
        String address = target.url().substring("jdbc:postgresql://127.0.0.1:".length());
        this.targetPort = Integer.parseInt(address.substring(0, address.indexOf('/')));
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        this.port = listener.getLocalPort();
        accept(listener);
    }

    public int port() {
        return port;
    }

    /** The database by way of here, its statements sent as text each time, so that a commit can be recognized. */
    public Gateway gateway() {
        return new Gateway(
                target.url().replace("127.0.0.1:" + targetPort, "127.0.0.1:" + port) + "&prepareThreshold=0");
    }

    /** Cuts all connections and takes no new ones. */
    public void cut() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Takes connections again. */
    public void mend() throws IOException {
        ServerSocket again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        listener = again;
        accept(again);
    }

    /** Lets the next commits reach the server, and their answers nobody. */
    public void cutAnswersOfCommits(int howMany) {
        commitsToCut.set(howMany);
    }

    @Override
    public void close() throws IOException {
        cut();
    }

    private void accept(ServerSocket from) {
        daemon(() -> {
            while (!from.isClosed()) {
                Socket client = from.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                if (from.isClosed()) {
                    // The cut came while this connection was being made, and did not see it.
                    client.close();
                    server.close();
                    return;
                }
                Connection connection = new Connection(client, server);
                daemon(connection::toServer);
                daemon(connection::toClient);
            }
        });
    }

    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile boolean cutAnswer;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void toServer() throws IOException {
            byte[] buffer = new byte[1 << 16];
            try (InputStream in = client.getInputStream();
                    OutputStream out = server.getOutputStream()) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (contains(buffer, count) && commitsToCut.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        cutAnswer = true;
                    }
                    out.write(buffer, 0, count);
                    out.flush();
                }
            }
        }

        void toClient() throws IOException {
            byte[] buffer = new byte[1 << 16];
            try (InputStream in = server.getInputStream();
                    OutputStream out = client.getOutputStream()) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (cutAnswer) {
                        client.close();
                        return;
                    }
                    out.write(buffer, 0, count);
                    out.flush();
                }
            }
        }
    }

    private static boolean contains(byte[] buffer, int count) {
        for (int start = 0; start + COMMIT.length <= count; start++) {
            int at = 0;
            while (at < COMMIT.length && buffer[start + at] == COMMIT[at]) {
                at++;
            }
            if (at == COMMIT.length) {
                return true;
            }
        }
        return false;
    }

    private interface Loop {
        void run() throws IOException;
    }

    private static void daemon(Loop loop) {
        Thread thread = new Thread(() -> {
            try {
                loop.run();
            } catch (IOException cut) {
                Thread.currentThread().interrupt(); // The thread ends, as it is meant to.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
