package io.movr.workload;

import io.movr.database.Gateway;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes connections on to a server, and announces another process than the server's, as every pooler does. */
public final class PoolerRelay implements AutoCloseable {

    private static final int BACKEND_KEY = 'K';

    private final Gateway target;
    private final ServerSocket accepting;

    public PoolerRelay(Gateway target) throws IOException {
        this.target = target;
        accepting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** The server, by way of this relay. */
    public Gateway gateway() {
        return target.through(accepting.getLocalPort());
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "pooler");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!accepting.isClosed()) {
            try {
                Socket client = accepting.accept();
                start(() -> pass(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket client) {
        try (client;
                Socket server = new Socket(target.host(), target.port())) {
            start(() -> requests(client, server));
            DataInputStream answers = new DataInputStream(server.getInputStream());
            DataOutputStream passed = new DataOutputStream(client.getOutputStream());
            for (int type = answers.read(); type >= 0; type = answers.read()) {
                passed.write(type);
                if (type == 'N') {
                    continue;
                }
                int length = answers.readInt();
                byte[] body = answers.readNBytes(length - Integer.BYTES);
                if (type == BACKEND_KEY) {
                    body[0] = 0;
                    body[1] = 0;
                    body[2] = 0;
                    body[3] = 1;
                }
                passed.writeInt(length);
                passed.write(body);
            }
        } catch (IOException over) {
            // One of the two has ended the connection.
            Thread.currentThread().interrupt();
        }
    }

    private static void requests(Socket client, Socket server) {
        try {
            client.getInputStream().transferTo(server.getOutputStream());
        } catch (IOException over) {
            // One of the two has ended the connection.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        accepting.close();
    }
}
