package io.movr.load;

import io.movr.UserError;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The arrival times of the riders of one region: a Poisson process, independent of the service, whose rate follows a profile.
 * The same seed gives the same moments.
 */
final class ArrivalSchedule {

    private static final int MAX_COUNT = 10_000_000;

    private final long[] offsetsMillis;
    private final Duration warmup;
    private final Duration length;

    private ArrivalSchedule(long[] offsetsMillis, Duration warmup, Duration length) {
        this.offsetsMillis = offsetsMillis;
        this.warmup = warmup;
        this.length = length;
    }

    /**
     * Draws the arrivals of a run.
     *
     * @param perSecond the mean rate, of which a profile may make more and less
     */
    static ArrivalSchedule draw(
            Profile profile, double perSecond, Duration warmup, Duration duration, SplittableRandom random) {
        double warmupSeconds = warmup.toMillis() / 1_000.0;
        double seconds = duration.toMillis() / 1_000.0;
        double most = perSecond * Profile.MAX_FACTOR;
        if (most * (warmupSeconds + seconds) > MAX_COUNT) {
            throw new UserError("A run has at most " + MAX_COUNT / (int) Profile.MAX_FACTOR
                    + " arrivals a region: lower the rate or shorten it");
        }
        long[] offsets = new long[1024];
        int count = 0;
        double at = 0;
        while (true) {
            // Candidates at the maximum rate, thinned to the rate of the moment.
            at -= Math.log(1 - random.nextDouble()) / most;
            if (at >= warmupSeconds + seconds) {
                return new ArrivalSchedule(Arrays.copyOf(offsets, count), warmup, warmup.plus(duration));
            }
            double factor = at < warmupSeconds ? 1 : profile.factor(at - warmupSeconds, seconds);
            if (random.nextDouble() * Profile.MAX_FACTOR < factor) {
                if (count == offsets.length) {
                    offsets = Arrays.copyOf(offsets, count * 2);
                }
                offsets[count++] = (long) (at * 1_000);
            }
        }
    }

    /** Returns a schedule of that length without arrivals. */
    static ArrivalSchedule empty(Duration warmup, Duration duration) {
        return new ArrivalSchedule(new long[0], warmup, warmup.plus(duration));
    }

    /** Returns the due time of an arrival since the run's start; the times ascend. */
    long offsetMillis(int arrival) {
        return offsetsMillis[arrival];
    }

    int count() {
        return offsetsMillis.length;
    }

    boolean isWarmup(long offsetMillis) {
        return offsetMillis < warmup.toMillis();
    }

    /** Returns how many arrive in each step of the run, the last of which may be longer than the run. */
    int[] countsBySteps(Duration step) {
        int steps = (int) ((length.toMillis() + step.toMillis() - 1) / step.toMillis());
        int[] counts = new int[steps];
        for (long offset : offsetsMillis) {
            counts[(int) (offset / step.toMillis())]++;
        }
        return counts;
    }
}
