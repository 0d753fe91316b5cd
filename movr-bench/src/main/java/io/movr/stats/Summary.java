package io.movr.stats;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Quantile;

/** Samples in a few numbers, all in the unit of the samples. */
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
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        double[] quantiles = QUANTILE.evaluate(sorted, 0.5, 0.95, 0.99);
        return new Summary(
                sorted.length,
                quantiles[0],
                Arrays.stream(sorted).average().orElseThrow(),
                sorted[0],
                sorted[sorted.length - 1],
                quantiles[1],
                quantiles[2]);
    }
}
