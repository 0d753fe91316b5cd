package io.movr.database;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions at the end of the process, in order: the work in progress is finished, then the servers that it started stop and
 * the databases that it created are dropped. Java runs all shutdown hooks concurrently, so this class keeps their order.
 */
public final class ProcessEnd {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);
    private static final long RESULTS_LIMIT_SECONDS = 60;
    private static final ProcessEnd THIS = new ProcessEnd();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(THIS::finishWork, "finish-work"));
    }

    private final List<Runnable> work = new CopyOnWriteArrayList<>();
    private volatile boolean finished;

    /** Creates an instance apart from the one of this process, for tests. */
    ProcessEnd() {}

    static ProcessEnd ofThisProcess() {
        return THIS;
    }

    /** Registers work that is finished when the process is asked to end, while every database can still be reached. */
    public static void before(Runnable task) {
        THIS.add(task);
    }

    /** Returns whether the process has been asked to end. */
    public static boolean hasBegun() {
        return THIS.finished;
    }

    /**
     * Waits at the end of the process until results are written, for a minute at most.
     *
     * @param otherwise what to print if they are not
     */
    public static void awaitResults(CountDownLatch written, String otherwise) {
        try {
            if (!written.await(RESULTS_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("movr: " + otherwise);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void add(Runnable task) {
        work.add(task);
    }

    /** Finishes all work, in the order in which it was added. A concurrent caller waits for that. */
    synchronized void finishWork() {
        if (finished) {
            return;
        }
        finished = true;
        for (Runnable task : work) {
            try {
                task.run();
            } catch (RuntimeException failed) {
                LOG.warn("Work in progress could not be finished", failed);
            }
        }
    }
}
