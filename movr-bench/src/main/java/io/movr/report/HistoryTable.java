package io.movr.report;

import io.movr.report.HistoryResults.Change;
import io.movr.report.HistoryResults.Point;
import io.movr.report.HistoryResults.Series;
import io.movr.stats.ChangePoints;
import java.util.List;

/** A history as a terminal shows it: a line a measure, then the changes. */
public final class HistoryTable {

    private HistoryTable() {}

    /** The whole text. */
    public static String of(HistoryResults results) {
        TextTable table = new TextTable("lrrrrr")
                .row("measure", "unit", "runs", "first", "last", "changes")
                .rule();
        StringBuilder changes = new StringBuilder();
        for (Series series : results.series()) {
            List<Point> points = series.points();
            table.row(
                    series.name(),
                    series.unit(),
                    Integer.toString(points.size()),
                    ComparisonText.number(points.get(0).value().estimate()),
                    ComparisonText.number(points.get(points.size() - 1).value().estimate()),
                    series.changes().isEmpty()
                            ? ""
                            : Integer.toString(series.changes().size()));
            for (Change change : series.changes()) {
                changes.append(line(results, series, change)).append(System.lineSeparator());
            }
        }
        return table
                + System.lineSeparator()
                + (changes.isEmpty() ? "No change was found." + System.lineSeparator() : changes)
                + method(results)
                + System.lineSeparator();
    }

    private static String line(HistoryResults results, Series series, Change change) {
        HistoryResults.Run run = results.runs().get(change.run());
        return series.name() + ": " + change.verdict() + " from " + run.name() + " on, "
                + ComparisonText.number(change.before()) + " → " + ComparisonText.number(change.after()) + " "
                + series.unit() + " (" + ComparisonText.factor(change.after() / change.before()) + ", p "
                + ComparisonText.pValue(change.pValue()) + ")"
                + (change.differences().isEmpty() ? "" : "; " + String.join("; ", change.differences()));
    }

    private static String method(HistoryResults results) {
        return "Changes: E-divisive (Matteson and James 2014) over logarithms, permutation tests at 5%, adjusted for "
                + results.series().size() + (results.series().size() == 1 ? " measure" : " measures") + "; at least "
                + ChangePoints.LEAST_VALUES + " runs on each side.";
    }
}
