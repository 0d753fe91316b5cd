package io.movr.testing;

import io.movr.SlowdownBound;
import io.movr.testing.CompareSides.IfUnsure;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apiguardian.api.API;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.TestAbortedException;

/** Measures the two sides of a test that is annotated with {@link CompareSides}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Sides {

    private static final double TAIL = 0.025;

    private final double maxSlowdownPercent;
    private final IfUnsure ifUnsure;
    private final int blocks;
    private final int samples;
    private final LongSupplier nanoTime;
    private final StringBuilder summary = new StringBuilder();

    Sides(double maxSlowdownPercent, IfUnsure ifUnsure, int blocks, int samples, LongSupplier nanoTime) {
        this.maxSlowdownPercent = maxSlowdownPercent;
        this.ifUnsure = ifUnsure;
        this.blocks = blocks;
        this.samples = samples;
        this.nanoTime = nanoTime;
        check("maxSlowdownPercent", maxSlowdownPercent, 0, Double.MAX_VALUE);
        check("blocks", blocks, 3, 1_000);
        check("samples", samples, 1, 100_000);
    }

    private static void check(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "@CompareSides: %s is %.6g, and must be at least %.6g%s",
                    name,
                    value,
                    least,
                    most == Double.MAX_VALUE ? " and finite" : String.format(Locale.ROOT, " and at most %.6g", most)));
        }
    }

    /**
     * Runs the two sides in turn, and judges them. The samples of a block alternate, so that what the machine does else falls on
     * both. The ratio compares the medians of a block, as the geometric mean over the blocks, with the 95% interval of
     * Student's t over the logarithms.
     *
     * @param before runs the statement, or whatever is compared, once
     * @param after does the same in the other way
     * @throws AssertionError if <em>after</em> is shown to be slower by more than the bound, or if the difference cannot be
     *     determined and is to fail
     * @throws Throwable what a side throws
     */
    public void compare(Executable before, Executable after) throws Throwable {
        for (int run = 0; run < samples; run++) {
            before.execute();
            after.execute();
        }
        double[] logarithms = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            logarithms[block] = block(before, after, block);
        }
        judge(logarithms);
    }

    /** Returns the logarithm of the ratio of the medians, after over before. */
    private double block(Executable before, Executable after, int block) throws Throwable {
        double[] ofBefore = new double[samples];
        double[] ofAfter = new double[samples];
        for (int sample = 0; sample < samples; sample++) {
            if ((block + sample) % 2 == 0) {
                ofBefore[sample] = nanos(before);
                ofAfter[sample] = nanos(after);
            } else {
                ofAfter[sample] = nanos(after);
                ofBefore[sample] = nanos(before);
            }
        }
        return Math.log(median(ofAfter) / median(ofBefore));
    }

    private double nanos(Executable side) throws Throwable {
        long begun = nanoTime.getAsLong();
        side.execute();
        // A time below the clock's resolution counts as that resolution.
        return Math.max(1, nanoTime.getAsLong() - begun);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private void judge(double[] logarithms) {
        double mean = Arrays.stream(logarithms).average().orElseThrow();
        double squares = Arrays.stream(logarithms)
                .map(one -> (one - mean) * (one - mean))
                .sum();
        double half = TDistribution.of(blocks - 1.0).inverseSurvivalProbability(TAIL)
                * Math.sqrt(squares / (blocks - 1) / blocks);
        double least = percent(mean - half);
        double most = percent(mean + half);
        String found = String.format(
                Locale.ROOT,
                "after is %.1f%% %s than before, 95%% interval of the slowdown [%.1f%%, %.1f%%] over %d blocks, and at most"
                        + " %.6g%% are allowed",
                Math.abs(percent(mean)),
                mean < 0 ? "faster" : "slower",
                least,
                most,
                blocks,
                maxSlowdownPercent);
        summary.append(summary.isEmpty() ? "" : "; ");
        SlowdownBound.Outcome outcome = new SlowdownBound(maxSlowdownPercent).judge(least, most);
        if (outcome == SlowdownBound.Outcome.FAILED) {
            throw new AssertionError("Too slow: " + found);
        }
        if (outcome == SlowdownBound.Outcome.PASSED) {
            summary.append("passed: ").append(found);
            return;
        }
        String unsure = "Cannot tell: " + found + "; more blocks or samples make the interval narrower";
        switch (ifUnsure) {
            case PASS -> summary.append(unsure);
            case FAIL -> throw new AssertionError(unsure);
            case SKIP -> throw new TestAbortedException(unsure);
        }
    }

    private static double percent(double logarithm) {
        return 100 * Math.expm1(logarithm);
    }

    /** Returns the result; empty if nothing was compared. */
    String summary() {
        return summary.toString();
    }
}
