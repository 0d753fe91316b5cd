package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.duration;
import static io.movr.report.ReportParts.interval;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.pValue;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.percent;
import static io.movr.report.ReportParts.ratio;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Load;
import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Outage;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.RegionReads;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Statement;
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
import io.movr.report.model.Cell.Part;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Report.Placed;
import io.movr.report.model.Report.Where;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of traffic from several regions. */
public final class TrafficReport {

    static final String ALL = "all";

    private static final String NOT_KNOWN = "not known";
    /** Statements of a migration that a terminal names. */
    private static final int SLOWEST = 3;

    private static final int STATEMENT_WIDTH = 70;
    private static final String ALTERNATING =
            "Each stage has a database of its own, loaded with the same rows, and instances of the"
                    + " service that run all the time. Runs before and after alternate, every second pair in reverse: before, after,"
                    + " after, before. The two runs of a pair have the same arrivals, and a ratio is that of pairs. A slow change, such as"
                    + " the temperature of the machine or the load of its neighbours, therefore favours neither side.";

    private final TrafficResults results;
    private final List<Phase> phases;
    private final List<String> regions;

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
                        promoReads(),
                        RegionMatrixReport.placement(results.placement(), regions),
                        runs(),
                        capacities(),
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

    private List<Placed> opening() {
        List<Placed> opening = new ArrayList<>();
        opening.add(new Placed(
                new Text(phases.stream()
                        .map(phase -> phase.id() + ": " + phase.stage())
                        .collect(Collectors.joining(", "))),
                Where.TEXT));
        if (!results.complete()) {
            opening.add(onPage(
                    "This run is incomplete: not all was measured, an acknowledged write is missing or doubled, or the load generator did"
                            + " not keep up."));
        }
        List<Cell> limited = allRuns()
                .filter(named -> named.run().bottleneck() != null)
                .map(named -> Cell.of(named.name() + ": " + named.run().bottleneck()))
                .toList();
        if (!limited.isEmpty()) {
            opening.add(
                    onPage(
                            "In " + limited.size() + " of " + count(allRuns().count(), "run")
                                    + " the load generator did not do what was asked of it. Their figures say little about the service:"));
            opening.add(new Placed(new Bullets(limited), Where.PAGE));
        }
        Load load = results.load();
        List<String> stages = phases.stream().map(Phase::stage).distinct().toList();
        opening.add(new Placed(
                new Pairs(
                        "Facts",
                        PairLayout.FACTS,
                        pairs(
                                "Started", ReportParts.moment(results.startedAt()),
                                "Took", duration(results.tookSeconds()),
                                "Server", ReportParts.server(results.environment()),
                                "Stage", String.join(" → ", stages),
                                "Regions", String.join(", ", regions),
                                "Mix", load.mix(),
                                "Arrivals", Digits.significant(load.arrivalsPerSecond(), 3) + " per second",
                                "For another region", Digits.significant(100 * load.remoteShare(), 3) + "%",
                                "Complete", results.complete() ? "yes" : "no")),
                Where.PAGE));
        opening.add(new Placed(Bullets.of(results.notes()), Where.PAGE));
        return opening.stream().filter(placed -> !placed.block().isEmpty()).toList();
    }

    private static Placed onPage(String warning) {
        return new Placed(new Text(warning, Tone.WARNING), Where.PAGE);
    }

    private record NamedRun(String name, Run run) {}

    private Stream<NamedRun> allRuns() {
        return phases.stream().flatMap(phase -> {
            ClosedLoop closed = phase.closedLoop();
            return Stream.concat(
                    phase.runs().stream().map(run -> new NamedRun(phase.id() + ", " + run.number(), run)),
                    closed == null
                            ? Stream.of()
                            : closed.runs().stream()
                                    .map(run -> new NamedRun(phase.id() + ", waiting clients, " + run.number(), run)));
        });
    }

    // Before and after

