package io.movr.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Statistics of samples that came in runs, and within a run in blocks such as its seconds. The variation between runs is larger
 * than within runs, so the run is the unit: each has a figure, such as its 99th percentile, and the estimate is the geometric
 * mean of these. Its 95% interval is Student's, a ratio's interval and p-value are Welch's, over the logarithms of the runs'
 * figures; that these vary normally is assumed. Where a figure is zero in some run, the estimate is the arithmetic mean, and
 * Student's interval is over the figures themselves.
 *
 * <p>Of paired runs, each of which has a counterpart that ran right before or after it, the pair is the unit: its ratio is free
 * of what changes more slowly. The estimate is the same, its interval and p-value are Student's over the logarithms of the
 * pairs' ratios.
 *
 * <p>With fewer than {@value #MIN_RUNS} runs, the variation between runs is unknown. The estimate is then taken from all
 * samples, and the interval is only within these very runs: their blocks are drawn again, {@value #RESAMPLES} times (the
 * percentile bootstrap over blocks, Künsch 1989). Runs and blocks without a sample are left out.
 *
 * <p>A run is a list of blocks, a block an array of samples.
 */
public final class RunStatistics {

    /**
     * The ratio of two sides.
     *
     * @param pValue of the t-test, Welch's or of paired runs Student's; 1 if there are too few runs
     */
    public record Ratio(Interval interval, double pValue) {}

    /** The pairing of the runs of two sides. */
    public enum Pairing {
        /** Not at all. */
        NONE,
        /** The first of one side with the first of the other, and so on. */
        PAIRS
    }

    /** Resamples that the interval of few runs is taken from. */
    public static final int RESAMPLES = 1_000;

    /** The minimum number of runs for an interval that holds for other runs too, and for a difference of two sides. */
    public static final int MIN_RUNS = 3;

    /** Logarithms that differ by less are equal. */
    private static final double ROUNDING = 1e-12;

    private RunStatistics() {}

    /**
     * Quantiles, each with its interval.
     *
     * @param runs at least one sample in all
     * @param quantiles each between 0 and 1
     */
    public static List<Interval> quantiles(List<List<double[]>> runs, double[] quantiles, long seed) {
        return Arrays.stream(quantiles)
                .mapToObj(quantile -> interval(runs, samples -> evaluate(samples, quantile), seed))
                .toList();
    }

    /** Returns the mean, with its interval. */
    public static Interval mean(List<List<double[]>> runs, long seed) {
        return interval(runs, RunStatistics::average, seed);
    }

    /**
     * Returns the ratio of a quantile of the first to the same quantile of the second; both must be positive in every run.
     *
     * @throws IllegalArgumentException if there is no sample, or a paired run has no counterpart or no sample
     */
    public static Ratio ratioOfQuantiles(
            Pairing pairing, List<List<double[]>> first, List<List<double[]>> second, double quantile, long seed) {
        return ratio(pairing, first, second, samples -> evaluate(samples, quantile), seed);
    }

    /**
     * Returns the ratio of the mean of the first to the mean of the second; both must be positive in every run.
     *
     * @throws IllegalArgumentException if there is no sample, or a paired run has no counterpart or no sample
     */
    public static Ratio ratioOfMeans(
            Pairing pairing, List<List<double[]>> first, List<List<double[]>> second, long seed) {
        return ratio(pairing, first, second, RunStatistics::average, seed);
    }

    /**
     * Returns the ratio of the medians of samples that were taken in blocks, the n-th block of the first together with the
     * n-th of the second, by Student's t over the logarithms of the pairs' ratios of medians. Fewer than {@value
     * #MIN_RUNS} pairs leave the variation between blocks unknown: then the samples of these very blocks are drawn again.
     *
     * @param first blocks of positive samples
     * @param second as many
     */
    public static Ratio ratioOfPairedMedians(List<double[]> first, List<double[]> second, long seed) {
        return ratioOfQuantiles(Pairing.PAIRS, eachARun(first), eachARun(second), 0.5, seed);
    }

    /** Runs whose blocks are single samples. */
    private static List<List<double[]>> eachARun(List<double[]> blocks) {
        return blocks.stream()
                .map(block -> Arrays.stream(block)
                        .mapToObj(sample -> new double[] {sample})
                        .toList())
                .toList();
    }

    private static Interval interval(List<List<double[]>> runs, ToDoubleFunction<double[]> statistic, long seed) {
        List<List<double[]>> filled = filled(runs);
        if (filled.size() < MIN_RUNS) {
            return resampled(
                    statistic.applyAsDouble(all(filled)),
                    seed,
                    random -> statistic.applyAsDouble(draw(filled, random)));
        }
        double[] figures = ofRuns(filled, statistic);
        double t = quantileOfT(figures.length - 1);
        if (Arrays.stream(figures).anyMatch(figure -> figure <= 0)) {
            double mean = average(figures);
            double half = t * Math.sqrt(squaredError(figures));
            return new Interval(mean, Math.max(0, mean - half), mean + half);
        }
        double[] logarithms = logarithms(figures);
        return exponentials(average(logarithms), t * Math.sqrt(squaredError(logarithms)));
    }

    private static Ratio ratio(
            Pairing pairing,
            List<List<double[]>> first,
            List<List<double[]>> second,
            ToDoubleFunction<double[]> statistic,
            long seed) {
        List<List<double[]>> one = filled(first);
        List<List<double[]>> other = filled(second);
        boolean paired = pairing == Pairing.PAIRS;
        if (paired && (one.size() != first.size() || other.size() != second.size() || one.size() != other.size())) {
            throw new IllegalArgumentException("A run has no counterpart, or no sample");
        }
        if (Math.min(one.size(), other.size()) < MIN_RUNS) {
            return new Ratio(
                    resampled(
                            statistic.applyAsDouble(all(one)) / statistic.applyAsDouble(all(other)),
                            seed,
                            random -> statistic.applyAsDouble(draw(one, random))
                                    / statistic.applyAsDouble(draw(other, random))),
                    1);
        }
        double[] ofOne = logarithms(ofRuns(one, statistic));
        double[] ofOther = logarithms(ofRuns(other, statistic));
        return paired ? student(ofOne, ofOther) : welch(ofOne, ofOther);
    }

    /** Returns the ratio by Student's t-test over the differences of the pairs' logarithms. */
    private static Ratio student(double[] ofOne, double[] ofOther) {
        double[] differences = new double[ofOne.length];
        Arrays.setAll(differences, pair -> ofOne[pair] - ofOther[pair]);
        return ratio(average(differences), squaredError(differences), differences.length - 1.0);
    }

    /** Returns the ratio by Welch's t-test over logarithms, at least two on each side. */
    static Ratio welch(double[] ofOne, double[] ofOther) {
        double errorOfOne = squaredError(ofOne);
        double errorOfOther = squaredError(ofOther);
        double error = errorOfOne + errorOfOther;
        // By Welch and Satterthwaite.
        double freedom = error
                * error
                / (errorOfOne * errorOfOne / (ofOne.length - 1) + errorOfOther * errorOfOther / (ofOther.length - 1));
        return ratio(average(ofOne) - average(ofOther), error, freedom);
    }

    private static Ratio ratio(double difference, double squaredError, double freedom) {
        if (squaredError < ROUNDING * ROUNDING) {
            return new Ratio(exponentials(difference, 0), Math.abs(difference) < ROUNDING ? 1 : 0);
        }
        double error = Math.sqrt(squaredError);
        double pValue = 2 * TDistribution.of(freedom).survivalProbability(Math.abs(difference) / error);
        return new Ratio(exponentials(difference, quantileOfT(freedom) * error), pValue);
    }

    static double quantileOfT(double freedom) {
        return TDistribution.of(freedom).inverseSurvivalProbability(Comparison.ALPHA / 2);
    }

    private static Interval exponentials(double middle, double half) {
        return new Interval(Math.exp(middle), Math.exp(middle - half), Math.exp(middle + half));
    }

    /** Returns the square of a mean's standard error. */
    private static double squaredError(double[] values) {
        double mean = average(values);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return squares / (values.length - 1) / values.length;
    }

    private static double[] ofRuns(List<List<double[]>> runs, ToDoubleFunction<double[]> statistic) {
        return runs.stream()
                .mapToDouble(run -> statistic.applyAsDouble(all(List.of(run))))
                .toArray();
    }

    static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
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

    private static Interval resampled(double estimate, long seed, ToDoubleFunction<UniformRandomProvider> statistic) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] drawn = IntStream.range(0, RESAMPLES)
                .mapToDouble(resample -> statistic.applyAsDouble(random))
                .toArray();
        double[] ends = Quantile.withDefaults().evaluate(drawn, Comparison.ALPHA / 2, 1 - Comparison.ALPHA / 2);
        return new Interval(estimate, ends[0], ends[1]);
    }

    private static double evaluate(double[] samples, double quantile) {
        return Quantile.withDefaults().withCopy(false).evaluate(samples, quantile);
    }

    private static double average(double[] samples) {
        return Arrays.stream(samples).average().orElseThrow();
    }

    /** As many blocks of each run as it has. */
    private static double[] draw(List<List<double[]>> runs, UniformRandomProvider random) {
        List<double[]> chosen = new ArrayList<>();
        for (List<double[]> run : runs) {
            for (int block = 0; block < run.size(); block++) {
                chosen.add(run.get(random.nextInt(run.size())));
            }
        }
        return all(List.of(chosen));
    }

    private static double[] all(List<List<double[]>> runs) {
        return runs.stream()
                .flatMap(List::stream)
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }
}
