package io.movr.stats;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.TTest;

/**
 * Two sets of samples, compared without assuming how either is distributed.
 *
 * @param ratio the median of the first over that of the second, with the percentile bootstrap's 95% interval (Efron and
 *     Tibshirani 1993, chapter 13)
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
                random -> medianOf(resample(first, random)) / medianOf(resample(second, random)),
                median(first) / median(second));
        return of(ratio, first, second);
    }

    /**
     * Compares samples that were taken in forks, which no two sides have in common. Samples of a fork have more in common
     * than samples of different forks, so whole forks are drawn, for each side by itself, and samples within each that
     * was drawn; with one fork, samples only. The test of ranks takes every sample for itself all the same, so by itself
     * it sees too much where forks differ: {@link #forksPValue} does not.
     *
     * @param first forks of any size and number, at least one
     * @param second likewise
     */
    public static Comparison ofForks(List<double[]> first, List<double[]> second, long seed) {
        double[] allFirst = concatenated(first);
        double[] allSecond = concatenated(second);
        Interval ratio = resampled(
                seed,
                random -> medianOf(resample(first, drawBlocks(first.size(), random), random))
                        / medianOf(resample(second, drawBlocks(second.size(), random), random)),
                median(allFirst) / median(allSecond));
        return of(ratio, allFirst, allSecond);
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
        if (first.size() < 2 || second.size() < 2) {
            return OptionalDouble.empty();
        }
        double[] one = logarithms(medians(first));
        double[] other = logarithms(medians(second));
        if (allEqual(one) && allEqual(other)) {
            return OptionalDouble.of(one[0] == other[0] ? 1 : 0);
        }
        return OptionalDouble.of(TTest.withDefaults().test(one, other).getPValue());
    }

    /**
     * Compares samples that were taken in blocks, each on connections of its own. Samples of a block have more in common
     * than samples of different blocks, so whole blocks are drawn, the same for both sides, and samples within them; and
     * the test of ranks takes each block's median for one sample.
     *
     * @param first blocks of equal size
     * @param second as many blocks, the n-th taken together with the n-th of the first
     */
    public static Comparison ofBlocks(List<double[]> first, List<double[]> second, long seed) {
        if (first.size() != second.size()) {
            throw new IllegalArgumentException(first.size() + " blocks cannot be paired with " + second.size());
        }
        Interval ratio = resampled(
                seed,
                random -> {
                    int[] blocks = drawBlocks(first.size(), random);
                    return medianOf(resample(first, blocks, random)) / medianOf(resample(second, blocks, random));
                },
                median(concatenated(first)) / median(concatenated(second)));
        return of(ratio, medians(first), medians(second));
    }

    /** The median of samples that were taken in blocks or forks, with its bootstrap interval. */
    public static Interval median(List<double[]> blocks, long seed) {
        return resampled(
                seed,
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

    private static Interval resampled(long seed, ToDoubleFunction<UniformRandomProvider> statistic, double estimate) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] values = new double[RESAMPLES];
        Arrays.setAll(values, index -> statistic.applyAsDouble(random));
        Arrays.sort(values);
        double[] ends = Quantile.withDefaults().evaluate(values, ALPHA / 2, 1 - ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static Comparison of(Interval ratio, double[] first, double[] second) {
        MannWhitneyUTest.Result ranks = MannWhitneyUTest.withDefaults().test(first, second);
        return new Comparison(ratio, ranks.getStatistic(), ranks.getPValue());
    }

    private static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }

    private static boolean allEqual(double[] values) {
        return Arrays.stream(values).allMatch(value -> value == values[0]);
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
