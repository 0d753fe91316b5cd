package io.movr.database;

import io.movr.UserError;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How often something is tried, and how long is waited in between: exponential back-off with full jitter, so that those who met
 * each other do not meet again.
 *
 * @param attempts in all, at least 1
 * @param firstPause at most, after the first attempt; it doubles with each further one
 * @param longestPause of any
 */
public record RetryPolicy(int attempts, Duration firstPause, Duration longestPause) {

    private static final int MOST_DOUBLINGS = 20;

    /** Something that may fail. */
    public interface Attempt<T, E extends Exception> {

        /**
         * Tries once.
         *
         * @param number of the attempt, 1 for the first
         */
        T make(int number) throws E;
    }

    /** Whether another attempt may succeed where one has failed. */
    public interface Again<E extends Exception> {

        /** Asked after each attempt that failed but the last. */
        boolean after(E failed, int number);
    }

    /** Whether it was the last attempt. */
    public boolean isLast(int attempt) {
        return attempt >= attempts;
    }

    /** How long to wait after an attempt, 1 for the first: drawn anew each time. */
    public Duration pause(int attempt) {
        long doubled = firstPause.toNanos() << Math.min(attempt - 1, MOST_DOUBLINGS);
        long most = Math.min(longestPause.toNanos(), doubled);
        return Duration.ofNanos(most <= 0 ? 0 : ThreadLocalRandom.current().nextLong(most));
    }

    /**
     * Tries until it succeeds.
     *
     * @param interrupted what to tell a user if waiting is interrupted
     * @param type of failures after which there may be another attempt
     * @throws E what the last attempt failed with
     * @throws UserError if waiting is interrupted
     */
    public <T, E extends Exception> T run(String interrupted, Class<E> type, Attempt<T, E> work, Again<E> again)
            throws E {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.make(attempt);
            } catch (Exception failed) {
                if (!type.isInstance(failed) || isLast(attempt) || !again.after(type.cast(failed), attempt)) {
                    throw failed;
                }
            }
            try {
                TimeUnit.NANOSECONDS.sleep(pause(attempt).toNanos());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new UserError(interrupted, stopped);
            }
        }
    }
}
