package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;

import io.movr.PrintableText;
import io.movr.report.CalibrationComparisonResults.Calibrated;
import io.movr.report.CalibrationComparisonResults.Fact;
import io.movr.report.CalibrationComparisonResults.Healthy;
import io.movr.report.CalibrationComparisonResults.Operation;
import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Chart.Bar;
import io.movr.report.model.Chart.Bars;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.IntervalMark;
import io.movr.report.model.Chart.IntervalRow;
import io.movr.report.model.Chart.Intervals;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Point;
import io.movr.report.model.Chart.Series;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Chart.Symbol;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The report of a comparison of calibrations. */
public final class CalibrationComparisonReport {

    private static final List<Symbol> SYMBOLS =
            List.of(Symbol.CIRCLE, Symbol.SQUARE, Symbol.TRIANGLE, Symbol.STAR, Symbol.WYE);
    private static final List<Colour> COLOURS =
            List.of(Colour.MEASURED, Colour.BEFORE, Colour.GOOD, Colour.BAD, Colour.PART, Colour.CONTROL);
    private static final String LIMIT = "at most";

    private final CalibrationComparisonResults results;
    private final List<Calibrated> systems;
    private final List<Calibrated> measured;

    private CalibrationComparisonReport(CalibrationComparisonResults results) {
        this.results = results;
        this.systems = results.systems();
        this.measured = systems.stream().filter(system -> !system.published()).toList();
    }

    /** Returns the report. */
    public static Report of(CalibrationComparisonResults results) {
        return new CalibrationComparisonReport(results).report();
    }

    private Report report() {
        return new Report(
                "MovR calibrations: "
                        + String.join(
                                ", ", systems.stream().map(Calibrated::name).toList()),
                "Comparison of calibrations",
                ReportParts.joined(measured.stream().map(Calibrated::name).toList())
                        + " compared with the published machine ("
                        + String.join(
                                ", ",
                                systems.stream()
                                        .filter(Calibrated::published)
                                        .map(Calibrated::source)
                                        .toList())
                        + ").",
                opening(),
                List.of(throughput(), latency(), layers(), sweep(), facts()),
                List.of("comparison.json", "comparison.csv", "comparison.md"));
    }

    private Section opening() {
        Section opening = Section.opening();
        opening.addToPage(ReportParts.facts(
                "Compared", ReportParts.moment(results.createdAt()),
                "Systems", String.valueOf(measured.size())));
        opening.addToPage(new Code("Command", String.join(" ", results.command()), true));
        results.warnings().forEach(warning -> opening.add(new Text(warning, Tone.WARNING)));
        opening.add(Bullets.of(results.notes()));
        return opening;
    }

    private Colour colour(Calibrated system) {
        return system.published() ? Colour.PUBLISHED : COLOURS.get(measured.indexOf(system) % COLOURS.size());
    }

    private Series series(Calibrated system) {
        return new Series(
                system.name(),
                colour(system),
                system.published() ? Symbol.DIAMOND : SYMBOLS.get(measured.indexOf(system) % SYMBOLS.size()),
                !system.published());
    }

    // Operations

    private Section throughput() {
        List<Block> charts = new ArrayList<>();
        for (Healthy healthy : results.healthy()) {
            String name = healthy.operation();
            charts.add(new Figure(
                    "Throughput of " + name + "s by system; the table below holds the same numbers",
                    name + "s per second.",
                    new Bars(
                            "/s",
                            systems.stream()
                                    .map(system -> new Bar(
                                            system.name(),
                                            system.operation(name).perSecond(),
                                            colour(system),
                                            system.name() + "\n"
                                                    + number(system.operation(name)
                                                            .perSecond()) + " " + name + "s per second"))
                                    .toList())));
        }
        return new Section("throughput", "Throughput")
                .addToPage(
                        new Text("YCSB B with one worker: 95 reads for 5 updates, each sent when the previous one was"
                                + " answered."))
                .addToPage(new Group(GroupLayout.COLUMNS, charts));
    }

