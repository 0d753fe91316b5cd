package io.movr.lab;

import io.movr.report.LabResults.ParameterRow;
import io.movr.stats.Comparison;
import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;

/**
 * The kinds of the rows of parameters of an experiment, such as the depths of a page, and the samples of each row. A
 * median over rows of different kinds says how often each kind was drawn rather than what changed.
 */
final class ParameterKinds {

    /** More rows are taken as a sample of rows of one kind. */
    static final int MAX_ROWS = 20;

    /** The factor between medians from which rows are of different kinds. */
    private static final double FACTOR = 2;

    private static final long SEED = 1;

    private final Samples samples;
    private final List<Integer> rows;

    private ParameterKinds(Samples samples, List<Integer> rows) {
        this.samples = samples;
        this.rows = rows;
    }

    static ParameterKinds of(Samples samples) {
        List<Integer> rows = samples.samples().stream()
                .map(Samples.Sample::parameterRow)
                .distinct()
                .sorted()
                .toList();
        boolean several = rows.size() > 1
                && rows.size() <= MAX_ROWS
                && rows.stream()
                        .allMatch(row -> samples.blocks(Measurement.BEFORE, row).size() >= RunStatistics.MIN_RUNS);
        boolean differ = several
                && Stream.of(Measurement.BEFORE, Measurement.AFTER).anyMatch(side -> {
                    double[] medians = rows.stream()
                            .mapToDouble(row -> median(samples.blocks(side, row)))
                            .toArray();
                    Arrays.sort(medians);
                    return medians[medians.length - 1] >= FACTOR * medians[0];
                });
        return new ParameterKinds(samples, differ ? rows : List.of());
    }

    private static double median(List<double[]> blocks) {
        return Median.withDefaults()
                .evaluate(blocks.stream().flatMapToDouble(Arrays::stream).toArray());
    }

    /** Returns the samples of a side by block; if the rows differ, one figure for each block. */
    List<double[]> blocks(String side) {
        if (rows.isEmpty()) {
            return samples.blocks(side);
        }
        List<Integer> numbers = samples.samples().stream()
                .map(Samples.Sample::block)
                .distinct()
                .sorted()
                .toList();
        List<double[]> blocks = new ArrayList<>();
        for (int number : numbers) {
            Samples block = new Samples(
                    samples.samples().stream()
                            .filter(sample -> sample.block() == number)
                            .toList(),
                    "",
                    "");
            double logarithm = rows.stream()
                    .map(row -> block.blocks(side, row))
                    .filter(ofRow -> !ofRow.isEmpty())
                    .mapToDouble(ofRow -> Math.log(median(ofRow)))
                    .average()
                    .orElseThrow();
            blocks.add(new double[] {Math.exp(logarithm)});
        }
        return blocks;
    }

    /**
     * Returns the results of each row; empty if the rows are of one kind.
     *
     * @param text describes a row
     */
    List<ParameterRow> results(IntFunction<String> text) {
        return rows.stream()
                .map(row -> {
                    List<double[]> before = samples.blocks(Measurement.BEFORE, row);
                    List<double[]> after = samples.blocks(Measurement.AFTER, row);
                    return new ParameterRow(
                            text.apply(row),
                            Comparison.median(before),
                            Comparison.median(after),
                            RunStatistics.ratioOfPairedMedians(before, after, SEED)
                                    .interval());
                })
                .toList();
    }
}
