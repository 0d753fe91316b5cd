package io.movr.lab;

import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import java.util.List;

/**
 * The statistics of the samples of one experiment, before the experiments of a run are judged together.
 *
 * @param measured the ratio of before to after
 * @param noise the ratio of before to the control, which runs the same
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

    /** Returns whether before and after differ. */
    boolean isDifference(double pAdjusted) {
        return Comparison.isDifference(measured.interval(), pAdjusted, noiseFloor());
    }
}