    private Section latency() {
        List<Block> charts = new ArrayList<>();
        List<List<Cell>> rows = new ArrayList<>();
        for (Healthy healthy : results.healthy()) {
            String name = healthy.operation();
            charts.add(new Figure(
                    "Latency of " + name + "s by system; the table below holds the same numbers",
                    name + "s, milliseconds on a logarithmic axis.",
                    latency(healthy)));
            metric(rows, name + ", operations/s", name, Operation::perSecond);
            metric(rows, name + ", avg, ms (healthy: " + healthy.range() + ")", name, Operation::meanMs);
            metric(rows, name + ", p50, ms", name, Operation::p50Ms);
            metric(rows, name + ", p95, ms", name, Operation::p95Ms);
            metric(rows, name + ", p99, ms", name, Operation::p99Ms);
            metric(rows, name + ", max, ms", name, Operation::maxMs);
            row(
                    rows,
                    name + ", judgement",
                    systems,
                    system -> Cell.of(system.operation(name).judgement()));
        }
        return new Section("latency", "Latency")
                .addToPage(
                        new Text("The same run. The band is the average that was published as healthy; of the published"
                                + " machine only average and p99"
                                + " are known."))
                .addToPage(new Group(GroupLayout.COLUMNS, charts))
                .add(table("YCSB B, one worker", systems, rows));
    }

    private Intervals latency(Healthy healthy) {
        Map<String, Function<Operation, @Nullable Double>> metrics = new LinkedHashMap<>();
        metrics.put("avg", Operation::meanMs);
        metrics.put("p50", Operation::p50Ms);
        metrics.put("p95", Operation::p95Ms);
        metrics.put("p99", Operation::p99Ms);
        metrics.put("max", Operation::maxMs);
        List<IntervalRow> rows = new ArrayList<>();
        metrics.forEach((metric, value) -> {
            List<IntervalMark> marks = new ArrayList<>();
            for (Calibrated system : systems) {
                Double ms = value.apply(system.operation(healthy.operation()));
                if (ms != null) {
                    marks.add(mark(system, ms, ms, metric + " " + number(ms.doubleValue()) + " ms"));
                }
            }
            rows.add(new IntervalRow(
                    metric,
                    metric.equals("avg") ? new IntervalRow.Band(healthy.lowMs(), healthy.highMs()) : null,
                    marks));
        });
        return new Intervals(
                "ms",
                null,
                "",
                "",
                "average published as healthy",
                systems.stream().map(this::series).toList(),
                rows);
    }

    private IntervalMark mark(Calibrated system, double value, double reach, String text) {
        return new IntervalMark(
                system.name(),
                "\u200b".repeat(1 + systems.indexOf(system)),
                new Interval(value, value, reach),
                reach > value,
                system.name() + "\n" + text);
    }

    private void metric(
            List<List<Cell>> rows, String title, String operation, Function<Operation, @Nullable Double> value) {
        row(rows, title, systems, system -> {
            Double one = value.apply(system.operation(operation));
            return one == null ? Cell.of("–") : Cell.of(one, ComparisonText.number(one));
        });
    }

    private static void row(
            List<List<Cell>> rows, String title, List<Calibrated> shown, Function<Calibrated, Cell> value) {
        List<Cell> row = new ArrayList<>(List.of(Cell.of(title)));
        shown.stream().map(value).forEach(cell -> row.add(cell.isEmpty() ? Cell.of("–") : cell));
        rows.add(row);
    }

    private static Table table(String title, List<Calibrated> shown, List<List<Cell>> rows) {
        List<Column> columns = new ArrayList<>(List.of(Column.text(title)));
        shown.forEach(system -> columns.add(Column.number(system.name())));
        return new Table(title, TableLayout.PLAIN, columns, rows);
    }

    // Layers

