package io.movr.traffic;

/**
 * A request of the load generator, as in its {@code requests.csv}.
 *
 * @param dueMs the time at which it was due, in milliseconds since 1970
 * @param region the region of the instance that received it
 * @param remote whether its rows have another home region
 * @param steady whether it was due after the warm-up
 * @param latencyMs the time from when it was due to its response or failure, in milliseconds
 * @param outcome {@code ok}, or a text that starts with {@code refused} or {@code failed}
 * @param city the city of the requested rows
 */
record Request(
        long dueMs,
        String region,
        String operation,
        boolean remote,
        boolean steady,
        double latencyMs,
        String outcome,
        String city) {

    boolean isRefused() {
        return outcome.startsWith("refused");
    }

    boolean isFailed() {
        return outcome.startsWith("failed");
    }

    boolean isTimeout() {
        return outcome.equals("failed_timeout");
    }

    /** Returns whether its latency is the time that a rider waits, or a lower bound of it after a timeout. */
    boolean hasLatency() {
        return !isFailed() || isTimeout();
    }

    /** Returns the time of its response in milliseconds since 1970. */
    long answeredMs() {
        return dueMs + Math.round(latencyMs);
    }
}
