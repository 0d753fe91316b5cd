package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;

import io.movr.report.CalibrationResults.Expectation;
import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of a calibration of a machine and its database. */
final class CalibrationReport {

    private CalibrationReport() {}

    /** Returns the report. */
    static Report of(CalibrationResults results) {
        return new Report(
                results.title(),
                "Calibration of this machine",
                WorkloadReport.lead(results.environment(), results.seconds(), results.startedAt()),
                Section.opening(),
                List.of(
                        operations(results),
                        layers(results),
                        sweep(results),
                        notes(results),
                        WorkloadReport.environment(
                                results.environment(), results.command(), results.settings(), results.cost())),
                List.of("results.json", "environment.json"));
    }

    private static Section operations(CalibrationResults results) {
        List<List<Cell>> rows = new ArrayList<>();
        for (WorkloadResults.Operation operation : results.operations()) {
            Expectation expected = results.expectations().stream()
                    .filter(one -> one.operation().equals(operation.name()))
                    .findFirst()
                    .orElseThrow();
            WorkloadResults.Latency latency = operation.response();
            rows.add(row(
                    operation.name(),
                    Stream.of(
                                    operation.perSecond(),
                                    latency.meanMs(),
                                    latency.p50Ms(),
                                    latency.p95Ms(),
                                    latency.p99Ms(),
                                    latency.maxMs())
                            .map(ReportParts::measured)
                            .toList(),
                    String.format(Locale.ROOT, "%.0f to %.0f", expected.lowMs(), expected.highMs()),
                    expected.judgement()));
            rows.add(row(
                    "  published",
                    List.of(
                            measured(expected.publishedPerSecond()),
                            measured(expected.publishedMeanMs()),
                            Cell.EMPTY,
                            Cell.EMPTY,
                            measured(expected.publishedP99Ms()),
                            Cell.EMPTY),
                    "",
                    ""));
        }
        return new Section("operations", "Operations")
                .add(new Table(
                        "Operations",
                        TableLayout.PLAIN,
                        Column.list("YCSB B | #ops/s | #avg, ms | #p50 | #p95 | #p99 | #max | healthy, ms | judgement"),
                        rows))
                .addToPage(WorkloadReport.causes(results.operations()));
    }

    private static List<Cell> row(String name, List<Cell> figures, String healthy, String judgement) {
        List<Cell> row = new ArrayList<>(List.of(Cell.of(name)));
        row.addAll(figures);
        row.add(Cell.of(healthy));
        row.add(Cell.of(judgement));
        return row;
    }

    private static Section layers(CalibrationResults results) {
        Section section = new Section("layers", "Layers")
                .addToPage(new Text(
                        "A layer falls short when it alone takes more than half of what the published expectation"
                                + " allows to a read (2 ms) or an update"
                                + " (4 ms)."))
                .addToPage(new Table(
                        "Layers",
                        TableLayout.PLAIN,
                        Column.list("Layer | What was measured | #Median, ms | #p99, ms | #At most, ms | Judgement | "
                                + "Where to look"),
                        results.layers().stream()
                                .map(layer -> List.of(
                                        Cell.of(layer.name()),
                                        Cell.of(layer.measure()),
                                        measured(layer.samples() == 0 ? null : layer.medianMs()),
                                        measured(layer.samples() == 0 ? null : layer.p99Ms()),
                                        measured(layer.limitMs()),
                                        Cell.badge(layer.judgement(), ""),
                                        Cell.of(layer.advice())))
                                .toList()));
        section.addToText(
                new Text(results.layers().stream().map(CalibrationReport::line).collect(Collectors.joining("\n"))));
        return section;
    }

    private static String line(Layer layer) {
        String measured = layer.samples() == 0
                ? String.format("%-8s %s: %s", layer.name(), layer.measure(), layer.judgement())
                : String.format(
                        Locale.ROOT,
                        "%-8s %s: median %.3f ms, p99 %.3f ms, at most %.1f: %s",
                        layer.name(),
                        layer.measure(),
                        layer.medianMs(),
                        layer.p99Ms(),
                        layer.limitMs(),
                        layer.judgement());
        return layer.judgement().equals("fine") ? measured : measured + "\n         " + layer.advice();
    }

    private static Section sweep(CalibrationResults results) {
        Section section = new Section("sweep", "Concurrency");
        List<Step> steps = results.sweep();
        if (steps.isEmpty()) {
            return section;
        }
        double knee = results.kneeConcurrency();
        return section.addToPage(new Text("The knee is at " + count(results.kneeConcurrency(), "worker")
                        + ": the fewest that reach nine tenths of the highest throughput. More of"
                        + " them wait for each other."))
                .addToPage(new Figure(
                        "Throughput by number of workers; the table below holds the same numbers",
                        "Operations per second by number of workers.",
                        new Lines(
                                "workers",
                                true,
                                "/s",
                                false,
                                Map.of(),
                                List.of(line("throughput", Colour.MEASURED, steps, "/s", Step::perSecond)),
                                knee)))
                .addToPage(new Figure(
                        "Latency by number of workers; the table below holds the same numbers",
                        "Milliseconds by number of workers, on a logarithmic axis.",
                        new Lines(
                                "workers",
                                true,
                                "ms",
                                true,
                                Map.of(),
                                List.of(
                                        line("p50", Colour.MEASURED, steps, "ms", Step::p50Ms),
                                        line("p99", Colour.BEFORE, steps, "ms", Step::p99Ms)),
                                knee)))
                .add(new Table(
                        "Concurrency",
                        TableLayout.PLAIN,
                        Column.list("#workers | #ops/s | #avg, ms | #p50 | #p95 | #p99 | "),
                        steps.stream()
                                .map(step -> List.of(
                                        Cell.of(Integer.toString(step.concurrency())),
                                        measured(step.perSecond()),
                                        measured(step.meanMs()),
                                        measured(step.p50Ms()),
                                        measured(step.p95Ms()),
                                        measured(step.p99Ms()),
                                        Cell.of(step.concurrency() == results.kneeConcurrency() ? "the knee" : "")))
                                .toList()));
    }

    private static Line line(String name, Colour colour, List<Step> steps, String unit, ToDoubleFunction<Step> value) {
        return new Line(
                name,
                colour,
                Stroke.SOLID,
                steps.stream()
                        .filter(step -> value.applyAsDouble(step) > 0)
                        .map(step -> WorkloadReport.point(
                                step.concurrency(),
                                value.applyAsDouble(step),
                                name + ", " + count(step.concurrency(), "worker") + "\n"
                                        + number(value.applyAsDouble(step)) + " " + unit))
                        .toList());
    }

    private static Section notes(CalibrationResults results) {
        Section section = new Section("notes", "Notes");
        results.faults().forEach(fault -> section.add(new Text("Wrong rows: " + fault, Tone.WARNING)));
        if (results.cost().bottleneck() != null) {
            section.add(
                    new Text("This run measured the runner: " + results.cost().bottleneck(), Tone.WARNING));
        }
        results.notes().forEach(note -> section.addToText(new Text(note)));
        return section.addToPage(Bullets.of(results.notes()));
    }
}
