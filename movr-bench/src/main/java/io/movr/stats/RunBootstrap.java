package io.movr.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * Quantiles of samples that came in blocks, such as the seconds of a run: what is near in time has more in common than what
 * is not, so whole blocks are drawn (the block bootstrap, Künsch 1989).
 */
public final class BlockQuantiles {

    /** Resamples that an interval is taken from. */
    public static final int RESAMPLES = 1_000;

    private BlockQuantiles() {}

    /**
     * Quantiles with their 95% intervals, by the percentile bootstrap.
     *
     * @param blocks at least one sample in all
     * @param quantiles each between 0 and 1
     */
    public static List<Interval> of(List<double[]> blocks, double[] quantiles, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[][] drawn = new double[quantiles.length][RESAMPLES];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double[] values = evaluate(draw(blocks, random), quantiles);
            for (int quantile = 0; quantile < quantiles.length; quantile++) {
                drawn[quantile][resample] = values[quantile];
            }
        }
        double[] estimates = evaluate(all(blocks), quantiles);
        List<Interval> intervals = new ArrayList<>();
        for (int quantile = 0; quantile < quantiles.length; quantile++) {
            intervals.add(interval(estimates[quantile], drawn[quantile]));
        }
        return intervals;
    }

    /** The ratio of a quantile of the first to that of the second, with its interval. */
    public static Interval ratio(List<double[]> first, List<double[]> second, double quantile, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] quantiles = {quantile};
        double[] drawn = new double[RESAMPLES];
        Arrays.setAll(
                drawn,
                resample -> evaluate(draw(first, random), quantiles)[0] / evaluate(draw(second, random), quantiles)[0]);
        return interval(evaluate(all(first), quantiles)[0] / evaluate(all(second), quantiles)[0], drawn);
    }

    private static Interval interval(double estimate, double[] drawn) {
        double[] ends = Quantile.withDefaults().evaluate(drawn, Comparison.ALPHA / 2, 1 - Comparison.ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static double[] evaluate(double[] samples, double[] quantiles) {
        return Quantile.withDefaults().withCopy(false).evaluate(samples, quantiles);
    }

    private static double[] draw(List<double[]> blocks, UniformRandomProvider random) {
        List<double[]> chosen = new ArrayList<>();
        for (int block = 0; block < blocks.size(); block++) {
            chosen.add(blocks.get(random.nextInt(blocks.size())));
        }
        return all(chosen);
    }

    private static double[] all(List<double[]> blocks) {
        return blocks.stream().flatMapToDouble(Arrays::stream).toArray();
    }
}
