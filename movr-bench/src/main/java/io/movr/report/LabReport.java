package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.duration;
import static io.movr.report.ReportParts.interval;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.pValue;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.ratio;

import io.movr.SlowdownBound.Outcome;
import io.movr.report.LabGate.Judged;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Growth;
import io.movr.report.LabResults.ParameterRow;
import io.movr.report.LabResults.Plan;
import io.movr.report.LabResults.Point;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Published;
import io.movr.report.LabResults.Rules;
import io.movr.report.LabResults.Side;
import io.movr.report.LabResults.TableSize;
import io.movr.report.LabResults.Traffic;
import io.movr.report.LabResults.Write;
import io.movr.report.LabResults.WriteCost;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Pair;
import io.movr.report.model.Block.PairLayout;
import io.movr.report.model.Block.Pairs;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Chart;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.IntervalMark;
import io.movr.report.model.Chart.IntervalRow;
import io.movr.report.model.Chart.Line;
import io.movr.report.model.Chart.Lines;
import io.movr.report.model.Chart.Stroke;
import io.movr.report.model.Chart.Symbol;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Report.Placed;
import io.movr.report.model.Report.Where;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a run of the laboratory. */
public final class LabReport {

    private static final List<Symbol> SHAPES =
            List.of(Symbol.DIAMOND, Symbol.TRIANGLE, Symbol.SQUARE, Symbol.WYE, Symbol.STAR);
    private static final String MEASURED = "measured, 95% interval";
    /** Statements that are shown without a click. */
    private static final int SHOWN_STATEMENTS = 4;

    private final LabResults results;
    private final List<Figure> figures;
    private final List<Published> published;
    private final List<String> sources;

    private LabReport(LabResults results) {
        this.results = results;
        Traffic traffic = results.traffic();
        this.figures = traffic == null ? List.of() : traffic.figures();
        this.published = Stream.concat(
                        results.experiments().stream().map(Experiment::published),
                        figures.stream().map(Figure::published))
                .flatMap(List::stream)
                .toList();
        this.sources = published.stream().map(Published::source).distinct().toList();
    }

    /** Returns the report. */
    public static Report of(LabResults results) {
        return new LabReport(results).report();
    }

    /**
     * Returns the report with what failed first, as a pull request shows it.
     *
     * @param gate the bounds that the author set
     */
    public static Report withGate(LabResults results, LabGate gate) {
        Report report = of(results);
        List<Judged> all = gate.judge(results);
        List<Judged> failed =
                all.stream().filter(one -> gate.counted(one) == Outcome.FAILED).toList();
        List<Judged> unsure = all.stream()
                .filter(one -> one.outcome() == Outcome.UNSURE && !failed.contains(one))
                .toList();
        String heading = "movr lab: "
                + (!failed.isEmpty()
                        ? failed.size() + " of " + all.size() + " failed"
                        : !results.complete()
                                ? "not measured whole"
                                : unsure.isEmpty() ? "passed" : "passed, and cannot tell of " + unsure.size());
        List<Cell> lines = new ArrayList<>();
        failed.forEach(one -> lines.add(line("Failed:", one)));
        unsure.forEach(one -> lines.add(line("Cannot tell:", one)));
        results.headlines().forEach(answer -> lines.add(Cell.EMPTY.with(answer, Style.STRONG)));
        List<Section> sections = new ArrayList<>(report.sections());
        Environment where = results.environment();
        sections.add(new Section("where", "Where")
                .addToText(new Text(where.database() + ", " + where.cores() + " cores, " + where.processor()
                        + ". Ratio: median before over median after, above 1 is faster; noise: what the same thing measured twice"
                        + " shows.")));
        return new Report(report.title(), heading, report.lead(), report.opening(), sections, report.files())
                .opened(new Bullets(lines));
    }

    private static Cell line(String outcome, Judged one) {
        return Cell.EMPTY
                .with(outcome, Style.STRONG)
                .with(one.name() + " " + one.message().lines().findFirst().orElse(""), Style.PLAIN);
    }

