package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.moment;
import static io.movr.report.ReportParts.number;

import io.movr.report.HistoryResults.Point;
import io.movr.report.HistoryResults.Run;
import io.movr.report.HistoryResults.Series;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Chart;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of the measures of many runs in the order of time. */
public final class HistoryReport {

    private HistoryReport() {}

    /** Returns the report. */
    public static Report of(HistoryResults results) {
        List<Run> runs = results.runs();
        Section measures = new Section("measures", "Measures")
                .addToPage(new Text(
                        "Each dot is a run, with its 95% interval if it has one; the oldest is on the left, and runs"
                                + " are spaced evenly. To test"
                                + " whether two of the runs differ, compare them with movr compare."))
                .add(table(results));
        results.series().forEach(series -> measures.addToPage(figure(runs, series)));
        return new Report(
                "MovR history: " + results.folder(),
                "History",
                count(results.series().size(), "measure") + " of " + count(runs.size(), "run") + " in "
                        + results.folder() + ", from "
                        + moment(runs.get(0).startedAt()) + " to "
                        + moment(runs.get(runs.size() - 1).startedAt()) + ".",
                Section.opening(),
                List.of(measures, runs(runs)),
                List.of());
    }

    private static Table table(HistoryResults results) {
        return new Table(
                "Measures",
                TableLayout.PLAIN,
                Column.list("measure | unit | #runs | #first | #last | #last/first"),
                results.series().stream()
                        .map(series -> {
                            List<Point> points = series.points();
                            double first = points.get(0).value().estimate();
                            double last = points.get(points.size() - 1).value().estimate();
                            return Stream.of(
                                            series.name(),
                                            series.unit(),
                                            Integer.toString(points.size()),
                                            ComparisonText.number(first),
                                            ComparisonText.number(last),
                                            ComparisonText.factor(last / first))
                                    .map(Cell::of)
                                    .toList();
                        })
                        .toList());
    }

    private static Figure figure(List<Run> runs, Series series) {
        Map<Double, String> ticks = new LinkedHashMap<>();
        ticks.put(0.0, moment(runs.get(0).startedAt()));
        ticks.put(runs.size() - 1.0, moment(runs.get(runs.size() - 1).startedAt()));
        return new Figure(
                series.name() + " by run",
                series.name() + ", " + series.unit() + ".",
                new Lines(
                        "",
                        false,
                        series.unit(),
                        false,
                        ticks,
                        List.of(new Line(
                                series.name(),
                                Colour.MEASURED,
                                Stroke.NONE,
                                series.points().stream()
                                        .map(point -> point(runs.get(point.run()), point, series.unit()))
                                        .toList())),
                        null));
    }

    private static Chart.Point point(Run run, Point point, String unit) {
        Interval value = point.value();
        String text = Stream.concat(
                        Stream.of(
                                run.name(),
                                moment(run.startedAt()),
                                value.high() > value.low()
                                        ? value.text(2) + " " + unit
                                        : number(value.estimate()) + " " + unit),
                        run.differences().stream())
                .collect(Collectors.joining("\n"));
        return new Chart.Point(point.run(), value.estimate(), value.low(), value.high(), "", text);
    }

    private static Section runs(List<Run> runs) {
        return new Section("runs", "Runs")
                .addToPage(new Table(
                        "Runs",
                        TableLayout.PLAIN,
                        Column.list("Run | Started | Difference from the previous run"),
                        runs.stream()
                                .map(run -> List.of(
                                        Cell.of(run.name()),
                                        Cell.of(moment(run.startedAt())),
                                        Cell.of(String.join("; ", run.differences()))))
                                .toList()));
    }
}
