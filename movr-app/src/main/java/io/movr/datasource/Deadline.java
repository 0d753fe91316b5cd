package io.movr.datasource;

import java.time.Duration;

/** Until when the work of the current thread is of use to whoever waits for it; without one it always is. */
public final class Deadline {

    private static final ThreadLocal<Long> END_NANOS = new ThreadLocal<>();

    private Deadline() {}

    /** Runs work that is of use for so long. */
    public static <E extends Exception, F extends Exception> void within(Duration limit, Work<E, F> work) throws E, F {
        END_NANOS.set(System.nanoTime() + limit.toNanos());
        try {
            work.run();
        } finally {
            END_NANOS.remove();
        }
    }

    static boolean isPassedAfter(Duration wait) {
        Long end = END_NANOS.get();
        return end != null && System.nanoTime() + wait.toNanos() > end;
    }

    /** Work that may fail in two ways. */
    public interface Work<E extends Exception, F extends Exception> {
        void run() throws E, F;
    }
}
