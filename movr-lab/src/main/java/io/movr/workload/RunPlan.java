package io.movr.workload;

import io.movr.UserError;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The plan of a run.
 *
 * @param concurrency workers, each with a connection of its own, 1 to 10,000
 * @param duration of the measured part; {@code null} for no limit but {@code maxOps} or {@link Runner#stop}
 * @param ramp before it, in which workers start one after the other and nothing is recorded
 * @param maxRate operations a second over all workers; 0 is as fast as they can
 * @param maxOps operations that are measured; 0 is no limit
 * @param tolerateErrors whether a run continues after an operation has finally failed
 * @param displayEvery the interval of ticks
 * @param seed decides what is drawn: the same seed and concurrency draw the same for each worker
 * @param isolation nothing is the server's default
 * @param retries the maximum number of retries of an operation after a serialization failure or a deadlock
 * @param reconnect whether each operation opens a connection of its own
 */
public record RunPlan(
        int concurrency,
        @Nullable Duration duration,
        Duration ramp,
        double maxRate,
        long maxOps,
        boolean tolerateErrors,
        Duration displayEvery,
        long seed,
        @Nullable Isolation isolation,
        int retries,
        boolean reconnect) {

    private static final int MAX_WORKERS = 10_000;
    private static final int MAX_RETRIES = 1_000;
    private static final double MAX_RATE_PER_SECOND = 1e7;
    private static final Duration LONGEST = Duration.ofDays(365);

    public RunPlan {
        check(concurrency >= 1 && concurrency <= MAX_WORKERS, "--concurrency", concurrency, "1 to " + MAX_WORKERS);
        check(
                duration == null || (isPositive(duration) && duration.compareTo(LONGEST) <= 0),
                "--duration",
                String.valueOf(duration),
                "more than nothing, at most 365 days");
        check(!ramp.isNegative() && ramp.compareTo(LONGEST) <= 0, "--ramp", ramp, "nothing to 365 days");
        check(maxRate >= 0 && maxRate <= MAX_RATE_PER_SECOND, "--max-rate", maxRate, "0 (no limit) to 10,000,000");
        check(maxOps >= 0, "--max-ops", maxOps, "0 (no limit) or more");
        check(
                displayEvery.toMillis() >= 10 && displayEvery.compareTo(LONGEST) <= 0,
                "--display-every",
                displayEvery,
                "10 ms to 365 days");
        check(retries >= 0 && retries <= MAX_RETRIES, "--retries", retries, "0 to " + MAX_RETRIES);
    }

    /** Returns a plan without a rate limit, with the defaults of the commands. */
    public static RunPlan of(int concurrency, Duration duration) {
        return new RunPlan(
                concurrency, duration, Duration.ZERO, 0, 0, false, Duration.ofSeconds(1), 1, null, 10, false);
    }

    public RunPlan withRamp(Duration value) {
        return with(draft -> draft.ramp = value);
    }

    public RunPlan withMaxRate(double value) {
        return with(draft -> draft.maxRate = value);
    }

    public RunPlan withMaxOps(long value) {
        return with(draft -> draft.maxOps = value);
    }

    public RunPlan withTolerateErrors(boolean value) {
        return with(draft -> draft.tolerateErrors = value);
    }

    public RunPlan withIsolation(@Nullable Isolation value) {
        return with(draft -> draft.isolation = value);
    }

    public RunPlan withRetries(int value) {
        return with(draft -> draft.retries = value);
    }

    public RunPlan withReconnect(boolean value) {
        return with(draft -> draft.reconnect = value);
    }

    public RunPlan withSeed(long value) {
        return with(draft -> draft.seed = value);
    }

    private RunPlan with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new RunPlan(
                concurrency,
                duration,
                draft.ramp,
                draft.maxRate,
                draft.maxOps,
                draft.tolerateErrors,
                displayEvery,
                draft.seed,
                draft.isolation,
                draft.retries,
                draft.reconnect);
    }

    /** A mutable copy of a plan. */
    private static final class Draft {

        private Duration ramp;
        private double maxRate;
        private long maxOps;
        private boolean tolerateErrors;
        private long seed;
        private @Nullable Isolation isolation;
        private int retries;
        private boolean reconnect;

        Draft(RunPlan plan) {
            ramp = plan.ramp;
            maxRate = plan.maxRate;
            maxOps = plan.maxOps;
            tolerateErrors = plan.tolerateErrors;
            seed = plan.seed;
            isolation = plan.isolation;
            retries = plan.retries;
            reconnect = plan.reconnect;
        }
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void check(boolean holds, String option, Object value, String range) {
        if (!holds) {
            String shown = value instanceof Duration duration ? duration.toMillis() + "ms" : value.toString();
            throw new UserError(option + " " + shown + " is out of range: " + range);
        }
    }
}
