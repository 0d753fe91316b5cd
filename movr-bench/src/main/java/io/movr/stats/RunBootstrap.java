package io.movr.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * Statistics of samples that came in runs, and within a run in blocks such as its seconds. Runs differ from each other, and
 * what is near in time has more in common than what is not; so runs are drawn first, and whole blocks within each run that
 * was drawn (the hierarchical bootstrap, Davison and Hinkley 1997, section 3.8, over blocks, Künsch 1989). The intervals are
 * those of the percentile bootstrap, 95%.
 *
 * <p>Fewer than {@value #LEAST_RUNS} runs do not tell by how much runs differ: they all count in every resample, and the
 * interval is only within these very runs. Runs and blocks without a sample are left out.
 *
 * <p>A run is a list of blocks, a block an array of samples.
 */
public final class RunBootstrap {

    /** Resamples that an interval is taken from. */
    public static final int RESAMPLES = 1_000;

    /** Runs that it takes at least for an interval that holds for other runs too. */
    public static final int LEAST_RUNS = 3;

    private RunBootstrap() {}

    /**
     * Quantiles, each with its interval.
     *
     * @param runs at least one sample in all
     * @param quantiles each between 0 and 1
     */
    public static List<Interval> quantiles(List<List<double[]>> runs, double[] quantiles, long seed) {
        List<List<double[]>> filled = filled(runs);
        UniformRandomProvider random = random(seed);
        double[][] drawn = new double[quantiles.length][RESAMPLES];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double[] values = evaluate(draw(filled, random), quantiles);
            for (int quantile = 0; quantile < quantiles.length; quantile++) {
                drawn[quantile][resample] = values[quantile];
            }
        }
        double[] estimates = evaluate(all(filled), quantiles);
        List<Interval> intervals = new ArrayList<>();
        for (int quantile = 0; quantile < quantiles.length; quantile++) {
            intervals.add(interval(estimates[quantile], drawn[quantile]));
        }
        return intervals;
    }

    /** The mean, with its interval. */
    public static Interval mean(List<List<double[]>> runs, long seed) {
        List<List<double[]>> filled = filled(runs);
        UniformRandomProvider random = random(seed);
        double[] drawn = new double[RESAMPLES];
        Arrays.setAll(drawn, resample -> average(draw(filled, random)));
        return interval(average(all(filled)), drawn);
    }

    /** The ratio of a quantile of the first to that of the second, with its interval. */
    public static Interval ratioOfQuantiles(
            List<List<double[]>> first, List<List<double[]>> second, double quantile, long seed) {
        double[] quantiles = {quantile};
        return ratio(first, second, samples -> evaluate(samples, quantiles)[0], seed);
    }

    /** The ratio of the mean of the first to that of the second, with its interval. */
    public static Interval ratioOfMeans(List<List<double[]>> first, List<List<double[]>> second, long seed) {
        return ratio(first, second, RunBootstrap::average, seed);
    }

    private static Interval ratio(
            List<List<double[]>> first, List<List<double[]>> second, Function<double[], Double> statistic, long seed) {
        List<List<double[]>> one = filled(first);
        List<List<double[]>> other = filled(second);
        UniformRandomProvider random = random(seed);
        double[] drawn = new double[RESAMPLES];
        Arrays.setAll(drawn, resample -> statistic.apply(draw(one, random)) / statistic.apply(draw(other, random)));
        return interval(statistic.apply(all(one)) / statistic.apply(all(other)), drawn);
    }

    private static UniformRandomProvider random(long seed) {
        return RandomSource.XO_SHI_RO_256_PP.create(seed);
    }

    private static List<List<double[]>> filled(List<List<double[]>> runs) {
        List<List<double[]>> filled = runs.stream()
                .map(run -> run.stream().filter(block -> block.length > 0).toList())
                .filter(run -> !run.isEmpty())
                .toList();
        if (filled.isEmpty()) {
            throw new IllegalArgumentException("No samples to sum up");
        }
        return filled;
    }

    private static Interval interval(double estimate, double[] drawn) {
        double[] ends = Quantile.withDefaults().evaluate(drawn, Comparison.ALPHA / 2, 1 - Comparison.ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static double[] evaluate(double[] samples, double[] quantiles) {
        return Quantile.withDefaults().withCopy(false).evaluate(samples, quantiles);
    }

    private static double average(double[] samples) {
        return Arrays.stream(samples).average().orElseThrow();
    }

    private static double[] draw(List<List<double[]>> runs, UniformRandomProvider random) {
        List<double[]> chosen = new ArrayList<>();
        for (int number = 0; number < runs.size(); number++) {
            List<double[]> run = runs.get(runs.size() < LEAST_RUNS ? number : random.nextInt(runs.size()));
            for (int block = 0; block < run.size(); block++) {
                chosen.add(run.get(random.nextInt(run.size())));
            }
        }
        return chosen.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] all(List<List<double[]>> runs) {
        return runs.stream()
                .flatMap(List::stream)
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }
}
