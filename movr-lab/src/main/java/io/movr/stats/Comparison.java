package io.movr.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * A comparison of two sets of samples that assumes no distribution.
 *
 * @param ratio of the medians, the first over the second, with its 95% interval: the percentile bootstrap's (Efron and
 *     Tibshirani 1993, chapter 13), of forks by Welch's t-test
 * @param u the statistic of the Mann–Whitney test: how many pairs the first wins, a tie being half a win
 * @param pValue two-sided, of the Mann–Whitney U test: exact for fewer than 50 samples a side without ties, otherwise by
 *     the normal approximation with corrections for ties and continuity
 */
public record Comparison(Interval ratio, double u, double pValue) {

    /** Resamples that the interval of a ratio is taken from. */
    public static final int RESAMPLES = 10_000;

    /** Beyond it, extreme samples within a block would determine the interval, not the blocks. */
    private static final double MIN_TAIL_PROBABILITY = 1e-4;

    /** The level of every test, and of the intervals: one minus their confidence. */
    public static final double ALPHA = 0.05;

    /** Compares samples of which each stands for itself. */
    public static Comparison of(double[] first, double[] second, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        DoubleSupplier firstMedians = resampledMedians(first, random);
        DoubleSupplier secondMedians = resampledMedians(second, random);
        double[] ratios = DoubleStream.generate(() -> firstMedians.getAsDouble() / secondMedians.getAsDouble())
                .limit(RESAMPLES)
                .toArray();
        double[] ends = Quantile.withDefaults().evaluate(ratios, ALPHA / 2, 1 - ALPHA / 2);
        Interval ratio = new Interval(median(first) / median(second), ends[0], ends[1]);
        return of(ratio, first, second);
    }

    /**
     * Compares samples that were taken in forks, which no two sides have in common. Samples of a fork have more in common than
     * samples of different forks, so the fork is the unit: the ratio compares the geometric means of the forks' medians, with
     * the interval of Welch's t-test over their logarithms. Where a side has one fork only, how forks differ is unknown: the
     * ratio compares the medians of all samples, and samples are drawn again within the forks there are. The rank test
     * nevertheless treats samples as independent, so it reports too many differences if forks differ: {@link #forksPValue} does
     * not.
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

    /** Returns the ratio of runs that have one value each, as {@link #ofForks} has it. */
    public static Interval ofRuns(double[] first, double[] second) {
        return ofForks(eachAFork(first), eachAFork(second), 1).ratio();
    }

    private static List<double[]> eachAFork(double[] runs) {
        return Arrays.stream(runs).mapToObj(run -> new double[] {run}).toList();
    }

    private static Optional<RunStatistics.Ratio> welch(List<double[]> first, List<double[]> second) {
        return first.size() < 2 || second.size() < 2
                ? Optional.empty()
                : Optional.of(RunStatistics.welch(
                        RunStatistics.logarithms(medians(first)), RunStatistics.logarithms(medians(second))));
    }

    /**
     * Returns the two-sided p-value of Welch's t-test between the logarithms of the forks' medians: whether two sides differ by
     * more than their forks do among themselves.
     *
     * @param first forks of positive samples
     * @param second likewise
     * @return empty if a side has one fork only, because the variation between forks is then unknown
     */
    public static OptionalDouble forksPValue(List<double[]> first, List<double[]> second) {
        return welch(first, second).stream()
                .mapToDouble(RunStatistics.Ratio::pValue)
                .findFirst();
    }

    /**
     * Returns the median of samples that were taken in blocks or forks, with the interval of a bootstrap that draws
     * blocks, and samples within each that was drawn. Percentiles of few blocks are too narrow, so they are taken farther
     * out, as far as Student's t is farther out than the normal distribution (the expanded percentile interval, Hesterberg
     * 2015), but not farther than {@value #MIN_TAIL_PROBABILITY}. Of three blocks this is what the three can give at most,
     * and covers the true value in about 90% of cases; with six blocks or more, in 95% or slightly more.
     *
     * @param blocks at least one, none of them empty
     */
    public static Interval median(List<double[]> blocks) {
        ResampledMedian resampled = new ResampledMedian(blocks);
        double tail = tailOf(blocks.size());
        return new Interval(median(concatenated(blocks)), resampled.quantile(tail), resampled.quantile(1 - tail));
    }

    /**
     * Returns whether two sides differ. The definition is the same in all results: the p-value is below the level, and the whole
     * interval of their ratio lies outside the noise floor.
     *
     * @param pValue {@linkplain Holm adjusted} for the number of comparisons, where there are several
     * @param noiseFloor as {@link Interval#noiseFloor} gives it, or 1 where nothing was measured twice
     */
    public static boolean isDifference(Interval ratio, double pValue, double noiseFloor) {
        return pValue < ALPHA && (ratio.low() > noiseFloor || ratio.high() < 1 / noiseFloor);
    }

    /** Returns the part of resamples beyond each end of an interval of the median of some blocks. */
    private static double tailOf(int blocks) {
        if (blocks == 1) {
            return ALPHA / 2;
        }
        double ends = Math.sqrt(blocks / (blocks - 1.0)) * RunStatistics.quantileOfT(blocks - 1.0);
        return Math.max(MIN_TAIL_PROBABILITY, NormalDistribution.of(0, 1).cumulativeProbability(-ends));
    }

    private static Comparison of(Interval ratio, double[] first, double[] second) {
        MannWhitneyUTest.Result ranks = MannWhitneyUTest.withDefaults().test(first, second);
        // Samples that are all equal, such as counts of allocations, have no p-value.
        double pValue = Double.isNaN(ranks.getPValue()) ? 1 : ranks.getPValue();
        return new Comparison(ratio, ranks.getStatistic(), pValue);
    }

    /**
     * Medians of as many samples as there are, drawn with replacement, without drawing them: which sample is the median depends
     * only on the middle one or two of n uniform numbers in order. The k-th smallest of them has the beta distribution of k and
     * n − k + 1, and the next is the smallest of the n − k that are left above it.
     */
    private static DoubleSupplier resampledMedians(double[] samples, UniformRandomProvider random) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        int middle = (count + 1) / 2;
        SharedStateContinuousSampler positions = ChengBetaSampler.of(random, middle, count - middle + 1.0);
        if (count % 2 == 1) {
            return () -> at(sorted, positions.sample());
        }
        return () -> {
            double lower = positions.sample();
            double upper = 1 - (1 - lower) * Math.pow(random.nextDouble(), 1.0 / (count - middle));
            return (at(sorted, lower) + at(sorted, upper)) / 2;
        };
    }

    /** Returns the sample at a position between 0 and 1. */
    private static double at(double[] sorted, double position) {
        return sorted[Math.min((int) (position * sorted.length), sorted.length - 1)];
    }

    private static double[] concatenated(List<double[]> blocks) {
        return blocks.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] medians(List<double[]> blocks) {
        return blocks.stream().mapToDouble(Comparison::median).toArray();
    }

    private static double median(double[] samples) {
        return Median.withDefaults().withCopy(true).evaluate(samples);
    }
}
