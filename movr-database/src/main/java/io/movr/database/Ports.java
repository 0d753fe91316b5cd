package io.movr.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Reserved TCP ports of the loopback address, for servers that start right after this is closed. */
public final class Ports implements AutoCloseable {

    private final List<ServerSocket> held = new ArrayList<>();

    private Ports() {}

    /**
     * Reserves several consecutive ports, or any.
     *
     * @param first 0 for any that are free
     * @throws IOException when one is taken, which the message names
     */
    static Ports hold(int first, int count) throws IOException {
        Ports ports = new Ports();
        for (int number = 0; number < count; number++) {
            int port = first == 0 ? 0 : first + number;
            try {
                ports.held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            } catch (IOException | IllegalArgumentException taken) {
                ports.close();
                throw new IOException("Port " + port + " is taken", taken);
            }
        }
        return ports;
    }

    /**
     * Finds several free ports.
     *
     * @param first of a row, 0 for any
     * @throws IOException when one of the row is taken, which the message names
     */
    public static List<Integer> find(int first, int count) throws IOException {
        try (Ports ports = hold(first, count)) {
            return ports.numbers();
        }
    }

    List<Integer> numbers() {
        return held.stream().map(ServerSocket::getLocalPort).toList();
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket socket : held) {
            socket.close();
        }
    }
}
