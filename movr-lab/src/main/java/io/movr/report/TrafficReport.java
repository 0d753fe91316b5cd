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

import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Load;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Run;
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
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of traffic from several regions. */
final class TrafficReport {

    static final String ALL = "all";

    static final String NOT_KNOWN = "not known";
    private static final String ALTERNATING =
            "Each stage has a database of its own, loaded with the same rows, and instances of the"
                    + " service that run all the time. Runs before and after alternate, every second pair in reverse:"
                    + " before, after,"
                    + " after, before. The two runs of a pair have the same arrivals, and a ratio is that of pairs. A"
                    + " slow change, such as"
                    + " the temperature of the machine or the load of its neighbours, therefore favours neither side.";

    private final TrafficResults results;
    private final List<Phase> phases;
    private final List<String> regions;
    private final TrafficRunsReport runs;

    private TrafficReport(TrafficResults results) {
        this.results = results;
        this.phases = Stream.of("before", "during", "after")
                .flatMap(id ->
                        results.phases().stream().filter(phase -> phase.id().equals(id)))
                .toList();
        this.regions = Stream.concat(
                        results.regions().stream().map(TrafficResults.RegionOf::name),
                        phases.stream()
                                .flatMap(phase -> phase.operations().stream())
                                .map(Operation::region))
                .filter(region -> !region.equals(ALL))
                .distinct()
                .toList();
        this.runs = new TrafficRunsReport(results, phases);
    }

    /** Returns the report. */
    public static Report of(TrafficResults results) {
        return new TrafficReport(results).report();
    }

    private Report report() {
        return new Report(
                results.title(),
                "MovR performance lab: traffic from several regions",
                Stream.of(whatWasRun() + latencies() + ".", rates(), ledgerSentence())
                        .filter(sentence -> !sentence.isEmpty())
                        .collect(Collectors.joining(" ")),
                opening(),
                List.of(
                        TrafficTimeline.section(results, phases, regions),
                        phasesSection(),
                        operations(),
                        closedLoop(),
                        RegionMatrixReport.section(results.matrix(), regions),
                        PromoReadsReport.section(results.promoReads()),
                        RegionMatrixReport.placement(results.placement(), regions),
                        runs.section(),
                        CapacityReport.section(results.capacities()),
                        figures(),
                        environment(),
                        method()),
                List.of("results.json", "environment.json"));
    }

    private Optional<Phase> phase(String id) {
        return phases.stream().filter(phase -> phase.id().equals(id)).findFirst();
    }

    private static @Nullable Operation find(Phase phase, String region, String operation, @Nullable Boolean remote) {
        return phase.operations().stream()
                .filter(one -> one.region().equals(region)
                        && one.operation().equals(operation)
                        && Objects.equals(one.remote(), remote))
                .findFirst()
                .orElse(null);
    }

    private boolean hasTooFewRuns() {
        return results.load().runs() < results.load().leastRuns();
    }

    // Header

    private String whatWasRun() {
        String where = regions.isEmpty() ? "Traffic" : "Traffic from " + ReportParts.joined(regions);
        Optional<Phase> before = phase("before");
        Optional<Phase> after = phase("after");
        String between = before.isEmpty() || after.isEmpty()
                ? ""
                : results.load().isAlternating()
                        ? " at the stages " + before.get().stage() + " and "
                                + after.get().stage() + " in turn"
                        : " at stage " + before.get().stage() + " and, after a migration, at "
                                + after.get().stage();
        return where + " was sent to " + ReportParts.server(results.environment()) + between;
    }

    private String latencies() {
        Interval before = tail("before");
        Interval after = tail("after");
        return before == null || after == null
                ? ""
                : ": the p99 of all regions was " + number(before.estimate()) + " ms before and "
                        + number(after.estimate()) + " ms after" + verdictOfTail();
    }

    private @Nullable Interval tail(String id) {
        Operation all = phase(id).map(phase -> find(phase, ALL, ALL, null)).orElse(null);
        return all == null ? null : all.p99Ms();
    }

    /** The sentence follows the verdict of the figure; without one nothing is said. */
    private String verdictOfTail() {
        Figure figure = results.figures().stream()
                .filter(one -> one.id().equals("multi-region-p99"))
                .findFirst()
                .orElse(null);
        if (figure == null) {
            return "";
        }
        if (hasTooFewRuns()) {
            return ", in too few runs to tell a difference";
        }
        if (!figure.different()) {
            return ", which is no difference";
        }
        double factor = figure.improvement().estimate();
        return factor >= 1 ? ", " + Digits.text(factor, 2) + "× better" : ", " + Digits.text(1 / factor, 2) + "× worse";
    }

