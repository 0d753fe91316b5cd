package io.movr.environment;

import io.movr.UserError;
import java.io.IOException;

/** Pins a server and the calling thread to one core until closed. */
public final class SharedCore implements AutoCloseable {

    private final ProcessHandle server;

    public SharedCore(ProcessHandle server) {
        this.server = server;
        pin(Cores.last());
    }

    /** Returns whether a server and a thread of this process can be pinned. */
    public static boolean isPossible(ProcessHandle server) {
        try {
            if (!Cores.canPin()) {
                return false;
            }
            move(server, Cores.all());
            return true;
        } catch (IOException impossible) {
            return false;
        }
    }

    private static void move(ProcessHandle server, String cores) throws IOException {
        Cores.pin(server, cores);
        Cores.pinThisThread(cores);
    }

    private void pin(String cores) {
        try {
            move(server, cores);
        } catch (IOException failed) {
            throw new UserError("The server cannot be moved to cores " + cores + ": " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        pin(Cores.all());
    }
}
