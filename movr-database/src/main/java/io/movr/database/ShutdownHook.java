package io.movr.database;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a server when the process is told to end. Hooks of one process run all at once, so what still needs the server has
 * to go by way of the one that stops it.
 */
final class ShutdownHook {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

    private final Thread thread;
    private final Runnable stop;
    private final List<Runnable> before = new CopyOnWriteArrayList<>();

    ShutdownHook(String name, Runnable stop) {
        this.stop = stop;
        thread = new Thread(this::run, name);
    }

    void add() {
        Runtime.getRuntime().addShutdownHook(thread);
    }

    /** Has something done first, after what was named before. */
    void before(Runnable task) {
        before.add(task);
    }

    /** Takes it back, unless the process is ending already. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException ending) {
            LOG.trace("The hook runs or has run", ending);
        }
    }

    /** What happens when the process is told to end. */
    void run() {
        try {
            before.forEach(Runnable::run);
        } finally {
            stop.run();
        }
    }
}
