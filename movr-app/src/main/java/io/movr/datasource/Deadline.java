package io.movr.datasource;

import java.time.Duration;

/** The deadline of the current thread's work, after which its caller no longer waits; there may be none. */
public final class Deadline {

    private static final ThreadLocal<Long> END_NANOS = new ThreadLocal<>();

    private Deadline() {}

    /** Runs work with a deadline. */
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

    /** Work that may throw two kinds of exceptions. */
    public interface Work<E extends Exception, F extends Exception> {
        void run() throws E, F;
    }
}
