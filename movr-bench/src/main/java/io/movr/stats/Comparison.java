package io.movr.stats;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
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

    /** Compares samples of which each stands for itself. */
    public static Comparison of(double[] first, double[] second, long seed) {
        Interval ratio = resampled(
                seed,
                random -> median(resample(first, random)) / median(resample(second, random)),
                median(first) / median(second));
        return new Comparison(ratio, rankTest(first, second));
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
                    return median(resample(first, blocks, random)) / median(resample(second, blocks, random));
                },
                median(concatenated(first)) / median(concatenated(second)));
        return new Comparison(ratio, rankTest(medians(first), medians(second)));
    }

    /** The median of samples that were taken in blocks, with its bootstrap interval. */
    public static Interval median(List<double[]> blocks, long seed) {
        return resampled(
                seed,
                random -> median(resample(blocks, drawBlocks(blocks.size(), random), random)),
                median(concatenated(blocks)));
    }

    /** Whether the ranks of the two differ at the 5% level. */
    public boolean ranksDiffer() {
        return pValue < ALPHA;
    }

    private static Interval resampled(long seed, ToDoubleFunction<UniformRandomProvider> statistic, double estimate) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] values = new double[RESAMPLES];
        Arrays.setAll(values, index -> statistic.applyAsDouble(random));
        Arrays.sort(values);
        double[] ends = Quantile.withDefaults().evaluate(values, ALPHA / 2, 1 - ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static double rankTest(double[] first, double[] second) {
        return MannWhitneyUTest.withDefaults().test(first, second).getPValue();
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

    private static double median(double[] samples) {
        return Median.withDefaults().withCopy(true).evaluate(samples);
    }
}
