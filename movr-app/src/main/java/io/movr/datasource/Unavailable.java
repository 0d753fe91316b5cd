package io.movr.datasource;

import java.time.Duration;

/** The database is temporarily unavailable; a later retry may succeed. */
public final class Unavailable extends RuntimeException {

    /** The reason of the failure. */
    public enum Reason {
        /** The gateway cannot be reached, no connection was free in time, or the server failed. Nothing was written. */
        GATEWAY,
        /** The database is read-only, or the role of the service lacks a privilege. Nothing was written. */
        ACCESS,
        /** All retries conflicted with other transactions. Nothing was written. */
        CONTENTION,
        /** A statement exceeded its timeout. Nothing was written. */
        TIMEOUT,
        /** The connection was lost while the transaction was being committed: it may have been written or not. */
        UNKNOWN_OUTCOME
    }

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public Unavailable(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Unavailable(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Returns the time after which to retry. */
    public Duration retryAfter() {
        return Duration.ofSeconds(reason == Reason.GATEWAY || reason == Reason.ACCESS ? 5 : 1);
    }
}
