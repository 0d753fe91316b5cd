package io.movr.report;

import io.movr.report.ComparisonResults.Cell;
import io.movr.report.ComparisonResults.Row;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A comparison for spreadsheets and scripts: one line a benchmark and variant, with full precision. */
public final class ComparisonCsv {

    private ComparisonCsv() {}

    /** The lines, the names of the columns first. */
    public static String of(ComparisonResults results) {
        CsvLines text = new CsvLines();
        text.line(List.of(
                "benchmark",
                "params",
                "mode",
                "unit",
                "better",
                "noise_floor",
                "variant",
                "iterations",
                "forks",
                "mean",
                "median",
                "median_low",
                "median_high",
                "improvement",
                "improvement_low",
                "improvement_high",
                "p",
                "p_adjusted",
                "verdict",
                "quotient"));
        for (Row row : results.rows()) {
            for (int place = 0; place < row.cells().size(); place++) {
                Cell cell = row.cells().get(place);
                if (cell != null) {
                    text.line(values(row, results.variants().get(place).name(), cell));
                }
            }
        }
        return text.toString();
    }

    private static List<String> values(Row row, String variant, Cell cell) {
        List<String> values = new ArrayList<>(List.of(
                row.benchmark(),
                ComparisonText.params(row.params()),
                row.mode(),
                row.unit(),
                row.better(),
                number(row.noiseFloor()),
                variant,
                Integer.toString(cell.n()),
                Integer.toString(cell.forks()),
                number(cell.mean())));
        values.addAll(interval(cell.median()));
        values.addAll(interval(cell.improvement()));
        values.add(number(cell.pValue()));
        values.add(number(cell.pAdjusted()));
        values.add(cell.verdict());
        values.add(number(cell.quotient()));
        return values;
    }

    private static List<String> interval(@Nullable Interval interval) {
        return interval == null
                ? Collections.nCopies(3, "")
                : List.of(number(interval.estimate()), number(interval.low()), number(interval.high()));
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : Double.toString(value);
    }
}
