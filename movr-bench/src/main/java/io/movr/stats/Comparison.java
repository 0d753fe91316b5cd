package io.movr.stats;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Two sets of samples, compared without assuming how either is distributed.
 *
 * @param ratio the median of the first over that of the second, with the percentile bootstrap's 95% interval (Efron and
 *     Tibshirani 1993, chapter 13)
 * @param pValue two-sided, of the Mann–Whitney U test
 */
public record Comparison(Interval ratio, double pValue) {

    /** Resamples that an interval is taken from. */
    public static final int RESAMPLES = 10_000;

    private static final double ALPHA = 0.05;

    public static Comparison of(double[] first, double[] second, long seed) {
        double[] ratios = new double[RESAMPLES];
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] firstDrawn = new double[first.length];
        double[] secondDrawn = new double[second.length];
        Median median = Median.withDefaults().withCopy(false);
        for (int resample = 0; resample < RESAMPLES; resample++) {
            ratios[resample] = median.evaluate(resample(first, firstDrawn, random))
                    / median.evaluate(resample(second, secondDrawn, random));
        }
        Median whole = Median.withDefaults().withCopy(true);
        double pValue = MannWhitneyUTest.withDefaults().test(first, second).getPValue();
        return new Comparison(interval(whole.evaluate(first) / whole.evaluate(second), ratios), pValue);
    }

    /** The median of samples with its bootstrap interval. */
    public static Interval median(double[] samples, long seed) {
        double[] medians = new double[RESAMPLES];
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] drawn = new double[samples.length];
        Median median = Median.withDefaults().withCopy(false);
        for (int resample = 0; resample < RESAMPLES; resample++) {
            medians[resample] = median.evaluate(resample(samples, drawn, random));
        }
        return interval(Median.withDefaults().withCopy(true).evaluate(samples), medians);
    }

    /** Whether the ranks of the two differ at the 5% level. */
    public boolean ranksDiffer() {
        return pValue < ALPHA;
    }

    private static double[] resample(double[] from, double[] to, UniformRandomProvider random) {
        for (int index = 0; index < to.length; index++) {
            to[index] = from[random.nextInt(from.length)];
        }
        return to;
    }

    private static Interval interval(double estimate, double[] resampled) {
        Arrays.sort(resampled);
        double[] ends = Quantile.withDefaults().evaluate(resampled, ALPHA / 2, 1 - ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }
}
