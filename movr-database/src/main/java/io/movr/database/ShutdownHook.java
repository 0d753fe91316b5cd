package io.movr.database;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a server at the end of the process, after {@link ProcessEnd work in progress} is finished. */
final class ShutdownHook {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

    private final Thread thread;
    private final Runnable stop;
    private final ProcessEnd work;

    ShutdownHook(String name, Runnable stop) {
        this(name, stop, ProcessEnd.ofThisProcess());
    }

    ShutdownHook(String name, Runnable stop, ProcessEnd work) {
        this.work = work;
        this.stop = stop;
        thread = new Thread(this::run, name);
    }

    void add() {
        Runtime.getRuntime().addShutdownHook(thread);
    }

    /** Unregisters the hook, unless the process is already ending. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException ending) {
            LOG.trace("The hook runs or has run", ending);
        }
    }

    /** Runs at the end of the process. */
    void run() {
        work.finishWork();
        stop.run();
    }
}