    private Section layers() {
        Section section = new Section("layers", "Layers");
        List<Calibrated> shown =
                measured.stream().filter(system -> !system.layers().isEmpty()).toList();
        if (shown.isEmpty()) {
            return section;
        }
        List<IntervalRow> chartRows = new ArrayList<>();
        List<List<Cell>> rows = new ArrayList<>();
        for (Layer layer : shown.get(0).layers()) {
            List<IntervalMark> marks = new ArrayList<>();
            for (Calibrated system : shown) {
                Layer own = layer(system, layer.name());
                if (own != null) {
                    marks.add(mark(
                            system,
                            own.medianMs(),
                            own.p99Ms(),
                            own.measure() + "\nmedian " + number(own.medianMs()) + " ms, p99 " + number(own.p99Ms())
                                    + " ms"));
                }
            }
            if (!marks.isEmpty()) {
                marks.add(new IntervalMark(
                        LIMIT,
                        "\u200b".repeat(1 + systems.size()),
                        new Interval(layer.limitMs(), layer.limitMs(), layer.limitMs()),
                        false,
                        layer.name() + "\nat most " + number(layer.limitMs()) + " ms"));
            }
            chartRows.add(new IntervalRow(layer.name(), null, marks));
            row(rows, layer.name() + ": " + layer.measure() + ", p50 (p99), ms", shown, system -> {
                Layer own = layer(system, layer.name());
                return own == null
                        ? Cell.EMPTY
                        : Cell.of(ComparisonText.number(own.medianMs()) + " (" + ComparisonText.number(own.p99Ms())
                                + ")");
            });
        }
        List<Series> series = new ArrayList<>(shown.stream().map(this::series).toList());
        series.add(new Series(LIMIT, Colour.BAD, Symbol.WYE, true));
        return section.addToPage(
                        new Text("The parts of an operation, each measured separately. The mark is the median, and the"
                                + " line ends at p99. “At most” is what the median"
                                + " may take: half of what is healthy for a read, for storage half of what is"
                                + " healthy for an update."))
                .addToPage(new Figure(
                        "Layers by system; the table below holds the same numbers",
                        "Milliseconds on a logarithmic axis.",
                        new Intervals("ms", null, "", "", "", series, chartRows)))
                .add(table("layer", shown, rows));
    }

    private static @Nullable Layer layer(Calibrated system, String name) {
        return system.layers().stream()
                .filter(one -> one.name().equals(name) && one.samples() > 0)
                .findFirst()
                .orElse(null);
    }

    // Concurrency

    private Section sweep() {
        Section section = new Section("sweep", "Concurrency");
        List<Calibrated> swept =
                measured.stream().filter(system -> !system.sweep().isEmpty()).toList();
        if (swept.isEmpty()) {
            return section;
        }
        TreeSet<Integer> workers = new TreeSet<>();
        swept.forEach(system -> system.sweep().forEach(step -> workers.add(step.concurrency())));
        List<List<Cell>> rows = new ArrayList<>();
        for (int number : workers) {
            row(
                    rows,
                    Integer.toString(number),
                    swept,
                    system -> system.sweep().stream()
                            .filter(step -> step.concurrency() == number)
                            .map(step -> Cell.of(ComparisonText.number(step.perSecond()) + " ("
                                    + ComparisonText.number(step.meanMs()) + ", " + ComparisonText.number(step.p99Ms())
                                    + ")"
                                    + (number == system.kneeConcurrency() ? ", the knee" : "")))
                            .findFirst()
                            .orElse(Cell.EMPTY));
        }
        return section.addToPage(
                        new Text("YCSB B with 1, 2, 4 … workers, a mark for each number of them. The labelled mark is"
                                + " the knee: the fewest workers that reach nine"
                                + " tenths of the highest throughput. Beyond it operations wait longer, and"
                                + " no more of them are done."))
                .addToPage(new Group(
                        GroupLayout.COLUMNS,
                        List.of(course(swept, "Average latency", Step::meanMs), course(swept, "p99", Step::p99Ms))))
                .add(table("workers: operations/s (avg, p99, ms)", swept, rows));
    }

    private Figure course(List<Calibrated> swept, String title, ToDoubleFunction<Step> value) {
        return new Figure(
                title + " against operations per second; the table below holds the same numbers",
                title + " in milliseconds, on a logarithmic axis, against operations per second.",
                new Lines(
                        "operations/s",
                        false,
                        "ms",
                        true,
                        Map.of(),
                        swept.stream()
                                .map(system -> new Line(
                                        system.name(),
                                        colour(system),
                                        Stroke.SOLID,
                                        system.sweep().stream()
                                                .filter(step -> value.applyAsDouble(step) > 0)
                                                .map(step -> point(system, step, value.applyAsDouble(step)))
                                                .toList()))
                                .toList(),
                        null));
    }