    private String rates() {
        List<String> rates = new ArrayList<>();
        for (Phase phase : phases) {
            Operation all = find(phase, ALL, ALL, null);
            if (all != null) {
                rates.add(Digits.significant(all.requestsPerSecond().estimate(), 3) + " " + phase.id());
            }
        }
        if (rates.isEmpty()) {
            return "No run was recorded.";
        }
        long failed = phases.stream()
                .flatMap(phase -> phase.runs().stream())
                .mapToLong(Run::failed)
                .sum();
        return "Requests answered per second: " + ReportParts.joined(rates) + "; "
                + (failed > 0 ? count(failed, "request") + " failed" : "none failed") + ".";
    }

    private String ledgerSentence() {
        Ledger ledger = results.ledger();
        int faults = ledger.faults().size();
        if (faults > 0) {
            return "Of " + count(ledger.acknowledged(), "acknowledged write") + ", not all are there exactly once: "
                    + count(faults, "fault") + ".";
        }
        return ledger.acknowledged() == 0
                ? ""
                : "All " + count(ledger.acknowledged(), "acknowledged write") + " are there exactly once.";
    }

    private Section opening() {
        Section opening = Section.opening();
        opening.addToText(new Text(
                phases.stream().map(phase -> phase.id() + ": " + phase.stage()).collect(Collectors.joining(", "))));
        if (!results.complete()) {
            opening.addToPage(warning(
                    "This run is incomplete: not all was measured, an acknowledged write is missing or doubled, or"
                            + " the load generator did"
                            + " not keep up."));
        }
        List<Cell> limited = runs.allRuns()
                .filter(named -> named.run().bottleneck() != null)
                .map(named -> Cell.of(named.name() + ": " + named.run().bottleneck()))
                .toList();
        if (!limited.isEmpty()) {
            opening.addToPage(warning("In " + limited.size() + " of "
                    + count(runs.allRuns().count(), "run")
                    + " the load generator did not do what was asked of it. Their figures say little"
                    + " about the service:"));
            opening.addToPage(new Bullets(limited));
        }
        Load load = results.load();
        List<String> stages = phases.stream().map(Phase::stage).distinct().toList();
        opening.addToPage(ReportParts.facts(
                "Started", ReportParts.moment(results.startedAt()),
                "Took", duration(results.tookSeconds()),
                "Server", ReportParts.server(results.environment()),
                "Stage", String.join(" → ", stages),
                "Regions", String.join(", ", regions),
                "Mix", load.mix(),
                "Arrivals", Digits.significant(load.arrivalsPerSecond(), 3) + " per second",
                "For another region", Digits.significant(100 * load.remoteShare(), 3) + "%",
                "Complete", results.complete() ? "yes" : "no"));
        opening.addToPage(Bullets.of(results.notes()));
        return opening;
    }

    private static Text warning(String text) {
        return new Text(text, Tone.WARNING);
    }

    // Before and after

    private Section phasesSection() {
        Section section = new Section("phases", "Before and after")
                .addToPage(new Text("Latency in milliseconds, with 95% intervals. The ratio is before over after: above"
                        + " 1, after is faster."));
        List<PhaseTable.Row> rows = new ArrayList<>();
        for (String region : Stream.concat(Stream.of(ALL), regions.stream()).toList()) {
            for (Boolean remote : new Boolean[] {null, false, true}) {
                rows.add(new PhaseTable.Row(
                        region.equals(ALL) ? "all regions" : region,
                        remote == null ? "all rows" : remote ? "remote rows" : "home rows",
                        phases.stream()
                                .map(phase -> find(phase, region, ALL, remote))
                                .toList()));
            }
        }
        new PhaseTable(phases, rows)
                .blocks(
                        "Latency by region",
                        "Region and rows",
                        row -> row.detail().equals("all rows"))
                .forEach(section::addToPage);
        section.addToText(regionTable());
        if (hasTooFewRuns()) {
            section.add(new Text("Intervals are within the runs only, and nothing is judged: it takes "
                    + results.load().leastRuns() + " runs at each stage (--runs)."));
        }
        section.addToText(new Text(
                results.load().isAlternating()
                        ? "Runs before and after alternated; ratios are those of pairs of runs."
                        : Load.DRIFT));
        for (Phase phase : phases) {
            phase.runs().forEach(run -> addDoubt(section, phase.id(), run));
            ClosedLoop closed = phase.closedLoop();
            if (closed != null) {
                section.addToText(new Text("A waiting client in each region, " + phase.id() + ": "
                        + closed.requestsPerSecond().text(1) + " requests/s"));
                closed.runs().forEach(run -> addDoubt(section, phase.id() + "-closed", run));
            }
        }
        return section;
    }

