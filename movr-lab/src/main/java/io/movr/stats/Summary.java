package io.movr.stats;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * A summary of samples in their unit.
 *
 * @param n number of samples
 * @param median median
 * @param mean mean
 * @param min smallest sample
 * @param max largest sample
 * @param p95 95th percentile
 * @param p99 99th percentile
 */
public record Summary(int n, double median, double mean, double min, double max, double p95, double p99) {

    private static final Quantile QUANTILE = Quantile.withDefaults();

    /**
     * Sums up samples.
     *
     * @throws IllegalArgumentException when there are none
     */
    public static Summary of(double[] samples) {
        if (samples.length == 0) {
            throw new IllegalArgumentException("No samples to sum up");
        }
        // Evaluating the quantiles changes the order of what it is given.
        double[] quantiles = QUANTILE.evaluate(samples.clone(), 0.5, 0.95, 0.99);
        DoubleSummaryStatistics all = Arrays.stream(samples).summaryStatistics();
        return new Summary(
                samples.length, quantiles[0], all.getAverage(), all.getMin(), all.getMax(), quantiles[1], quantiles[2]);
    }
}