    private static Point point(Calibrated system, Step step, double ms) {
        boolean isKnee = step.concurrency() == system.kneeConcurrency();
        String workers = count(step.concurrency(), "worker");
        return new Point(
                step.perSecond(),
                ms,
                ms,
                ms,
                isKnee ? workers : "",
                system.name() + "\n" + workers + (isKnee ? ", the knee" : "") + "\n" + number(step.perSecond())
                        + " operations/s, " + number(ms) + " ms");
    }

    private Section facts() {
        List<List<Cell>> rows = new ArrayList<>();
        row(rows, "source", systems, system -> Cell.of(PrintableText.ofLine(system.source())));
        for (Fact fact : results.facts()) {
            row(rows, fact.what(), systems, system -> {
                String value = fact.values().get(systems.indexOf(system));
                return fact.alike() ? Cell.of(value) : Cell.EMPTY.with(value, Cell.Style.STRONG);
            });
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("where and how")));
        systems.forEach(system -> columns.add(Column.text(system.name())));
        return new Section("systems", "Where and how")
                .addToPage(new Text("Bold values differ. Server settings are shown only if they differ."))
                .add(new Table("Where and how", TableLayout.PLAIN, columns, rows));
    }

    /**
     * Returns all figures in full precision, a row for each. A part is an operation with one worker, a layer, or a number of
     * workers of the sweep. What was not measured or published has no row.
     */
    public static Table data(CalibrationComparisonResults results) {
        List<List<Cell>> rows = new ArrayList<>();
        for (Calibrated system : results.systems()) {
            for (Operation operation : system.operations()) {
                String name = operation.name();
                figure(rows, system, "operation", name, "throughput", "ops/s", operation.perSecond());
                figure(rows, system, "operation", name, "avg", "ms", operation.meanMs());
                figure(rows, system, "operation", name, "p50", "ms", operation.p50Ms());
                figure(rows, system, "operation", name, "p95", "ms", operation.p95Ms());
                figure(rows, system, "operation", name, "p99", "ms", operation.p99Ms());
                figure(rows, system, "operation", name, "max", "ms", operation.maxMs());
            }
            for (Layer layer : system.layers()) {
                if (layer.samples() > 0) {
                    figure(rows, system, "layer", layer.name(), "p50", "ms", layer.medianMs());
                    figure(rows, system, "layer", layer.name(), "p99", "ms", layer.p99Ms());
                }
            }
            for (Step step : system.sweep()) {
                String workers = Integer.toString(step.concurrency());
                figure(rows, system, "workers", workers, "throughput", "ops/s", step.perSecond());
                figure(rows, system, "workers", workers, "avg", "ms", step.meanMs());
                figure(rows, system, "workers", workers, "p50", "ms", step.p50Ms());
                figure(rows, system, "workers", workers, "p95", "ms", step.p95Ms());
                figure(rows, system, "workers", workers, "p99", "ms", step.p99Ms());
            }
            if (system.kneeConcurrency() > 0) {
                figure(rows, system, "knee", "", "concurrency", "workers", (double) system.kneeConcurrency());
            }
        }
        return new Table(
                "All figures",
                TableLayout.PLAIN,
                Column.list("system | published | part | name | metric | unit | #value"),
                rows);
    }

    private static void figure(
            List<List<Cell>> rows,
            Calibrated system,
            String part,
            String name,
            String metric,
            String unit,
            @Nullable Double value) {
        if (value != null) {
            rows.add(List.of(
                    Cell.of(system.name()),
                    Cell.of(Boolean.toString(system.published())),
                    Cell.of(part),
                    Cell.of(name),
                    Cell.of(metric),
                    Cell.of(unit),
                    ComparisonData.raw(value)));
        }
    }
}
