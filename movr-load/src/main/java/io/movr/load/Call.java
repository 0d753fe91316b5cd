package io.movr.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A request of a rider, with all its attempts. */
final class Call {

    private final Operation operation;
    private final City city;
    private final String key;
    private final String path;
    private final String body;
    private final String subject;
    private final long dueNanos;
    private long firstSentNanos;
    private long lastSentNanos;
    private int attempts;
    private Duration pause = Duration.ZERO;

    /**
     * A request that is due.
     *
     * @param key its idempotency key, empty if it only reads
     * @param path below the instance's address, encoded
     * @param body JSON, empty if it only reads
     * @param subject its name in the ledger until an answer has named the row
     * @param dueNanos by {@link System#nanoTime}
     */
    Call(Operation operation, City city, String key, String path, String body, String subject, long dueNanos) {
        this.operation = operation;
        this.city = city;
        this.key = key;
        this.path = path;
        this.body = body;
        this.subject = subject;
        this.dueNanos = dueNanos;
    }

    Operation operation() {
        return operation;
    }

    City city() {
        return city;
    }

    String key() {
        return key;
    }

    String path() {
        return path;
    }

    String body() {
        return body;
    }

    String subject() {
        return subject;
    }

    long dueNanos() {
        return dueNanos;
    }

    int attempts() {
        return attempts;
    }

    /** Returns the pause before the next attempt. */
    Duration pause() {
        return pause;
    }

    void pause(Duration before) {
        pause = before;
    }

    void sent(long nanos) {
        if (attempts == 0) {
            firstSentNanos = nanos;
        }
        lastSentNanos = nanos;
        attempts++;
    }

    /** Returns the time since its last attempt was sent. */
    Duration sinceLastSent(long nanos) {
        return Duration.ofNanos(nanos - lastSentNanos);
    }

    long latencyMicros(long answeredNanos) {
        return TimeUnit.NANOSECONDS.toMicros(answeredNanos - dueNanos);
    }

    long serviceMicros(long answeredNanos) {
        return TimeUnit.NANOSECONDS.toMicros(answeredNanos - firstSentNanos);
    }
}
