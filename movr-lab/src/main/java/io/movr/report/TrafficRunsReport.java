package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.duration;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.percent;

import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Outage;
import io.movr.report.TrafficResults.Phase;
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
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The runs of traffic, the migration between them, and the ledger of writes. */
final class TrafficRunsReport {

    /** Statements of a migration that a terminal names. */
    private static final int SLOWEST = 3;

    private static final int STATEMENT_WIDTH = 70;

    private final TrafficResults results;
    private final List<Phase> phases;

    TrafficRunsReport(TrafficResults results, List<Phase> phases) {
        this.results = results;
        this.phases = phases;
    }

    record NamedRun(String name, Run run) {}

    /** Returns all runs, those of waiting clients after the others of their phase. */
    Stream<NamedRun> allRuns() {
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

    /** Returns the runs, the migration between them, and the ledger of writes. */
    Section section() {
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
                "A request is refused by a rule of the service, such as a vehicle that another user has taken; that"
                        + " is not a failure. “Due” counts"
                        + " requests that became due in the run, “answered” those whose answer came in it; “Generator"
                        + " CPU” is a share of one"
                        + " processor. The load generator retries writes whose answer is lost; the service retries"
                        + " transactions when the database asks"
                        + " for it. The name of a run links to Gatling's report of it, which measures from when a"
                        + " request was sent; this page measures"
                        + " from when it was due.",
                Tone.MUTED));
        migrationText(section);
        section.addToText(new Text("Transactions that the service tried again: "
                + phases.stream()
                        .map(phase -> phase.id() + " "
                                + phase.runs().stream()
                                        .map(run -> run.transactionRetries() == null
                                                ? TrafficReport.NOT_KNOWN
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
                run.retriedWrites() == null ? Cell.of(TrafficReport.NOT_KNOWN) : counted(run.retriedWrites()),
                run.transactionRetries() == null ? Cell.of(TrafficReport.NOT_KNOWN) : counted(run.transactionRetries()),
                Cell.of(
                        run.lagP99Ms() == null
                                ? TrafficReport.NOT_KNOWN
                                : number(run.lagP99Ms().doubleValue()) + " ms"),
                Cell.of(run.cpuShare() == null ? TrafficReport.NOT_KNOWN : percent(run.cpuShare())),
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
                .sorted(Comparator.comparingDouble(TrafficRunsReport::slowest).reversed())
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
                            new Text("At stage " + outage.stage() + " all nodes in " + outage.region()
                                    + " were killed under traffic and answered again after "
                                    + Digits.significant(outage.downSeconds(), 3)
                                    + " s. A stall is the longest time from when one of these requests was"
                                    + " due until one was answered."),
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
}
