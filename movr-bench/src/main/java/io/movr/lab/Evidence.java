package io.movr.lab;

import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import java.util.List;

/**
 * What the samples of one experiment say, before it is judged among the others of its run.
 *
 * @param measured before against after
 * @param noise before against the control, which is the same thing
 */
record Evidence(RunStatistics.Ratio measured, Interval noise) {

    private static final long SEED = 1;

    /**
     * Compares the samples of the three sides. Where rows of parameters differ in kind, the figure of a block is the geometric
     * mean of the medians of its rows, so that a row is compared with the same row.
     */
    static Evidence of(Samples samples) {
        ParameterKinds kinds = ParameterKinds.of(samples);
        return of(kinds.blocks(Measurement.BEFORE), kinds.blocks(Measurement.AFTER), kinds.blocks(Measurement.CONTROL));
    }

    /** Compares the latencies of the three sides, in blocks that were taken together. */
    static Evidence of(List<double[]> before, List<double[]> after, List<double[]> control) {
        return new Evidence(
                RunStatistics.ratioOfPairedMedians(before, after, SEED),
                RunStatistics.ratioOfPairedMedians(before, control, SEED).interval());
    }

    double noiseFloor() {
        return noise.noiseFloor();
    }

    /** Whether before and after differ, by the p-value that is adjusted for the experiments of the run. */
    boolean isDifference(double pAdjusted) {
        return Comparison.isDifference(measured.interval(), pAdjusted, noiseFloor());
    }
}
