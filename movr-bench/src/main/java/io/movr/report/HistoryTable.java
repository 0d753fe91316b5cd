package io.movr.report;

import io.movr.report.HistoryResults.Point;
import io.movr.report.HistoryResults.Series;
import java.util.List;

/** A history as text for a terminal: one line for each measure. */
public final class HistoryTable {

    private HistoryTable() {}

    /** Returns the table. */
    public static String of(HistoryResults results) {
        TextTable table = new TextTable("lrrrrr")
                .row("measure", "unit", "runs", "first", "last", "last/first")
                .rule();
        for (Series series : results.series()) {
            List<Point> points = series.points();
            double first = points.get(0).value().estimate();
            double last = points.get(points.size() - 1).value().estimate();
            table.row(
                    series.name(),
                    series.unit(),
                    Integer.toString(points.size()),
                    ComparisonText.number(first),
                    ComparisonText.number(last),
                    ComparisonText.factor(last / first));
        }
        return table.toString();
    }
}
