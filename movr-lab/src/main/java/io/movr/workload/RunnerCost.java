package io.movr.workload;

import java.util.Locale;
import java.util.Optional;

/**
 * The overhead of the runner. A run in which the runner was the bottleneck does not measure the database.
 *
 * @param processorShare CPU time of this process as a share of all cores, 0 to 1
 * @param ownShare how much of the workers' time passed neither in the database nor in waiting for the next operation to
 *     be due, 0 to 1
 * @param lagMsP99 how late a thread of this process woke up, at the 99th percentile, in milliseconds
 * @param collectionSeconds that the garbage collector took
 */
public record RunnerCost(double processorShare, double ownShare, double lagMsP99, double collectionSeconds) {

    private static final double MAX_PROCESSOR_SHARE = 0.5;
    private static final double MAX_OWN_SHARE = 0.1;
    private static final double MAX_LAG_MS = 10;

    /** Returns why the runner was the bottleneck; empty if it was not. */
    public Optional<String> bottleneck() {
        if (ownShare > MAX_OWN_SHARE) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%.0f%% of the workers' time passed in the runner itself (at most %.0f%% is fine)",
                    100 * ownShare,
                    100 * MAX_OWN_SHARE));
        }
        if (processorShare > MAX_PROCESSOR_SHARE) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the runner took %.0f%% of the machine's processors (at most %.0f%% is fine)",
                    100 * processorShare,
                    100 * MAX_PROCESSOR_SHARE));
        }
        if (lagMsP99 > MAX_LAG_MS) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "threads of the runner woke up %.1f ms late at the 99th percentile (at most %.0f ms is fine)",
                    lagMsP99,
                    MAX_LAG_MS));
        }
        return Optional.empty();
    }
}