    private static void addDoubt(Section section, String phase, Run run) {
        if (run.bottleneck() != null) {
            section.addToText(new Text(
                    "run " + phase + "-" + run.number() + " says little of the service: " + run.bottleneck(),
                    Tone.WARNING));
        }
    }

    private Table regionTable() {
        List<List<Cell>> rows = new ArrayList<>();
        List<String> shown = results.phases().get(0).operations().stream()
                .filter(operation ->
                        operation.remote() == null && operation.operation().equals(ALL))
                .map(Operation::region)
                .toList();
        for (String region : shown) {
            for (Phase phase : results.phases()) {
                Operation operation = find(phase, region, ALL, null);
                if (operation != null) {
                    rows.add(List.of(
                            Cell.of(region),
                            Cell.of(phase.id()),
                            range(operation.requestsPerSecond()),
                            Cell.of(String.format(Locale.ROOT, "%.2f%%", 100 * operation.successShare())),
                            range(operation.p50Ms()),
                            range(operation.p95Ms()),
                            operation.timedOut() > 0
                                    ? Cell.of("≥ " + range(operation.p99Ms()).text())
                                    : range(operation.p99Ms()),
                            operation.maxMs() == null
                                    ? Cell.of(NOT_KNOWN)
                                    : Cell.of(String.format(
                                            Locale.ROOT,
                                            "%.0f",
                                            operation.maxMs().estimate()))));
                }
            }
        }
        return new Table(
                "Regions",
                TableLayout.PLAIN,
                Column.list("region | phase | #requests/s | #success | #p50, ms | #p95, ms | #p99, ms | #max, ms"),
                rows);
    }

    private static Cell range(@Nullable Interval interval) {
        return interval == null ? Cell.of(NOT_KNOWN) : Cell.of(interval, 1);
    }

    private Section operations() {
        Section section = new Section("operations", "By operation");
        List<PhaseTable.Row> rows = phases.stream()
                .flatMap(phase -> phase.operations().stream())
                .map(Operation::operation)
                .filter(operation -> !operation.equals(ALL))
                .distinct()
                .map(operation -> new PhaseTable.Row(
                        operation,
                        "",
                        phases.stream()
                                .map(phase -> find(phase, ALL, operation, null))
                                .toList()))
                .toList();
        List<Block> blocks = new PhaseTable(phases, rows).blocks("Latency by operation", "Operation", row -> true);
        if (!blocks.isEmpty()) {
            section.addToPage(new Text("All regions together, local and remote requests alike."));
        }
        blocks.forEach(section::addToPage);
        return section;
    }

    // Waiting clients

