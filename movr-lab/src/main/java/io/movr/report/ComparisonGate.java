package io.movr.report;

import io.movr.SlowdownBound;
import io.movr.SlowdownBound.Outcome;
import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Judges a comparison by the bound of {@code --fail-on}: every row of every variant but the baseline. */
public final class ComparisonGate {

    private ComparisonGate() {}

    /**
     * A row of a variant.
     *
     * @param message a sentence without its point, which begins with the name of the row
     */
    public record Judged(Outcome outcome, String message) {}

    /** Every row that the bound is about, in the order of the table; empty if there is no bound. */
    public static List<Judged> judge(ComparisonResults results) {
        List<Judged> judged = new ArrayList<>();
        Double allowed = results.rules().failOnPercent();
        if (allowed == null) {
            return judged;
        }
        for (Row row : results.rows()) {
            for (int place = 0; place < row.cells().size(); place++) {
                String variant = results.variants().get(place).name();
                Judged one = judge(row, row.cells().get(place), variant, isMissing(results, row, place), allowed);
                if (one != null) {
                    judged.add(one);
                }
            }
        }
        return judged;
    }

    /** What was judged and what was not, in a line. */
    public static String summary(ComparisonResults results) {
        List<Judged> judged = judge(results);
        long without = results.rows().stream()
                .flatMap(row -> row.cells().stream().skip(1))
                .filter(cell -> cell == null
                        ? !results.by().equals("result")
                        : cell.verdict().equals("new"))
                .count();
        return "--fail-on 'slower>" + number(results.rules().failOnPercent()) + "%': "
                + Outcome.count(judged.stream().map(Judged::outcome).toList())
                + (without == 0 ? "" : "; " + without + " not judged, because only one side has figures");
    }

    /** Whether a row was measured at the baseline and not here. Within one result not every call is measured everywhere. */
    private static boolean isMissing(ComparisonResults results, Row row, int place) {
        return results.missing().stream()
                .anyMatch(
                        of -> of.variant().equals(results.variants().get(place).name())
                                && of.rows().contains(row.name()));
    }

    private static @Nullable Judged judge(
            Row row, @Nullable Measurement cell, String variant, boolean missing, double allowed) {
        String which = row.name() + " in " + variant;
        if (missing) {
            return new Judged(Outcome.UNSURE, which + " cannot tell: the row is missing there");
        }
        if (cell == null) {
            return null;
        }
        if (cell.quotient() != null) {
            return new Judged(
                    Outcome.UNSURE,
                    which + " cannot tell: a side has one value, so there is no interval; measure more runs");
        }
        Interval improvement = cell.improvement();
        if (improvement == null) {
            return null;
        }
        Outcome outcome = new SlowdownBound(allowed)
                .judgeImprovement(
                        improvement.low(), improvement.high(), cell.verdict().equals("worse"));
        double slower = SlowdownBound.slowerPercent(improvement.estimate());
        boolean amount = row.unit().startsWith("B/") || row.unit().startsWith("allocs/");
        String found = String.format(
                Locale.ROOT,
                "%s%% %s, 95%% interval [%s%%, %s%%], and --fail-on allows %s%%",
                Digits.rounded(Math.abs(slower), 1),
                slower < 0 ? (amount ? "less" : "faster") : amount ? "more" : "slower",
                Digits.rounded(SlowdownBound.slowerPercent(improvement.high()), 1),
                Digits.rounded(SlowdownBound.slowerPercent(improvement.low()), 1),
                number(allowed));
        return new Judged(
                outcome,
                which
                        + (outcome == Outcome.UNSURE
                                ? " cannot tell: " + found + "; more forks or runs make the interval narrower"
                                : " is " + found));
    }

    private static String number(@Nullable Double percent) {
        return LabGate.number(percent == null ? 0 : percent);
    }
}
