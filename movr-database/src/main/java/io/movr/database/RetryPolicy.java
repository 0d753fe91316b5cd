package io.movr.database;

import io.movr.UserError;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A bound on attempts and the pauses between them: exponential back-off with full jitter, so that transactions that conflicted
 * do not conflict again.
 *
 * @param attempts in all, at least 1
 * @param firstPause at most, after the first attempt; it doubles with each further one
 * @param maxPause of any
 */
public record RetryPolicy(int attempts, Duration firstPause, Duration maxPause) {

    private static final int MAX_DOUBLINGS = 20;

    /** An operation that may fail. */
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

        /** Returns whether to try again; called after each failed attempt except the last. */
        boolean after(E failed, int number);
    }

    /** Returns whether it was the last attempt. */
    public boolean isLast(int attempt) {
        return attempt >= attempts;
    }

    /** Returns the random pause after an attempt, whose number is 1 for the first. */
    public Duration pause(int attempt) {
        long doubled = firstPause.toNanos() << Math.min(attempt - 1, MAX_DOUBLINGS);
        long most = Math.min(maxPause.toNanos(), doubled);
        return Duration.ofNanos(most <= 0 ? 0 : ThreadLocalRandom.current().nextLong(most));
    }

    /**
     * Tries until it succeeds.
     *
     * @param interrupted the message of the error if waiting is interrupted
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