    private Report report() {
        List<Section> sections = new ArrayList<>(List.of(summary(), comparison(), growth(), experiments()));
        Section environment = ReportParts.environment(results.environment(), results.command(), results.dataset());
        environment.addToPage(new Group(
                "Preflight", GroupLayout.PLAIN, List.of(ReportParts.checks("Preflight checks", results.preflight()))));
        sections.add(environment);
        sections.add(method());
        return new Report(
                results.title(),
                "MovR performance lab",
                lead(),
                opening(),
                sections,
                List.of("results.json", "environment.json"));
    }

    private String lead() {
        List<String> sentences = new ArrayList<>(results.headlines());
        long failed = results.experiments().stream().filter(LabReport::isFailed).count();
        long all = (long) results.experiments().size() + figures.size();
        String where = " on " + ReportParts.server(results.environment());
        String measured = failed > 0
                ? count(all - failed) + " of " + count(all, "experiment") + " were measured" + where + " and "
                        + count(failed) + " failed"
                : count(all, "experiment") + (all == 1 ? " was" : " were") + " measured" + where;
        List<String> tallies = ReportParts.VERDICTS.keySet().stream()
                .filter(verdict -> tally(verdict) > 0)
                .map(verdict -> tally(verdict) + " " + verdict)
                .toList();
        if (!tallies.isEmpty()) {
            long weak = published.stream().filter(Published::weakEvidence).count();
            sentences.add(measured + ". Compared with " + count(published.size(), "published ratio") + ": "
                    + ReportParts.joined(tallies) + (weak > 0 ? " (" + weak + " on weak evidence)" : "") + ".");
        } else if (sentences.isEmpty() || failed > 0) {
            sentences.add(measured + ".");
        }
        return String.join(" ", sentences);
    }

    private long tally(String verdict) {
        return published.stream().filter(one -> one.verdict().equals(verdict)).count();
    }

    private List<Placed> opening() {
        List<Placed> opening = new ArrayList<>();
        if (!results.complete()) {
            opening.add(new Placed(
                    new Text(
                            "This run is incomplete: not every experiment that was asked for was measured and passed its checks.",
                            Tone.WARNING),
                    Where.PAGE));
        }
        Long rides = results.dataset().rows().get("rides");
        opening.add(new Placed(
                new Pairs(
                        "Facts",
                        PairLayout.FACTS,
                        pairs(
                                "Started", ReportParts.moment(results.startedAt()),
                                "Took", duration(results.tookSeconds()),
                                "Server", ReportParts.server(results.environment()),
                                "Cores", String.valueOf(results.environment().cores()),
                                "Scale", rides == null ? "" : results.dataset().scale(),
                                "Rides", rides == null ? "" : count(rides))),
                Where.PAGE));
        return opening;
    }

    // Summary

    private Section summary() {
        Section section = new Section("summary", "Summary")
                .addToPage(
                        new Text(
                                "Before and after are medians in milliseconds. The ratio, with its 95% interval, is the median before over the"
                                        + " median after: above 1, after is faster. A ratio within the noise is no difference."));
        LabResults.Unit unit = results.unit();
        if (unit != null) {
            section.addToPage(new Text(unit.meaning()));
        }
        Traffic traffic = results.traffic();
        if (traffic != null) {
            section.addToPage(new Bullets(List.of(Cell.of(
                            "In multi-region-*, before and after are not medians: they are requests answered per second by clients that wait,"
                                    + " where more is better, and the 99th percentile of the latency since a request was due, at stage "
                                    + traffic.before() + " and at stage " + traffic.after() + ".")
                    .with(new Cell.Part(
                            "Report of this traffic",
                            Style.PLAIN,
                            ReportParts.href(traffic.bundle()) + "/report.html",
                            "")))));
        }
        section.add(new Table(
                "Summary of the experiments",
                TableLayout.CARDS,
                Column.list("experiment | #before ms | #after ms | #ratio [95%] | #noise | #published | verdict"),
                Stream.concat(
                                results.experiments().stream().map(LabReport::cells),
                                figures.stream().map(LabReport::cells))
                        .toList()));
        for (Experiment experiment : results.experiments()) {
            if (experiment.failure() != null) {
                section.addToText(
                        new Text(experiment.id() + ": " + experiment.failure().stripTrailing()));
            }
        }
        if (published.stream().anyMatch(Published::weakEvidence)) {
            section.add(new Text("* weak evidence: a side of the published figure is a single run", Tone.MUTED));
        }
        if (published.stream().anyMatch(figure -> figure.medians() != null)) {
            section.add(new Text(
                    "published: the ratio of medians where at least 20 samples of each side were published, as it is measured here;"
                            + " otherwise the printed ratio",
                    Tone.MUTED));
        }
        if (traffic != null && !traffic.complete()) {
            section.add(new Text(
                    "The traffic of multi-region-* was not measured whole: its own report gives the reasons.",
                    Tone.WARNING));
        }
        results.experiments().forEach(experiment -> parameterRows(experiment).forEach(section::addToText));
        growthLines().forEach(line -> section.addToText(new Text(line)));
        prices().forEach(price -> priceBlocks(price).forEach(section::addToText));
        List<Pair> meanings = ReportParts.VERDICTS.entrySet().stream()
                .filter(verdict -> tally(verdict.getKey()) > 0)
                .map(verdict -> new Pair(verdict.getKey(), verdict.getValue()))
                .toList();
        return section.addToPage(new Pairs("Verdicts", PairLayout.LIST, meanings));
    }

