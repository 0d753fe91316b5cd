package io.movr.traffic;

/**
 * One request of a load generator, as its {@code requests.csv} has it.
 *
 * @param dueMs since 1970, when it was due
 * @param region of the instance that was asked
 * @param remote whether its rows have another home region
 * @param steady whether it was due after the warm-up
 * @param latencyMs from the moment it was due to its answer, or until it failed
 * @param outcome {@code ok}, or what begins with {@code refused} or {@code failed}
 * @param city that it is about
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

    /** Whether its latency says how long a rider waits: of one that timed out, at least how long. */
    boolean hasLatency() {
        return !isFailed() || isTimeout();
    }

    /** Since 1970, when its answer came. */
    long answeredMs() {
        return dueMs + Math.round(latencyMs);
    }
}
