package io.movr.report;

import static io.movr.report.ReportParts.interval;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.ratio;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Growth;
import io.movr.report.LabResults.Point;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Chart;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The growth of latencies with the rows. */
final class GrowthReport {

    private GrowthReport() {}

    static Section section(LabResults results) {
        Section section = new Section("growth", "Growth");
        List<Growth> all = results.growth() == null ? List.of() : results.growth();
        if (!all.isEmpty()) {
            section.addToPage(new Text(
                    "The same experiment on multiples of the rows. A side whose time grows as the rows do rises like"
                            + " the dashed line; a side"
                            + " that does not depend on them stays level."));
        }
        for (Growth growth : all) {
            section.addToPage(
                    new Group(growth.experiment(), GroupLayout.PLAIN, List.of(chart(growth), table(results, growth))));
        }
        return section;
    }

    private static Block chart(Growth growth) {
        List<Point> points = measuredPoints(growth);
        if (points.size() < 2) {
            return new Text("");
        }
        Map<Double, String> ticks = new LinkedHashMap<>();
        points.forEach(point -> ticks.put((double) point.scale(), "× " + point.scale()));
        Point first = points.get(0);
        int largest = points.get(points.size() - 1).scale();
        double start = Objects.requireNonNull(first.beforeMs()).estimate();
        List<Chart.Point> proportional = List.of(
                new Chart.Point(first.scale(), start, start, start, "", ""),
                new Chart.Point(largest, start * largest / first.scale(), start, start, "", ""));
        return new Block.Figure(
                "Latency of " + growth.experiment()
                        + " by multiple of the rows; the table below holds the same numbers",
                "Median latency by multiple of the rows, both logarithmic, with 95% intervals that are wider than a"
                        + " mark.",
                new Lines(
                        "",
                        true,
                        "ms",
                        true,
                        ticks,
                        List.of(
                                new Line("before", Colour.BEFORE, Stroke.SOLID, points("before", points, true)),
                                new Line("after", Colour.AFTER, Stroke.SOLID, points("after", points, false)),
                                new Line("grows as the rows do", Colour.MUTED, Stroke.DASHED, proportional)),
                        null));
    }

    private static List<Chart.Point> points(String side, List<Point> points, boolean isBefore) {
        return points.stream()
                .map(point -> {
                    Interval ms = Objects.requireNonNull(isBefore ? point.beforeMs() : point.afterMs());
                    return new Chart.Point(
                            point.scale(),
                            ms.estimate(),
                            ms.low(),
                            ms.high(),
                            "",
                            side + ", × " + point.scale() + "\n" + number(ms.estimate()) + " ms");
                })
                .toList();
    }

    private static Table table(LabResults results, Growth growth) {
        return new Table(
                "Growth of " + growth.experiment(),
                TableLayout.CARDS,
                Column.list("Rows | #Before, ms | #After, ms | #Ratio | Result"),
                growth.points().stream()
                        .map(point -> {
                            Experiment experiment = results.experiments().stream()
                                    .filter(one -> one.id().equals(point.experiment()))
                                    .findFirst()
                                    .orElse(null);
                            return List.of(
                                    Cell.link("× " + point.scale(), "#" + ExperimentReport.target(point.experiment()))
                                            .note(
                                                    experiment == null || experiment.rows() == null
                                                            ? ""
                                                            : ReportParts.rows(experiment.rows())),
                                    interval(point.beforeMs()),
                                    interval(point.afterMs()),
                                    ratio(point.improvement()),
                                    experiment == null || experiment.failure() != null
                                            ? Cell.EMPTY.with("failed", Style.BAD)
                                            : ExperimentReport.outcome(experiment));
                        })
                        .toList());
    }

    private static List<Point> measuredPoints(Growth growth) {
        return growth.points().stream()
                .filter(point -> point.beforeMs() != null && point.afterMs() != null)
                .toList();
    }

    /** Returns how each side grows with the rows, a line for each experiment with several scales. */
    static List<String> lines(LabResults results) {
        return (results.growth() == null ? List.<Growth>of() : results.growth())
                .stream().map(GrowthReport::line).toList();
    }

    private static String line(Growth growth) {
        List<Point> measured = measuredPoints(growth);
        String failed = growth.points().stream()
                .filter(point -> !measured.contains(point))
                .map(point -> String.valueOf(point.scale()))
                .collect(Collectors.joining(", "));
        String text = "growth of " + growth.experiment() + ": ";
        if (measured.size() < 2) {
            text += "nothing can be said";
        } else {
            Point first = measured.get(0);
            Point last = measured.get(measured.size() - 1);
            text += String.format(
                    Locale.ROOT,
                    "from %d to %d times the rows, before takes %s times as long, after %s times",
                    first.scale(),
                    last.scale(),
                    times(first.beforeMs(), last.beforeMs()),
                    times(first.afterMs(), last.afterMs()));
        }
        return failed.isEmpty() ? text : text + "; failed at scale " + failed;
    }

    private static String times(@Nullable Interval first, @Nullable Interval last) {
        return Digits.text(
                Objects.requireNonNull(last).estimate()
                        / Objects.requireNonNull(first).estimate(),
                2);
    }
}