    private Section phasesSection() {
        Section section = new Section("phases", "Before and after")
                .addToPage(
                        new Text(
                                "Latency in milliseconds, with 95% intervals. The ratio is before over after: above 1, after is faster."));
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

    // Promo codes

    private Section promoReads() {
        Section section = new Section("promos", "Promo codes, read in every region");
        if (results.promoReads().isEmpty()) {
            return section;
        }
        section.addToPage(
                new Text(
                        "One client in each region reads promo codes while the primary region changes 20 of them, 50 times per second."
                                + " A read is stale if it began after a newer version had been acknowledged; its age is the time since then."));
        List<List<Cell>> rows = new ArrayList<>();
        Map<String, String> meanings = new LinkedHashMap<>();
        for (PromoReads mode : results.promoReads()) {
            meanings.put(mode.mode(), mode.meaning());
            for (RegionReads region : mode.regions()) {
                boolean hasStale = region.stale() > 0;
                String stale = percent(region.staleShare());
                rows.add(List.of(
                        Cell.of(mode.stage()),
                        Cell.EMPTY.with(new Part(mode.mode(), Style.PLAIN, "", mode.meaning())),
                        Cell.of(region.region()),
                        measured(region.medianMs()),
                        measured(region.p99Ms()),
                        counted(region.reads()),
                        mode.exact() && hasStale ? Cell.EMPTY.with(stale, Style.BAD) : Cell.of(stale),
                        measured(hasStale ? region.ageP50Ms() : null),
                        measured(hasStale ? region.ageMaxMs() : null),
                        measured(mode.writeMedianMs())));
            }
            section.addToText(new Text("Promo codes at " + mode.stage() + ", " + mode.mode() + ": "
                    + mode.regions().stream().map(TrafficReport::reads).collect(Collectors.joining("; "))));
            if (mode.isWrong()) {
                section.add(new Text(
                        "None of these reads may be stale: " + mode.mode() + " at " + mode.stage(), Tone.WARNING));
            }
        }
        return section.addToPage(new Table(
                        "Promo codes, read in every region",
                        TableLayout.PLAIN,
                        Column.list(
                                "Stage | Way of reading | Region | #p50, ms | #p99, ms | #Reads | #Stale | #Age p50, ms | "
                                        + "#Oldest, ms | #Write p50, ms"),
                        rows))
                .addToPage(Bullets.of(meanings.entrySet().stream()
                        .map(mode -> mode.getKey() + ": " + mode.getValue())
                        .toList()));
    }

    private static String reads(RegionReads region) {
        return String.format(
                Locale.ROOT,
                "%s %.1f ms, %s stale%s",
                region.region(),
                region.medianMs(),
                percent(region.staleShare()),
                region.stale() == 0 ? "" : String.format(Locale.ROOT, " by %.0f ms", region.ageP50Ms()));
    }

    // Runs, migration, ledger

    private Section runs() {
        Section section = new Section("runs", "Runs");
        long start = allRuns().mapToLong(named -> named.run().startedMs()).min().orElse(0);
        section.addToPage(new Table(
                "Runs",
                TableLayout.CARDS,
                Column.list("Run | #Began, s | #Due/s | #Answered/s | #Answered | #Refused | #Failed | "
                        + "#Retried writes | #Transaction retries | #Generator lag, p99 | #Generator CPU | "
                        + "Bottleneck"),
                allRuns().map(named -> row(named, start)).toList()));
        section.addToPage(new Text(
                "A request is refused by a rule of the service, such as a vehicle that another user has taken; that is not a failure. “Due” counts"
                        + " requests that became due in the run, “answered” those whose answer came in it; “Generator CPU” is a share of one"
                        + " processor. The load generator retries writes whose answer is lost; the service retries transactions when the database asks"
                        + " for it. The name of a run links to Gatling's report of it, which measures from when a request was sent; this page measures"
                        + " from when it was due.",
                Tone.MUTED));
        migrationText(section);
        section.addToText(new Text("Transactions that the service tried again: "
                + phases.stream()
                        .map(phase -> phase.id() + " "
                                + phase.runs().stream()
                                        .map(run -> run.transactionRetries() == null
                                                ? NOT_KNOWN
                                                : run.transactionRetries().toString())
                                        .collect(Collectors.joining(", ")))
                        .collect(Collectors.joining("; "))
                + " (each run)"));
        Ledger ledger = results.ledger();
        section.addToText(new Text(String.format(
                Locale.ROOT,
                "%,d acknowledged writes, %d of unknown outcome: %s",
                ledger.acknowledged(),
                ledger.unknown(),
                ledger.faults().isEmpty()
                        ? "each is there exactly once"
                        : ledger.faults().size() + " FAULTS, such as "
                                + ledger.faults().get(0))));
        outageText(section);
        section.addToPage(new Group(GroupLayout.COLUMNS, List.of(migration(), ledgerAndOutage())));
        return section;
    }

    private static List<Cell> row(NamedRun named, long start) {
        Run run = named.run();
        return List.of(
                run.gatlingReport() == null
                        ? Cell.of(named.name())
                        : Cell.link(named.name(), ReportParts.href(run.gatlingReport())),
                Cell.of(count(Math.round((run.startedMs() - start) / 1e3))),
                measured(run.duePerSecond()),
                measured(run.requestsPerSecond()),
                counted(run.answered()),
                counted(run.refused()),
                run.failed() > 0 ? Cell.EMPTY.with(count(run.failed()), Style.BAD) : Cell.of("0"),
                run.retriedWrites() == null ? Cell.of(NOT_KNOWN) : counted(run.retriedWrites()),
                run.transactionRetries() == null ? Cell.of(NOT_KNOWN) : counted(run.transactionRetries()),
                Cell.of(
                        run.lagP99Ms() == null
                                ? NOT_KNOWN
                                : number(run.lagP99Ms().doubleValue()) + " ms"),
                Cell.of(run.cpuShare() == null ? NOT_KNOWN : percent(run.cpuShare())),
                run.bottleneck() == null
                        ? Cell.of("none")
                        : Cell.badge("warning", "").with(run.bottleneck(), Style.PLAIN));
    }

    private void migrationText(Section section) {
        Migration migration = results.migration();
        section.addToText(new Text(String.format(
                Locale.ROOT,
                "From %s to %s in %.1f s%s; tables locked: %s",
                migration.from(),
                migration.to(),
                migration.seconds(),
                migration.underTraffic() ? ", under traffic" : "",
                migration.lockedMs().isEmpty()
                        ? "never"
                        : migration.lockedMs().entrySet().stream()
                                        .map(stage -> stage.getKey() + "=" + stage.getValue())
                                        .collect(Collectors.joining(", "))
                                + " ms")));
        section.addToText(Bullets.of(migration.statements().stream()
                .filter(statement -> statement.slowestMs() != null)
                .sorted(Comparator.comparingDouble(TrafficReport::slowest).reversed())
                .limit(SLOWEST)
                .map(statement -> String.format(
                        Locale.ROOT,
                        "slowest request %,.0f ms (%s), due during %s, which took %.1f s",
                        slowest(statement),
                        statement.slowestRegion(),
                        cut(statement.sql()),
                        statement.seconds()))
                .toList()));
    }

    private static double slowest(Statement statement) {
        return statement.slowestMs() == null ? 0 : statement.slowestMs();
    }

    private static String cut(String sql) {
        String line = sql.replaceAll("\\s+", " ");
        return line.length() <= STATEMENT_WIDTH ? line : line.substring(0, STATEMENT_WIDTH - 1) + "…";
    }

    private void outageText(Section section) {
        Outage outage = results.outage();
        if (outage == null) {
            return;
        }
        section.addToText(new Text(String.format(
                Locale.ROOT,
                "%s was killed at %s, and back after %.0f s. Requests due meanwhile:",
                outage.region(),
                outage.stage(),
                outage.downSeconds())));
        section.addToText(Bullets.of(outage.requests().stream()
                .map(affected -> String.format(
                        Locale.ROOT,
                        "from %s about %s: %,d, not answered %,d, %s",
                        affected.region(),
                        affected.home(),
                        affected.requests(),
                        affected.failed(),
                        affected.stallSeconds() == null
                                ? "not answered again"
                                : String.format(Locale.ROOT, "longest stall %.1f s", affected.stallSeconds())))
                .toList()));
    }

    private Group migration() {
        Migration migration = results.migration();
        List<Pair> pairs = new ArrayList<>(pairs(
                "From", migration.from(),
                "To", migration.to(),
                "Stages", String.join(", ", migration.stages()),
                "Took", duration(migration.seconds()),
                "During traffic", migration.underTraffic() ? "yes" : "no",
                "Locked", migration.lockedMs().isEmpty() ? "no lock was recorded" : ""));
        migration.lockedMs().forEach((stage, ms) -> pairs.add(new Pair("Locked, " + stage, count(ms) + " ms")));
        List<Block> blocks = new ArrayList<>(List.of(new Pairs("Migration", PairLayout.TABLE, pairs)));
        if (!migration.statements().isEmpty()) {
            blocks.add(new Group(
                    count(migration.statements().size(), "statement")
                            + (migration.underTraffic() ? ", with the slowest request that was due during each" : ""),
                    GroupLayout.COLLAPSED,
                    List.of(statements(migration))));
        }
        return new Group("Migration", GroupLayout.PLAIN, blocks);
    }

    private static Table statements(Migration migration) {
        return new Table(
                "Statements of the migration",
                TableLayout.PLAIN,
                Column.list("Statement | Stage | #Began, s | #Took, s | #Slowest request, ms | Region"),
                migration.statements().stream()
                        .map(statement -> List.of(
                                Cell.EMPTY.with(statement.sql(), Style.CODE),
                                Cell.of(statement.stage()),
                                measured((statement.startedMs() - migration.startedMs()) / 1e3),
                                measured(statement.seconds()),
                                measured(statement.slowestMs()),
                                Cell.of(statement.slowestRegion() == null ? "" : statement.slowestRegion())))
                        .toList());
    }

    private Group ledgerAndOutage() {
        Ledger ledger = results.ledger();
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Pairs(
                "Ledger of writes",
                PairLayout.TABLE,
                pairs(
                        "Acknowledged", count(ledger.acknowledged()),
                        "Answer lost for good", count(ledger.unknown()),
                        "Missing or doubled",
                                ledger.faults().isEmpty()
                                        ? "none: each is there exactly once"
                                        : count(ledger.faults().size(), "fault"))));
        blocks.add(Bullets.of(ledger.faults()));
        Outage outage = results.outage();
        if (outage != null) {
            blocks.add(new Group(
                    outage.region() + " killed",
                    GroupLayout.PLAIN,
                    List.of(
                            new Text(
                                    "At stage " + outage.stage() + " all nodes in " + outage.region()
                                            + " were killed under traffic and answered again after "
                                            + Digits.significant(outage.downSeconds(), 3)
                                            + " s. A stall is the longest time from when one of these requests was due until one was answered."),
                            new Table(
                                    "Requests that were due while the region was down",
                                    TableLayout.PLAIN,
                                    Column.list("Asked in | Rows of | #Requests | #Not answered | #Longest stall"),
                                    outage.requests().stream()
                                            .map(affected -> List.of(
                                                    Cell.of(affected.region()),
                                                    Cell.of(affected.home()),
                                                    counted(affected.requests()),
                                                    counted(affected.failed()),
                                                    Cell.of(
                                                            affected.stallSeconds() == null
                                                                    ? "not answered again"
                                                                    : Digits.significant(affected.stallSeconds(), 3)
                                                                            + " s")))
                                            .toList()))));
        }
        return new Group("Ledger of writes", GroupLayout.PLAIN, blocks);
    }

