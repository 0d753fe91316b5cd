package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.duration;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.ratio;

import io.movr.SlowdownBound.Outcome;
import io.movr.report.LabGate.Judged;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Published;
import io.movr.report.LabResults.Rules;
import io.movr.report.LabResults.Side;
import io.movr.report.LabResults.Traffic;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
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
import io.movr.report.model.Chart.Symbol;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a run of the laboratory. */
public final class LabReport {

    private static final List<Symbol> SHAPES =
            List.of(Symbol.DIAMOND, Symbol.TRIANGLE, Symbol.SQUARE, Symbol.WYE, Symbol.STAR);
    private static final String MEASURED = "measured, 95% interval";

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
        String heading = results.program() + ": "
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
                        + ". Ratio: median before over median after, above 1 is faster; noise: what the same thing"
                        + " measured twice"
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
        List<Section> sections =
                new ArrayList<>(List.of(summary(), comparison(), GrowthReport.section(results), experiments()));
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
        long failed = results.experiments().stream()
                .filter(ExperimentReport::isFailed)
                .count();
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

    private Section opening() {
        Section opening = Section.opening();
        if (!results.complete()) {
            opening.addToPage(new Text(
                    "This run is incomplete: not every experiment that was asked for was measured and passed"
                            + " its checks.",
                    Tone.WARNING));
        }
        Long rides = results.dataset().rows().get("rides");
        opening.addToPage(ReportParts.facts(
                "Started", ReportParts.moment(results.startedAt()),
                "Took", duration(results.tookSeconds()),
                "Server", ReportParts.server(results.environment()),
                "Cores", String.valueOf(results.environment().cores()),
                "Scale", rides == null ? "" : results.dataset().scale(),
                "Rides", rides == null ? "" : count(rides)));
        return opening;
    }

    // Summary

    private Section summary() {
        Section section = new Section("summary", "Summary")
                .addToPage(new Text("Before and after are medians in milliseconds. The ratio, with its 95% interval, is"
                        + " the median before over the"
                        + " median after: above 1, after is faster. A ratio within the noise is no"
                        + " difference."));
        LabResults.Unit unit = results.unit();
        if (unit != null) {
            section.addToPage(new Text(unit.meaning()));
        }
        Traffic traffic = results.traffic();
        if (traffic != null) {
            section.addToPage(new Bullets(List.of(
                    Cell.of("In multi-region-*, before and after are not medians: they are requests answered per"
                                    + " second by clients that wait,"
                                    + " where more is better, and the 99th percentile of the latency since a request"
                                    + " was due, at stage "
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
        addNotes(section);
        List<Pair> meanings = ReportParts.VERDICTS.entrySet().stream()
                .filter(verdict -> tally(verdict.getKey()) > 0)
                .map(verdict -> new Pair(verdict.getKey(), verdict.getValue()))
                .toList();
        return section.addToPage(new Pairs("Verdicts", PairLayout.LIST, meanings));
    }

    private void addNotes(Section section) {
        Traffic traffic = results.traffic();
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
                    "published: the ratio of medians where 20 samples a side or more were published, as it is measured"
                            + " here; the report has the printed ratio of averages too",
                    Tone.MUTED));
        }
        if (traffic != null && !traffic.complete()) {
            section.add(new Text(
                    "The traffic of multi-region-* was not measured whole: its own report gives the reasons.",
                    Tone.WARNING));
        }
        results.experiments()
                .forEach(
                        experiment -> ExperimentReport.parameterRows(experiment).forEach(section::addToText));
        GrowthReport.lines(results).forEach(line -> section.addToText(new Text(line)));
        prices().forEach(price -> PriceReport.of(price).forEach(section::addToText));
    }

    private static Cell name(String id, String title) {
        return Cell.EMPTY
                .with(new Cell.Part(id, Style.STRONG, "#" + ExperimentReport.target(id), ""))
                .note(title);
    }

    private static List<Cell> cells(Experiment experiment) {
        Cell name = name(experiment.id(), experiment.title());
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
                experiment.published().isEmpty()
                        ? ExperimentReport.outcome(experiment)
                        : ReportParts.verdicts(experiment.published()));
    }

    private static Cell median(Side side) {
        Cell cell = measured(side.latencyMs().median());
        return side.medianUnits() == null
                ? cell
                : cell.note(number(side.medianUnits().doubleValue()) + " units");
    }

    private static List<Cell> cells(Figure figure) {
        // The columns are in milliseconds.
        String unit = figure.unit().equals("ms") ? "" : figure.unit().replace("requests", "");
        return List.of(
                name(figure.id(), figure.title()),
                Cell.of(figure.before().estimate(), number(figure.before().estimate()) + unit),
                Cell.of(figure.after().estimate(), number(figure.after().estimate()) + unit),
                ratio(figure.improvement()),
                Cell.EMPTY,
                ReportParts.targets(figure.published()),
                ReportParts.verdicts(figure.published()));
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
                        "Ratio before over after on a logarithmic axis: equal distances are equal factors. An"
                                + " interval narrower than its mark"
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

    // Experiments

    private Section experiments() {
        Section section = new Section("experiments", "Experiments");
        results.experiments().forEach(experiment -> section.addToPage(ExperimentReport.of(experiment, prices())));
        figures.forEach(figure -> section.addToPage(figure(figure)));
        return section;
    }

    private Group figure(Figure figure) {
        Traffic traffic = Objects.requireNonNull(results.traffic());
        return new Group(
                ExperimentReport.target(figure.id()),
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

    private List<Price> prices() {
        return results.prices() == null ? List.of() : results.prices();
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