    private static List<Cell> cells(Experiment experiment) {
        Cell name = new Cell(
                        List.of(new Cell.Part(experiment.id(), Style.STRONG, "#" + target(experiment.id()), "")),
                        null,
                        null)
                .note(experiment.title());
        Side before = experiment.before();
        Side after = experiment.after();
        if (before == null || after == null || experiment.improvement() == null) {
            return List.of(
                    name,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY.with("FAILED", Style.BAD));
        }
        return List.of(
                name,
                median(before),
                median(after),
                ratio(experiment.improvement()),
                ReportParts.noise(experiment.noiseFloor()),
                ReportParts.targets(experiment.published()),
                experiment.published().isEmpty() ? outcome(experiment) : ReportParts.verdicts(experiment.published()));
    }

    private static Cell median(Side side) {
        Cell cell = measured(side.latencyMs().median());
        return side.medianUnits() == null
                ? cell
                : cell.note(number(side.medianUnits().doubleValue()) + " units");
    }

    private static Cell outcome(Experiment experiment) {
        return Cell.of(outcomeText(experiment));
    }

    private static String outcomeText(Experiment experiment) {
        Interval improvement = experiment.improvement();
        return improvement == null || !experiment.different()
                ? "no difference"
                : improvement.estimate() > 1 ? "faster" : "slower";
    }

    private static List<Cell> cells(Figure figure) {
        // The columns are in milliseconds.
        String unit = figure.unit().equals("ms") ? "" : figure.unit().replace("requests", "");
        return List.of(
                new Cell(List.of(new Cell.Part(figure.id(), Style.STRONG, "#" + target(figure.id()), "")), null, null)
                        .note(figure.title()),
                Cell.of(figure.before().estimate(), number(figure.before().estimate()) + unit),
                Cell.of(figure.after().estimate(), number(figure.after().estimate()) + unit),
                ratio(figure.improvement()),
                Cell.EMPTY,
                ReportParts.targets(figure.published()),
                ReportParts.verdicts(figure.published()));
    }

    private static boolean isFailed(Experiment experiment) {
        return !experiment.status().equals("measured");
    }

    private static String target(String id) {
        return "experiment-" + id;
    }

    // Comparison with the published ratios

    private Section comparison() {
        List<Chart.Series> series =
                new ArrayList<>(List.of(new Chart.Series(MEASURED, Colour.MEASURED, Symbol.CIRCLE, true)));
        for (String source : sources) {
            Symbol shape = SHAPES.get(sources.indexOf(source) % SHAPES.size());
            boolean hasMedians =
                    published.stream().anyMatch(one -> one.source().equals(source) && one.medians() != null);
            boolean hasPrinted =
                    published.stream().anyMatch(one -> one.source().equals(source) && one.medians() == null);
            if (hasMedians) {
                series.add(
                        new Chart.Series(source + ": ratio of medians, 95% interval", Colour.PUBLISHED, shape, true));
            }
            if (hasPrinted) {
                series.add(new Chart.Series(source + ": printed ratio only", Colour.PUBLISHED, shape, false));
            }
        }
        List<IntervalRow> rows = new ArrayList<>();
        results.experiments()
                .forEach(experiment -> rows.add(row(
                        experiment.id(), experiment.improvement(), experiment.noiseFloor(), experiment.published())));
        figures.forEach(
                figure -> rows.add(row(figure.id(), figure.improvement(), figure.noiseFloor(), figure.published())));
        return new Section("comparison", sources.isEmpty() ? "Ratios" : "Measured and published ratios")
                .addToPage(new Block.Figure(
                        "Ratios of " + count(rows.size(), "experiment") + "; the tables hold the same numbers",
                        "Ratio before over after on a logarithmic axis: equal distances are equal factors. An interval narrower than its mark"
                                + " is not drawn. Point at a mark for its numbers; the tables hold the same.",
                        new Chart.Intervals(
                                "×", 1.0, "after is slower", "after is faster", "noise of the row", series, rows)));
    }