    private Section closedLoop() {
        List<Phase> loops =
                phases.stream().filter(phase -> phase.closedLoop() != null).toList();
        Section section = new Section("closed", "Waiting clients");
        if (loops.isEmpty()) {
            return section;
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Region")));
        loops.forEach(phase -> columns.add(Column.number(phase.id() + ": " + phase.stage())));
        columns.add(Column.number("ratio, after / before"));
        List<List<Cell>> rows = new ArrayList<>();
        for (String region : Stream.concat(Stream.of(ALL), regions.stream()).toList()) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(region.equals(ALL) ? "all regions" : region)));
            loops.forEach(phase -> row.add(interval(waiting(phase, region))));
            Interval before =
                    phase("before").map(phase -> waiting(phase, region)).orElse(null);
            Interval after = phase("after").map(phase -> waiting(phase, region)).orElse(null);
            row.add(
                    before == null || after == null
                            ? Cell.EMPTY
                            : Cell.of(Digits.text(after.estimate() / before.estimate(), 2)));
            rows.add(row);
        }
        return section.addToPage(new Text(
                        "Requests answered per second when one client in each region waits for every answer, with 95%"
                                + " intervals. Above 1, more is done after."))
                .addToPage(
                        new Table("Requests answered per second by waiting clients", TableLayout.PLAIN, columns, rows));
    }

    private static @Nullable Interval waiting(Phase phase, String region) {
        ClosedLoop closed = phase.closedLoop();
        return closed == null
                ? null
                : region.equals(ALL)
                        ? closed.requestsPerSecond()
                        : closed.byRegion().get(region);
    }

    // Published figures

    private Section figures() {
        Section section = new Section("published", "Measured and published ratios");
        if (!results.figures().isEmpty()) {
            section.addToPage(new Text("The ratio, with its 95% interval, is above 1 where after is better."));
        }
        for (Figure figure : results.figures()) {
            section.addToPage(new Group(
                    "",
                    Cell.of(figure.title().isEmpty() ? figure.id() : figure.title()),
                    GroupLayout.RULED,
                    List.of(
                            new Pairs(
                                    figure.title(),
                                    PairLayout.FACTS,
                                    outcome(
                                            figure,
                                            results.migration().from(),
                                            results.migration().to())),
                            ReportParts.published(figure.published(), true))));
            figure.published()
                    .forEach(published -> section.addToText(new Text(String.format(
                            Locale.ROOT,
                            "%s: %.0f → %.0f %s, %s; published %.0f → %.0f, %.2f×: %s",
                            figure.id(),
                            figure.before().estimate(),
                            figure.after().estimate(),
                            figure.unit(),
                            figure.improvement().text(2).replaceFirst(" ", "× "),
                            published.before(),
                            published.after(),
                            published.improvement(),
                            published.verdict()))));
        }
        return section;
    }

    /** Returns a figure in a few facts. */
    static List<Pair> outcome(Figure figure, String before, String after) {
        return pairs(
                figure.metric() + ", before (" + before + ")",
                withUnit(figure.before(), figure.unit()),
                figure.metric() + ", after (" + after + ")",
                withUnit(figure.after(), figure.unit()),
                "Ratio",
                ratio(figure.improvement()).text(),
                "Runs at one stage differ by up to",
                figure.noiseFloor() == null ? "" : Digits.text(figure.noiseFloor(), 2) + "×",
                "Before and after differ",
                figure.different()
                        ? "yes"
                        : figure.noiseFloor() == null ? "not judged: too few runs" : "no difference was shown",
                "p of the t-test over the runs, adjusted",
                figure.pAdjusted() == null ? "" : pValue(figure.pAdjusted()));
    }

    private static String withUnit(Interval interval, String unit) {
        return interval(interval).text() + " " + unit;
    }

    // Environment and method

    private Section environment() {
        Section section = ReportParts.environment(results.environment(), results.command(), results.dataset());
        boolean hasDistances = results.regions().stream()
                .anyMatch(region -> !region.roundTripMs().isEmpty());
        List<Column> columns = new ArrayList<>(List.of(Column.text("Region"), Column.text("Cities")));
        if (hasDistances) {
            results.regions().forEach(region -> columns.add(Column.number("Round trip to " + region.name() + ", ms")));
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (TrafficResults.RegionOf region : results.regions()) {
            List<Cell> row = new ArrayList<>(List.of(
                    Cell.of(region.name()).note(region.primary() ? "primary" : ""),
                    Cell.of(String.join(", ", region.cities()))));
            if (hasDistances) {
                results.regions()
                        .forEach(other -> row.add(measured(region.roundTripMs().get(other.name()))));
            }
            rows.add(row);
        }
        section.addToPage(new Group(
                "Regions",
                GroupLayout.PLAIN,
                List.of(
                        new Table("Regions", TableLayout.PLAIN, columns, rows),
                        new Text(
                                hasDistances ? "" : "The distances between these regions were not set by this program.",
                                Tone.MUTED))));
        return section.addToPage(
                new Group("Checks", GroupLayout.PLAIN, List.of(ReportParts.checks("Checks", results.checks()))));
    }

    private Section method() {
        Load load = results.load();
        return ReportParts.method(
                "traffic",
                named(
                        "uncounted", duration(load.uncountedSeconds()),
                        "warm-up", duration(load.warmUpSeconds()),
                        "run", duration(load.secondsPerRun()),
                        "runs", count(load.runs(), "run"),
                        "order", load.isAlternating() ? ALTERNATING : Load.DRIFT,
                        "test", load.isAlternating() ? "that of the pairs' ratios" : "Welch's",
                        "least-runs", count(load.leastRuns()),
                        "remote-share", Digits.significant(100 * load.remoteShare(), 3) + "%"),
                List.of());
    }
}
