package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one comparison found: what {@code comparison.json} holds, as {@code docs/comparison.schema.json} describes it.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code comparison}
 * @param createdAt time in UTC, ISO 8601
 * @param command the words of the command line
 * @param by what the variants are: {@code result}, the name of a parameter of JMH, or {@code method}
 * @param baseline name of the first variant
 * @param variants what is compared, the baseline first
 * @param differences in what the variants' environments differ, empty where they agree
 * @param warnings what a reader must know to judge the numbers, in sentences
 * @param placement what was done to keep chance out of the figures, and what was left to it, in sentences
 * @param geometricMeans one a variant but the baseline
 * @param missing rows that the baseline has and another variant has not
 * @param added rows that another variant has and the baseline has not
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

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    /** The verdict where one of the sides has one value. */
    public static final String ONE_VALUE = "one value";

    /**
     * One of the things that are compared.
     *
     * @param source the file or folder that it was read from
     * @param environment where it was measured, as far as its source tells
     */
    public record Variant(
            String name, String source, @Nullable Environment environment) {}

    /**
     * Something in which environments differ.
     *
     * @param values one a variant, in their order; empty where a variant does not tell
     */
    public record Difference(String what, List<String> values) {}

    /**
     * The rules that were compared by.
     *
     * @param confidence of every interval
     * @param resamples of the bootstrap that gives the interval of an improvement where a side has one fork
     * @param alpha the level that adjusted p-values are held against
     * @param correction how p-values are adjusted
     * @param family how many comparisons they are adjusted for
     * @param failOnPercent the bound of {@code --fail-on}, by which {@link ComparisonGate} judges
     */
    public record Rules(
            double confidence,
            int resamples,
            double alpha,
            String correction,
            int family,
            @Nullable Double failOnPercent) {}

    /**
     * One benchmark, in every variant that has it.
     *
     * @param params its parameters, without the one that makes the variants
     * @param unit of every number in the row's cells
     * @param better {@code lower} or {@code higher}
     * @param noiseFloor the factor, at least 1, within which a ratio is no difference
     * @param cells one a variant, in their order
     */
    public record Row(
            String benchmark,
            Map<String, String> params,
            String mode,
            String unit,
            String better,
            @Nullable Double noiseFloor,
            List<@Nullable Measurement> cells) {

        /** How lists and messages name it: {@code UserById.repository (sample, scale=quick)}. */
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
     * @param n iterations
     * @param mean of all iterations, in sample mode of all samples
     * @param median of iterations, with its interval
     * @param values one list a fork: one value an iteration
     * @param quantiles of all samples, by probability; in sample mode only
     * @param histogram lower end, upper end and number of samples of each bin; in sample mode only
     * @param improvement over the baseline: above 1 is better, whatever the mode
     * @param pValue of the Mann–Whitney U test between the iterations of the baseline and these
     * @param forksPValue of Welch's t-test between the logarithms of forks' medians, where both sides have several forks
     * @param pAdjusted the larger of the two, adjusted for the number of comparisons
     * @param verdict {@code baseline}, {@code better}, {@code worse}, {@code ~}, {@code new} or {@code one value}
     * @param quotient the improvement where one of the sides has one value, so that there is no interval and nothing tells
     *     whether they differ
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
            String verdict,
            @Nullable Double quotient) {}

    /**
     * The geometric mean of a variant's improvements.
     *
     * @param of how many rows, all that both it and the baseline have
     */
    public record GeometricMean(String variant, double improvement, int of) {}

    /** Rows of one variant, by name. */
    public record RowsOf(String variant, List<String> rows) {}
}