    private static IntervalRow row(
            String id, @Nullable Interval improvement, @Nullable Double noiseFloor, List<Published> published) {
        List<IntervalMark> marks = new ArrayList<>();
        if (improvement != null) {
            marks.add(new IntervalMark(
                    MEASURED,
                    "",
                    improvement,
                    true,
                    id + "\nmeasured " + improvement.text(2)
                            + (noiseFloor == null ? "" : "\nnoise floor " + Digits.text(noiseFloor, 2))));
        }
        List<String> lanes =
                published.stream().map(Published::source).distinct().toList();
        for (Published figure : published) {
            Interval medians = figure.medians();
            // A zero-width space each keeps the lanes apart without a name.
            String lane = "\u200b".repeat(1 + lanes.indexOf(figure.source()));
            String text = id + "\n" + figure.source() + " " + Digits.text(figure.improvement(), 2) + " printed"
                    + (medians == null ? "" : ", " + medians.text(2) + " of medians") + "\n" + figure.verdict()
                    + (figure.weakEvidence() ? ", weak evidence" : "");
            marks.add(
                    medians == null
                            ? new IntervalMark(
                                    figure.source() + ": printed ratio only",
                                    lane,
                                    new Interval(figure.improvement(), figure.improvement(), figure.improvement()),
                                    false,
                                    text)
                            : new IntervalMark(
                                    figure.source() + ": ratio of medians, 95% interval", lane, medians, true, text));
        }
        return new IntervalRow(id, improvement == null ? null : IntervalRow.noise(noiseFloor), marks);
    }

    // Growth

    private Section growth() {
        Section section = new Section("growth", "Growth");
        List<Growth> all = results.growth() == null ? List.of() : results.growth();
        if (!all.isEmpty()) {
            section.addToPage(new Text(
                    "The same experiment on multiples of the rows. A side whose time grows as the rows do rises like the dashed line; a side"
                            + " that does not depend on them stays level."));
        }
        for (Growth growth : all) {
            section.addToPage(new Group(
                    growth.experiment(), GroupLayout.PLAIN, List.of(growthChart(growth), growthTable(growth))));
        }
        return section;
    }

