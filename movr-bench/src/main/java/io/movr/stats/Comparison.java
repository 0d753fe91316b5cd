package io.movr.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Two sets of samples, compared without assuming how either is distributed.
 *
 * @param ratio of the medians, the first over the second, with its 95% interval: the percentile bootstrap's (Efron and
 *     Tibshirani 1993, chapter 13), of forks that of Welch's t-test
 * @param u the statistic of the Mann–Whitney test: how many pairs the first wins, a tie being half a win
 * @param pValue two-sided, of the Mann–Whitney U test: exact for fewer than 50 samples a side without ties, otherwise by
 *     the normal approximation with corrections for ties and continuity
 */
public record Comparison(Interval ratio, double u, double pValue) {

    /** Resamples that an interval is taken from. */
    public static final int RESAMPLES = 10_000;

    /** The level of every test, and of the intervals: one minus their confidence. */
    public static final double ALPHA = 0.05;

    /** Compares samples of which each stands for itself. */
    public static Comparison of(double[] first, double[] second, long seed) {
        Interval ratio = resampled(
                seed,
                ALPHA / 2,
                random -> medianOf(resample(first, random)) / medianOf(resample(second, random)),
                median(first) / median(second));
        return of(ratio, first, second);
    }

    /**
     * Compares samples that were taken in forks, which no two sides have in common. Samples of a fork have more in common
     * than samples of different forks, so the fork is the unit: the ratio is that of the geometric means of the forks'
     * medians, with the interval of Welch's t-test over their logarithms. Where a side has one fork only, how forks differ is
     * unknown: the ratio is that of the medians of all samples, and samples are drawn again within the forks there are. The
     * test of ranks takes every sample for itself all the same, so by itself it sees too much where forks differ:
     * {@link #forksPValue} does not.
     *
     * @param first forks of any size and number, at least one, of positive samples
     * @param second likewise
     */
    public static Comparison ofForks(List<double[]> first, List<double[]> second, long seed) {
        double[] allFirst = concatenated(first);
        double[] allSecond = concatenated(second);
        Interval ratio = welch(first, second)
                .map(RunStatistics.Ratio::interval)
                .orElseGet(() -> of(allFirst, allSecond, seed).ratio());
        return of(ratio, allFirst, allSecond);
    }

    private static Optional<RunStatistics.Ratio> welch(List<double[]> first, List<double[]> second) {
        return first.size() < 2 || second.size() < 2
                ? Optional.empty()
                : Optional.of(RunStatistics.welch(
                        RunStatistics.logarithms(medians(first)), RunStatistics.logarithms(medians(second))));
    }

    /**
     * The two-sided p-value of Welch's t-test between the logarithms of the forks' medians: whether two sides differ by
     * more than their forks do among themselves.
     *
     * @param first forks of positive samples
     * @param second likewise
     * @return empty where a side has one fork only, which tells nothing of how forks differ
     */
    public static OptionalDouble forksPValue(List<double[]> first, List<double[]> second) {
        return welch(first, second).stream()
                .mapToDouble(RunStatistics.Ratio::pValue)
                .findFirst();
    }

    /**
     * The median of samples that were taken in blocks or forks, with the interval of a bootstrap that draws blocks, and samples
     * within each that was drawn. Percentiles of few blocks are too narrow, so they are taken farther out, as far as Student's t
     * is farther out than the normal distribution (the expanded percentile interval, Hesterberg 2015). Of three blocks this is
     * what the three can give at most, and covers the truth in about nine cases of ten; of six and more it covers it in 95% and
     * somewhat more.
     */
    public static Interval median(List<double[]> blocks, long seed) {
        return resampled(
                seed,
                tailOf(blocks.size()),
                random -> medianOf(resample(blocks, drawBlocks(blocks.size(), random), random)),
                median(concatenated(blocks)));
    }

    /**
     * Whether two sides really differ, which has one meaning in all results: the p-value is below the level, and the whole
     * interval of their ratio lies outside what the same thing measured twice shows.
     *
     * @param pValue {@linkplain Holm adjusted} for the number of comparisons, where there are several
     * @param noiseFloor as {@link Interval#noiseFloor} gives it, or 1 where nothing was measured twice
     */
    public static boolean isDifference(Interval ratio, double pValue, double noiseFloor) {
        return pValue < ALPHA && (ratio.low() > noiseFloor || ratio.high() < 1 / noiseFloor);
    }

    /** The part of resamples beyond each end of an interval of the median of some blocks. */
    private static double tailOf(int blocks) {
        if (blocks == 1) {
            return ALPHA / 2;
        }
        double ends = Math.sqrt(blocks / (blocks - 1.0)) * RunStatistics.quantileOfT(blocks - 1.0);
        return NormalDistribution.of(0, 1).cumulativeProbability(-ends);
    }

    private static Interval resampled(
            long seed, double tail, ToDoubleFunction<UniformRandomProvider> statistic, double estimate) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] values = new double[RESAMPLES];
        Arrays.setAll(values, index -> statistic.applyAsDouble(random));
        Arrays.sort(values);
        double[] ends = Quantile.withDefaults().evaluate(values, tail, 1 - tail);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static Comparison of(Interval ratio, double[] first, double[] second) {
        MannWhitneyUTest.Result ranks = MannWhitneyUTest.withDefaults().test(first, second);
        // Samples that are all equal, such as counts of allocations, have no p-value.
        double pValue = Double.isNaN(ranks.getPValue()) ? 1 : ranks.getPValue();
        return new Comparison(ratio, ranks.getStatistic(), pValue);
    }

    private static double[] resample(double[] from, UniformRandomProvider random) {
        double[] drawn = new double[from.length];
        for (int index = 0; index < drawn.length; index++) {
            drawn[index] = from[random.nextInt(from.length)];
        }
        return drawn;
    }

    private static int[] drawBlocks(int count, UniformRandomProvider random) {
        int[] blocks = new int[count];
        for (int index = 0; index < count; index++) {
            blocks[index] = random.nextInt(count);
        }
        return blocks;
    }

    private static double[] resample(List<double[]> from, int[] blocks, UniformRandomProvider random) {
        double[] drawn = new double
                [Arrays.stream(blocks).map(block -> from.get(block).length).sum()];
        int position = 0;
        for (int block : blocks) {
            double[] samples = from.get(block);
            for (int index = 0; index < samples.length; index++) {
                drawn[position++] = samples[random.nextInt(samples.length)];
            }
        }
        return drawn;
    }

    private static double[] concatenated(List<double[]> blocks) {
        return blocks.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] medians(List<double[]> blocks) {
        return blocks.stream().mapToDouble(Comparison::median).toArray();
    }

    /** The median of samples that nobody needs in their order. */
    private static double medianOf(double[] drawn) {
        return Median.withDefaults().withCopy(false).evaluate(drawn);
    }

    private static double median(double[] samples) {
        return Median.withDefaults().withCopy(true).evaluate(samples);
    }
}
