package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.percent;

import io.movr.report.WorkloadResults.Cost;
import io.movr.report.WorkloadResults.Latency;
import io.movr.report.WorkloadResults.Operation;
import io.movr.report.WorkloadResults.Point;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Chart;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The report of a run of a workload, and what it shares with that of a calibration. */
final class WorkloadReport {

    /** The colours of lines, in their order. */
    static final List<Colour> COLOURS = List.of(
            Colour.MEASURED, Colour.BEFORE, Colour.PUBLISHED, Colour.GOOD, Colour.PART, Colour.BAD, Colour.CONTROL);

    private WorkloadReport() {}

    /** Returns the report. */
    static Report of(WorkloadResults results) {
        return new Report(
                results.title(),
                "Workload " + results.workload(),
                lead(results.environment(), results.seconds(), results.startedAt()),
                warnings(results),
                List.of(
                        operations(results),
                        course(results.timeline()),
                        environment(results.environment(), results.command(), results.settings(), results.cost())),
                List.of("results.json", "environment.json"));
    }

    static String lead(Environment environment, double seconds, String startedAt) {
        return ReportParts.server(environment) + ", " + environment.processor() + ", "
                + count(environment.cores(), "core") + ". " + ReportParts.duration(seconds) + " measured, started "
                + ReportParts.moment(startedAt) + ".";
    }

    private static Section warnings(WorkloadResults results) {
        Section warnings = Section.opening();
        results.faults().forEach(fault -> warnings.addToPage(warning("Wrong rows: " + fault)));
        if (results.overdue() > 0) {
            warnings.addToPage(warning(count(results.overdue(), "operation")
                    + (results.overdue() == 1 ? " was" : " were")
                    + " due and never sent: the latencies are too low."));
        }
        if (results.cost().bottleneck() != null) {
            warnings.addToPage(
                    warning("This run measured the runner: " + results.cost().bottleneck()));
        }
        return warnings;
    }

    private static Text warning(String text) {
        return new Text(text, Tone.WARNING);
    }

    private static Section operations(WorkloadResults results) {
        List<List<Cell>> rows = new ArrayList<>();
        List<Operation> operations = results.operations();
        operations.forEach(operation -> rows.add(row(operation.name(), operation, operation.response())));
        if (results.total() != null && operations.size() > 1) {
            rows.add(row("all", results.total(), results.total().response()));
        }
        String rate = results.settings().get("max-rate");
        if (rate != null && !rate.equals("0") && !rate.isEmpty()) {
            operations.forEach(operation ->
                    rows.add(row(operation.name() + ", from when it was sent", operation, operation.service())));
        }
        return new Section("operations", "Operations")
                .addToPage(new Table("Operations", TableLayout.PLAIN, columns(), rows))
                .addToPage(causes(operations));
    }

    static List<Column> columns() {
        return Column.list("Operation | #Done | #Per second | #Mean, ms | #p50, ms | #p95, ms | #p99, ms | "
                + "#p99.9, ms | #Max, ms");
    }

    static List<Cell> row(String name, Operation operation, Latency latency) {
        List<Cell> row = new ArrayList<>(List.of(Cell.of(name), counted(operation.count())));
        Stream.of(
                        operation.perSecond(),
                        latency.meanMs(),
                        latency.p50Ms(),
                        latency.p95Ms(),
                        latency.p99Ms(),
                        latency.p999Ms(),
                        latency.maxMs())
                .map(ReportParts::measured)
                .forEach(row::add);
        return row;
    }

    static Table causes(List<Operation> operations) {
        List<List<Cell>> rows = new ArrayList<>();
        for (Operation operation : operations) {
            operation.failures().forEach((cause, times) -> rows.add(cause(operation, "failed", cause, times)));
            operation.retries().forEach((cause, times) -> rows.add(cause(operation, "tried again", cause, times)));
        }
        return new Table(
                "Failures and retries", TableLayout.PLAIN, Column.list("Operation | What | Cause | #Times"), rows);
    }

    private static List<Cell> cause(Operation operation, String what, String cause, long times) {
        return List.of(Cell.of(operation.name()), Cell.of(what), Cell.of(cause), counted(times));
    }

    private static Section course(List<Point> points) {
        Section section = new Section("course", "Over time");
        if (points.size() < 2) {
            return section;
        }
        return section.addToPage(new Figure(
                        "Operations per second over time",
                        "Operations per second of each operation.",
                        course(points, "/s", false, Point::perSecond)))
                .addToPage(new Figure(
                        "p99 over time",
                        "p99 of each operation in milliseconds, on a logarithmic axis.",
                        course(points, "ms", true, Point::p99Ms)));
    }

    private static Chart course(List<Point> points, String unit, boolean isLog, ToDoubleFunction<Point> value) {
        List<String> names = points.stream().map(Point::operation).distinct().toList();
        return new Lines(
                "s",
                false,
                unit,
                isLog,
                Map.of(),
                names.stream()
                        .map(name -> new Line(
                                name,
                                COLOURS.get(names.indexOf(name) % COLOURS.size()),
                                Stroke.SOLID,
                                points.stream()
                                        .filter(point -> point.operation().equals(name)
                                                && (!isLog || value.applyAsDouble(point) > 0))
                                        .map(point -> point(
                                                point.seconds(),
                                                value.applyAsDouble(point),
                                                name + ", " + number(point.seconds()) + " s\n"
                                                        + number(value.applyAsDouble(point)) + " " + unit))
                                        .toList()))
                        .toList(),
                null);
    }

    static Chart.Point point(double x, double y, String text) {
        return new Chart.Point(x, y, y, y, "", text);
    }

    static Section environment(Environment environment, List<String> command, Map<String, String> settings, Cost cost) {
        return ReportParts.environment(environment, command, null)
                .addToPage(new Group(
                        GroupLayout.COLUMNS,
                        List.of(
                                ReportParts.titled(
                                        "Workload",
                                        settings.entrySet().stream()
                                                .flatMap(
                                                        setting -> pairs(setting.getKey(), setting.getValue()).stream())
                                                .toList()),
                                ReportParts.titled(
                                        "The runner itself",
                                        pairs(
                                                "Processor time", percent(cost.processorShare()) + " of all cores",
                                                "Workers' time in the runner", percent(cost.ownShare()),
                                                "Threads woke up late, p99", number(cost.lagMsP99()) + " ms",
                                                "Garbage collection", number(cost.collectionSeconds()) + " s")))));
    }
}