    private static Block growthChart(Growth growth) {
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
                "Median latency by multiple of the rows, both logarithmic, with 95% intervals that are wider than a mark.",
                new Lines(
                        "",
                        true,
                        "ms",
                        true,
                        ticks,
                        List.of(
                                new Line("before", Colour.BEFORE, Stroke.SOLID, growthPoints("before", points, true)),
                                new Line("after", Colour.AFTER, Stroke.SOLID, growthPoints("after", points, false)),
                                new Line("grows as the rows do", Colour.MUTED, Stroke.DASHED, proportional)),
                        null));
    }

    private static List<Chart.Point> growthPoints(String side, List<Point> points, boolean isBefore) {
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

    private Table growthTable(Growth growth) {
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
                                    Cell.link("× " + point.scale(), "#" + target(point.experiment()))
                                            .note(
                                                    experiment == null || experiment.rows() == null
                                                            ? ""
                                                            : ReportParts.rows(experiment.rows())),
                                    interval(point.beforeMs()),
                                    interval(point.afterMs()),
                                    ratio(point.improvement()),
                                    experiment == null || experiment.failure() != null
                                            ? Cell.EMPTY.with("failed", Style.BAD)
                                            : outcome(experiment));
                        })
                        .toList());
    }

    private static List<Point> measuredPoints(Growth growth) {
        return growth.points().stream()
                .filter(point -> point.beforeMs() != null && point.afterMs() != null)
                .toList();
    }

    private List<String> growthLines() {
        return (results.growth() == null ? List.<Growth>of() : results.growth())
                .stream().map(LabReport::growthLine).toList();
    }

    private static String growthLine(Growth growth) {
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

    // Experiments

    private Section experiments() {
        Section section = new Section("experiments", "Experiments");
        results.experiments().forEach(experiment -> section.addToPage(experiment(experiment)));
        figures.forEach(figure -> section.addToPage(figure(figure)));
        return section;
    }

    private Group experiment(Experiment experiment) {
        List<Block> blocks = new ArrayList<>();
        if (experiment.failure() != null) {
            blocks.add(new Text("failed: " + experiment.failure(), Tone.FAILURE));
        }
        blocks.add(new Text(experiment.lesson() == null ? "" : experiment.lesson()));
        blocks.add(Bullets.of(experiment.notes()));
        if (experiment.rows() != null) {
            blocks.add(new Text("Rows: " + ReportParts.rows(experiment.rows()), Tone.MUTED));
        }
        blocks.add(SampleCharts.of(experiment));
        blocks.add(latencies(experiment));
        blocks.add(statistics(experiment));
        blocks.add(ReportParts.published(experiment.published(), !isFailed(experiment)));
        blocks.addAll(parameterRows(experiment));
        prices().stream()
                .filter(price -> price.experiment().equals(experiment.id()))
                .forEach(price -> blocks.add(new Group("Price of the change", GroupLayout.PLAIN, priceBlocks(price))));
        blocks.add(plans(experiment));
        return new Group(
                target(experiment.id()),
                Cell.of(experiment.title().isEmpty() ? experiment.id() : experiment.title())
                        .note(experiment.id()),
                GroupLayout.RULED,
                blocks);
    }

    private Table latencies(Experiment experiment) {
        List<Column> columns = Column.list(
                "Latency in ms | #n | #Median, 95% interval | #Median, units | #Mean | #Min | #p95 | #p99 | "
                        + "#Max | Samples");
        List<List<Cell>> rows = new ArrayList<>();
        for (SampleCharts.NamedSide named : SampleCharts.sides(experiment)) {
            Side side = named.side();
            Summary latency = side.latencyMs();
            rows.add(List.of(
                    Cell.of(named.name()).note(sideText(side)),
                    Cell.of((double) latency.n(), count(latency.n())),
                    interval(side.medianMs()),
                    side.medianUnits() == null ? Cell.EMPTY : measured(side.medianUnits()),
                    measured(latency.mean()),
                    measured(latency.min()),
                    measured(latency.p95()),
                    measured(latency.p99()),
                    measured(latency.max()),
                    side.rawFile().isEmpty() ? Cell.EMPTY : Cell.link("raw", ReportParts.href(side.rawFile()))));
        }
        return new Table("Latency of " + experiment.id(), TableLayout.PLAIN, columns, rows);
    }

    private static String sideText(Side side) {
        // Of a folder it is not a stage, but what the database was made of.
        boolean isStage = side.stage().matches("[a-z-]+") && !side.stage().equals("copy");
        String where = side.stage().isEmpty() ? "" : (isStage ? "stage " : "database: ") + side.stage();
        return Stream.of(side.label(), where).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
    }

    private static Pairs statistics(Experiment experiment) {
        if (experiment.improvement() == null) {
            return new Pairs("Statistics", PairLayout.FACTS, List.of());
        }
        return new Pairs(
                "Statistics of " + experiment.id(),
                PairLayout.FACTS,
                pairs(
                        "Ratio, before over after",
                        experiment.improvement().text(2),
                        "Noise, before over control",
                        experiment.noise() == null ? "" : experiment.noise().text(2),
                        "Noise floor",
                        Digits.text(experiment.noiseFloor(), 2),
                        "p, before and after",
                        pValue(experiment.pValue()),
                        "Adjusted for the number of experiments",
                        experiment.pAdjusted() == null ? "" : pValue(experiment.pAdjusted()),
                        "Before and after differ",
                        experiment.different() ? "yes" : "no difference was shown"));
    }

    private static List<Block> parameterRows(Experiment experiment) {
        List<ParameterRow> measured = experiment.byParameters();
        if (measured == null) {
            return List.of();
        }
        return List.of(
                new Text(experiment.id()
                        + ": the rows of parameters differ in kind, therefore its ratio is the geometric mean of"
                        + " theirs:"),
                new Table(
                        experiment.id() + " by row of parameters",
                        TableLayout.CARDS,
                        Column.list(experiment.id() + " with | #before ms | #after ms | #ratio [95%]"),
                        measured.stream()
                                .map(row -> List.of(
                                        Cell.of(row.parameters()),
                                        measured(row.beforeMs().estimate()),
                                        measured(row.afterMs().estimate()),
                                        ratio(row.improvement())))
                                .toList()));
    }

    private Group figure(Figure figure) {
        Traffic traffic = Objects.requireNonNull(results.traffic());
        return new Group(
                target(figure.id()),
                Cell.of(figure.title()),
                GroupLayout.RULED,
                List.of(
                        new Pairs(
                                "Outcome",
                                PairLayout.FACTS,
                                TrafficReport.outcome(figure, traffic.before(), traffic.after())),
                        ReportParts.published(figure.published(), true),
                        new Bullets(List.of(Cell.link(
                                "The report of this traffic, with its latencies by region and operation",
                                ReportParts.href(traffic.bundle()) + "/report.html")))));
    }

    // Prices

    private List<Price> prices() {
        return results.prices() == null ? List.of() : results.prices();
    }

    /** Sizes, time to build and writes, then what was not measured. */
    private static List<Block> priceBlocks(Price price) {
        List<List<Cell>> rows = new ArrayList<>();
        for (TableSize size : price.tables()) {
            rows.add(plain("size of " + size.table(), bytes(size.beforeBytes()), bytes(size.afterBytes())));
            rows.add(plain("its indexes", bytes(size.beforeIndexBytes()), bytes(size.afterIndexBytes())));
        }
        rows.add(plain("time to build", seconds(price.beforeBuildSeconds()), seconds(price.afterBuildSeconds())));
        List<Block> blocks = new ArrayList<>();
        for (Write write : price.writes()) {
            rows.add(row(write));
            WriteCost before = write.beforeCost();
            WriteCost after = write.afterCost();
            if (before != null && after != null) {
                rows.add(plain("its WAL", count(before.walBytes()) + " bytes", count(after.walBytes()) + " bytes"));
                if (before.hotPercent() != null && after.hotPercent() != null) {
                    rows.add(plain("its HOT updates", hot(before.hotPercent()), hot(after.hotPercent())));
                }
            }
            String failure = write.measured().failure();
            if (failure != null) {
                blocks.add(new Text(write.name() + ": " + failure.stripTrailing()));
            }
        }
        price.notMeasured().forEach(line -> blocks.add(new Text("not measured: " + line)));
        blocks.add(
                0,
                new Table(
                        "Price of " + price.experiment(),
                        TableLayout.CARDS,
                        List.of(
                                Column.text("price of " + price.experiment()),
                                Column.number("before"),
                                Column.number("after"),
                                Column.number("ratio [95%]"),
                                Column.number("noise"),
                                Column.text("result")),
                        rows));
        return blocks;
    }

    private static List<Cell> plain(String name, String before, String after) {
        return List.of(Cell.of(name), Cell.of(before), Cell.of(after), Cell.EMPTY, Cell.EMPTY, Cell.EMPTY);
    }

    private static List<Cell> row(Write write) {
        Experiment measured = write.measured();
        Side before = measured.before();
        Side after = measured.after();
        if (before == null || after == null || measured.improvement() == null) {
            return List.of(
                    Cell.of(write.name()),
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY.with("FAILED", Style.BAD));
        }
        Cell result = measured.published().isEmpty() ? outcome(measured) : ReportParts.verdicts(measured.published());
        return List.of(
                Cell.of(write.name()).note(String.join(";\n", before.statements())),
                Cell.of(before.latencyMs().median(), number(before.latencyMs().median()) + " ms"),
                Cell.of(after.latencyMs().median(), number(after.latencyMs().median()) + " ms"),
                ratio(measured.improvement()),
                ReportParts.noise(measured.noiseFloor()),
                write.maxSlowdownPercent() == null
                        ? result
                        : result.note("may become " + LabGate.number(write.maxSlowdownPercent()) + "% slower"));
    }

    private static String hot(double percent) {
        return Digits.rounded(percent, 0) + "%";
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? "" : ByteSize.text(bytes);
    }

    private static String seconds(@Nullable Double seconds) {
        return seconds == null ? "" : number(seconds.doubleValue()) + " s";
    }

    // Plans

    private static Block plans(Experiment experiment) {
        List<Block> sides = new ArrayList<>();
        for (SampleCharts.NamedSide named : SampleCharts.sides(experiment)) {
            if (!named.name().equals("Control")) {
                sides.add(plans(named.name(), named.side()));
            }
        }
        return new Group(sides.isEmpty() ? "" : "Statements and plans", GroupLayout.COLUMNS, sides);
    }

    private static Group plans(String name, Side side) {
        List<Block> blocks = new ArrayList<>();
        String text = sideText(side);
        blocks.add(new Text(
                side.answer() == null || side.answer().isEmpty() ? text : text + "; answer: " + side.answer(),
                Tone.MUTED));
        List<String> statements = side.statements();
        boolean isLong = statements.size() > SHOWN_STATEMENTS + 1;
        List<String> first = isLong ? statements.subList(0, SHOWN_STATEMENTS) : statements;
        blocks.add(new Code(name + ": statements", String.join(";\n", first), true));
        if (isLong) {
            blocks.add(new Group(
                    statements.size() - SHOWN_STATEMENTS + " more",
                    GroupLayout.COLLAPSED,
                    List.of(new Code(
                            name + ": more statements",
                            String.join(";\n", statements.subList(SHOWN_STATEMENTS, statements.size())),
                            true))));
        }
        for (Plan plan : side.plans()) {
            List<Block> parts = new ArrayList<>();
            // The statement is repeated only where it would be unclear which one is planned.
            if (!statements.equals(List.of(plan.statement()))) {
                parts.add(new Code(name + ": planned statement", plan.statement(), true));
            }
            parts.add(new Pairs("Scans", PairLayout.LIST, pairs("expected", plan.expected(), "found", plan.found())));
            parts.add(new Code(name + ": plan", plan.text(), false));
            parts.add(new Code(name + ": what the database recommends", recommendations(plan), true));
            if (plan.file() != null && !plan.file().isEmpty()) {
                parts.add(new Bullets(List.of(Cell.link("whole plan", ReportParts.href(plan.file())))));
            }
            blocks.add(new Group("Plan", GroupLayout.PLAIN, parts));
        }
        return new Group(name, GroupLayout.PLAIN, blocks);
    }

    private static String recommendations(Plan plan) {
        return plan.recommendations() == null ? "" : String.join(";\n", plan.recommendations());
    }

    // Method

    private Section method() {
        Rules rules = results.rules();
        Integer resamples = rules.resamples();
        return ReportParts.method(
                "lab",
                named(
                        "order", rules.order(),
                        "warm-ups", count(rules.leastWarmUps(), "time"),
                        "samples", count(rules.leastSamples(), "sample"),
                        "blocks", count(rules.leastBlocks(), "block"),
                        "confidence", Math.round(100 * rules.confidence()) + "%",
                        "times", resamples == null ? "" : " " + count(resamples) + " times",
                        "computed", resamples == null ? ", whose distribution is computed," : ""),
                Stream.of(results.traffic() == null ? "Traffic" : "", prices().isEmpty() ? "Price" : "")
                        .toList());
    }

    /** Returns what was measured in an experiment in a line, before it is judged among the others. */
    public static String line(Experiment experiment) {
        String failure = experiment.failure();
        List<String> cells = cells(experiment).stream().map(Cell::text).toList();
        return failure != null
                ? String.format(
                        Locale.ROOT,
                        "%-14s FAILED: %s",
                        experiment.id(),
                        failure.lines().findFirst().orElse(failure))
                : String.format(
                        Locale.ROOT, "%-14s %s → %s ms, %s", experiment.id(), cells.get(1), cells.get(2), cells.get(3));
    }
}
