package io.movr.report;

import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The numbers and names of a comparison as people read them. */
final class ComparisonText {

    private ComparisonText() {}

    /** The parameters that all rows have alike: said once, not in every row. */
    static Map<String, String> common(List<Row> rows) {
        Map<String, String> common = new LinkedHashMap<>();
        if (rows.size() > 1) {
            common.putAll(rows.get(0).params());
            rows.forEach(row -> common.entrySet().retainAll(row.params().entrySet()));
        }
        return common;
    }

    /** A row's name without what it has in common with all others. */
    static String name(Row row, Map<String, String> common) {
        List<String> words = new ArrayList<>(List.of(row.mode()));
        row.params().forEach((param, value) -> {
            if (!common.containsKey(param)) {
                words.add(param + "=" + value);
            }
        });
        return row.benchmark() + " (" + String.join(", ", words) + ")";
    }

    static String params(Map<String, String> params) {
        return params.entrySet().stream()
                .map(param -> param.getKey() + "=" + param.getValue())
                .collect(Collectors.joining(", "));
    }

    /** A number with four significant digits and no exponent. */
    static String number(double value) {
        return Digits.significant(value, 4);
    }

    /** A median with half its interval as a part of it. */
    static String median(Measurement cell) {
        Interval median = cell.median();
        if (cell.n() == 1) {
            return number(median.estimate()) + " (1 value)";
        }
        return number(median.estimate()) + " " + plusMinus((median.high() - median.low()) / 2 / median.estimate());
    }

    static String noise(@Nullable Double noiseFloor) {
        return noiseFloor == null ? "?" : plusMinus(noiseFloor - 1);
    }

    static String factor(double factor) {
        return "×" + Digits.text(factor, factor < 10 ? 2 : 1);
    }

    /** What happened against the baseline: a factor with its interval, behind {@code ~} where nothing was shown. */
    static String improvement(Measurement cell) {
        Interval improvement = cell.improvement();
        if (cell.quotient() != null) {
            return factor(cell.quotient()) + ", one value, no interval: cannot tell";
        }
        if (improvement == null) {
            return cell.verdict();
        }
        return (cell.verdict().equals("~") ? "~ " : "") + "×" + improvement.text(improvement.high() < 10 ? 2 : 1);
    }

    static String pValue(@Nullable Double pValue) {
        if (pValue == null) {
            return "";
        }
        return pValue < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", pValue);
    }

    /** What was done to get at the numbers, a sentence or two. */
    static List<String> method(ComparisonResults results) {
        ComparisonResults.Rules rules = results.rules();
        List<String> lines = new ArrayList<>(List.of(
                "Medians and improvements (above 1 is better) with " + Math.round(100 * rules.confidence())
                        + "% intervals: improvements by Welch's t over the logarithms of the forks' medians, medians"
                        + " by the"
                        + " distribution of a bootstrap of forks, then iterations.",
                "p: Mann–Whitney between iterations, and of several forks a side not below Welch's between forks,"
                        + " adjusted by "
                        + rules.correction() + " over " + rules.family()
                        + (rules.family() == 1 ? " comparison" : " comparisons")
                        + (isOfRuns(results) ? "; of runs with one value each, Welch's between runs" : "")
                        + ".",
                "~: no difference shown, as p is not below "
                        + rules.alpha() + " or the interval is not outside the noise, which is what the same thing"
                        + " measured twice shows" + (isWithoutControl(results) ? " (?: was not measured)" : "") + "."));
        if (results.rows().stream()
                .flatMap(row -> row.cells().stream().skip(1))
                .anyMatch(cell -> cell != null && cell.verdict().equals("baseline"))) {
            lines.add("What was not measured at the baseline is held against the first that was measured.");
        }
        return lines;
    }

    private static boolean isOfRuns(ComparisonResults results) {
        return results.rows().stream()
                .flatMap(row -> row.cells().stream())
                .anyMatch(cell -> cell != null
                        && cell.improvement() != null
                        && cell.values().stream().allMatch(fork -> fork.size() == 1));
    }

    private static boolean isWithoutControl(ComparisonResults results) {
        return results.rows().stream().anyMatch(row -> row.noiseFloor() == null);
    }

    private static String plusMinus(double part) {
        double percent = 100 * part;
        return "±" + Digits.rounded(percent, percent < 9.95 ? 1 : 0) + "%";
    }
}