    // Capacity and published figures

    private Section capacities() {
        Section section = new Section("capacity", "Highest rate under an objective");
        if (!results.capacities().isEmpty()) {
            section.addToPage(
                    new Text(
                            "Arrivals per second of all regions together, each rate tried in one run. A request that failed was not"
                                    + " answered in time. The load generator and the service share this machine's processors."));
        }
        for (Capacity capacity : results.capacities()) {
            String highest = capacity.highestKept() == null
                    ? "none"
                    : Digits.significant(capacity.highestKept(), 3) + " arrivals/s";
            section.addToText(
                    new Text("Highest rate at " + capacity.stage() + ": " + highest + " (" + capacity.reason() + ")"));
            String quantile =
                    "p" + Digits.significant(100 * capacity.quantile(), 3).replaceFirst("\\.0+$", "");
            section.addToPage(new Group(
                    capacity.stage() + ": " + highest,
                    GroupLayout.PLAIN,
                    List.of(
                            new Text("Objective: " + quantile + " of at most " + number(capacity.limitMs())
                                    + " ms. How it is known: " + capacity.reason() + "."),
                            new Table(
                                    "Rates tried at " + capacity.stage(),
                                    TableLayout.CARDS,
                                    List.of(
                                            Column.text("Arrivals/s"),
                                            Column.number("Answered/s"),
                                            Column.number(quantile + ", ms"),
                                            Column.number("In time"),
                                            Column.number("Failed"),
                                            Column.text("Objective")),
                                    capacity.probes().stream()
                                            .map(TrafficReport::row)
                                            .toList()))));
        }
        return section;
    }

    private static List<Cell> row(Probe probe) {
        return List.of(
                measured(probe.rate()),
                measured(probe.requestsPerSecond()),
                measured(probe.ms()),
                Cell.of(percent(probe.inTime())),
                counted(probe.failed()),
                Cell.of(
                        probe.kept()
                                ? "kept"
                                : probe.generatorLimit() != null ? probe.generatorLimit() : "broken: " + probe.why()));
    }

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
