package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of a comparison of runs: the content of its {@code comparison.json}.
 *
 * @param schemaVersion version of the format; it increases with each change that is not backward compatible
 * @param kind {@code comparison}
 * @param createdAt time of the comparison in UTC, ISO 8601
 * @param command words of the command line
 * @param by what distinguishes the variants: {@code result}, {@code method}, or the name of a JMH parameter
 * @param baseline name of the first variant
 * @param variants the variants, at least two, the baseline first
 * @param differences differences between the environments of the variants; empty if they agree
 * @param warnings what a reader must know to judge the numbers, a sentence each
 * @param placement measures against chance in the figures, and what they leave to chance, a sentence each
 * @param rules rules of the comparison
 * @param rows benchmarks, at least one
 * @param geometricMeans one per variant that has a row in common with the baseline
 * @param missing rows of the baseline that another variant does not have
 * @param added rows of another variant that the baseline does not have
 */
public record ComparisonResults(
        int schemaVersion,
        String kind,
        String createdAt,
        List<String> command,
        String by,
        String baseline,
        List<Variant> variants,
        List<Difference> differences,
        List<String> warnings,
        List<String> placement,
        Rules rules,
        List<Row> rows,
        List<GeometricMean> geometricMeans,
        List<RowsOf> missing,
        List<RowsOf> added) {

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    /** The verdict if one of the sides has one value. */
    public static final String ONE_VALUE = "one value";

    /**
     * One of the compared variants.
     *
     * @param name name of the variant
     * @param source file or folder of the results
     * @param environment environment of the measurement; {@code null} if the source does not contain it
     */
    public record Variant(
            String name, String source, @Nullable Environment environment) {}

    /**
     * A property in which environments differ.
     *
     * @param what name of the property
     * @param values one value per variant, in their order; empty if the source does not contain it
     */
    public record Difference(String what, List<String> values) {}

    /**
     * The rules of a comparison.
     *
     * @param confidence confidence level of every interval, 0 to 1
     * @param resamples number of bootstrap resamples for the interval of an improvement if a side has one fork; before
     *     2026-11-24 also for the intervals of medians
     * @param alpha level with which adjusted p-values are compared
     * @param correction adjustment of p-values
     * @param family number of comparisons for which p-values are adjusted
     * @param failOnPercent bound of {@code --fail-on}, which {@link ComparisonGate} applies; {@code null} if there is
     *     none
     */
    public record Rules(
            double confidence,
            int resamples,
            double alpha,
            String correction,
            int family,
            @Nullable Double failOnPercent) {}

    /**
     * One benchmark in every variant that has it.
     *
     * @param benchmark name of the benchmark
     * @param params parameters, without the parameter that distinguishes the variants
     * @param mode JMH's mode {@code thrpt}, {@code avgt}, {@code sample} or {@code ss}; for other programs also
     *     {@code stddev}, {@code max}, a percentile such as {@code p99}, or {@code bytes} and {@code allocs} per
     *     operation
     * @param unit unit of every number in the cells
     * @param better whether lower or higher numbers are better
     * @param noiseFloor factor, at least 1, within which a ratio is no difference; {@code null} if no control was
     *     measured
     * @param cells one per variant, in their order; {@code null} if the variant does not have the benchmark
     */
    public record Row(
            String benchmark,
            Map<String, String> params,
            String mode,
            String unit,
            @OneOf({"lower", "higher"}) String better,
            @Nullable Double noiseFloor,
            List<@Nullable Measurement> cells) {

        /** Returns the name in lists and messages, such as {@code UserById.repository (sample, scale=quick)}. */
        public String name() {
            StringBuilder name = new StringBuilder(benchmark).append(" (").append(mode);
            params.forEach(
                    (key, value) -> name.append(", ").append(key).append('=').append(value));
            return name.append(')').toString();
        }
    }

    /**
     * One benchmark in one variant.
     *
     * @param n number of iterations
     * @param forks number of forks
     * @param mean mean of all iterations; in sample mode, of all samples
     * @param median median of iterations with its interval
     * @param values one list per fork with one value per iteration; in sample mode, the median of the samples of the
     *     iteration
     * @param quantiles quantiles of all samples, by probability; {@code null} unless in sample mode
     * @param histogram lower end, upper end and number of samples of each bin, at most 80 bins of equal width on a
     *     logarithmic axis; {@code null} unless in sample mode
     * @param improvement ratio to the baseline, above 1 if this variant is better
     * @param pValue p-value of the Mann–Whitney U test between the iterations of the baseline and of this variant, 0
     *     to 1
     * @param forksPValue p-value of Welch's t-test on the logarithms of the medians of forks, if both sides have
     *     several forks, 0 to 1; 1 for fewer than three runs with one value each
     * @param pAdjusted the larger of the two p-values, or the p-value between forks if each fork is a run with one
     *     value, adjusted for the number of comparisons
     * @param verdict {@code ~} if no difference was shown, {@code new} if the baseline does not have the benchmark
     * @param quotient the improvement if one of the sides has one value: there is no interval, and no test of the
     *     difference
     */
    public record Measurement(
            int n,
            int forks,
            double mean,
            Interval median,
            List<List<Double>> values,
            @Nullable Map<String, Double> quantiles,
            @Nullable List<List<Double>> histogram,
            @Nullable Interval improvement,
            @Nullable Double pValue,
            @Nullable Double forksPValue,
            @Nullable Double pAdjusted,

            @OneOf({"baseline", "better", "worse", "~", "new", "one value"})
            String verdict,

            @Nullable Double quotient) {}

    /**
     * The geometric mean of the improvements of a variant.
     *
     * @param variant name of the variant
     * @param improvement geometric mean, above 1 if the variant is better
     * @param of number of rows that both the variant and the baseline have
     */
    public record GeometricMean(String variant, double improvement, int of) {}

    /**
     * Rows of one variant.
     *
     * @param variant name of the variant
     * @param rows names, such as {@code UserById.repository (sample, scale=quick)}
     */
    public record RowsOf(String variant, List<String> rows) {}
}
