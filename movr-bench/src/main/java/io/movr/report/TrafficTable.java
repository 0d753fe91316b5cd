package io.movr.report;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Cell;
import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Outage;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Statement;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What traffic found, as a table for a terminal. */
public final class TrafficTable {

    private static final String NOT_KNOWN = "not known";
    /** Statements of a migration that are named. */
    private static final int SLOWEST = 3;

    private static final int STATEMENT_WIDTH = 70;

    private TrafficTable() {}

    /** The table, lines ended. */
    public static String of(TrafficResults results) {
        StringBuilder text = new StringBuilder();
        text.append(results.phases().stream()
                        .map(phase -> phase.id() + ": " + phase.stage())
                        .collect(Collectors.joining(", ")))
                .append(String.format("%n%n"));
        TextTable regions = new TextTable("llrrrrrr")
                .row("region", "phase", "requests/s", "success", "p50, ms", "p95, ms", "p99, ms", "max, ms");
        results.phases().get(0).operations().stream()
                .filter(TrafficTable::isOfRegion)
                .map(Operation::region)
                .forEach(region -> results.phases().forEach(phase -> add(regions, region, phase)));
        text.append(regions);
        if (results.load().runs() < results.load().leastRuns()) {
            text.append(String.format(
                    "Intervals are within the runs only, and nothing is judged: it takes %d runs at each stage (--runs).%n",
                    results.load().leastRuns()));
        }
        text.append(
                        results.load().isAlternating()
                                ? "Runs before and after alternated; ratios are those of pairs of runs."
                                : TrafficResults.Load.DRIFT)
                .append(System.lineSeparator());
        for (Phase phase : results.phases()) {
            phase.runs().forEach(run -> appendDoubt(text, phase.id(), run));
            ClosedLoop closed = phase.closedLoop();
            if (closed != null) {
                text.append(String.format(
                        Locale.ROOT,
                        "A waiting client in each region, %s: %s requests/s%n",
                        phase.id(),
                        range(closed.requestsPerSecond())));
                closed.runs().forEach(run -> appendDoubt(text, phase.id() + "-closed", run));
            }
        }
        List<Cell> predicted =
                results.matrix().stream().filter(cell -> cell.agrees() != null).toList();
        List<Cell> away = predicted.stream()
                .filter(cell -> Boolean.FALSE.equals(cell.agrees()))
                .toList();
        if (!predicted.isEmpty()) {
            text.append(String.format(
                    "Region matrix: %d of %d cells take the round trips that are predicted from where the rows are%s%n",
                    predicted.size() - away.size(),
                    predicted.size(),
                    predicted.size() == results.matrix().size()
                            ? ""
                            : "; of %d others the leaseholders are in several regions"
                                    .formatted(results.matrix().size() - predicted.size())));
        } else if (!results.matrix().isEmpty()) {
            text.append(String.format(
                    "Region matrix: %d cells, without a prediction: the distances between the regions are not known%n",
                    results.matrix().size()));
        }
        for (Cell cell : away) {
            if (cell.expectedMs() != null) {
                text.append(String.format(
                        Locale.ROOT,
                        "  ! %s, %s from %s about %s: %.1f ms, predicted %.1f ms%n",
                        cell.stage(),
                        cell.operation(),
                        cell.gateway(),
                        cell.home(),
                        cell.medianMs().estimate(),
                        cell.expectedMs()));
            }
        }
        for (PromoReads mode : results.promoReads()) {
            text.append(String.format(
                    "Promo codes at %s, %s: %s%n",
                    mode.stage(),
                    mode.mode(),
                    mode.regions().stream()
                            .map(region -> String.format(
                                    Locale.ROOT,
                                    "%s %.1f ms, %s%% stale%s",
                                    region.region(),
                                    region.medianMs(),
                                    Digits.rounded(100 * region.staleShare(), 1),
                                    region.stale() == 0
                                            ? ""
                                            : String.format(Locale.ROOT, " by %.0f ms", region.ageP50Ms())))
                            .collect(Collectors.joining("; "))));
            if (mode.isWrong()) {
                text.append("  ! none of these reads may be stale").append(System.lineSeparator());
            }
        }
        text.append(String.format(
                Locale.ROOT,
                "From %s to %s in %.1f s%s; tables locked: %s%n",
                results.migration().from(),
                results.migration().to(),
                results.migration().seconds(),
                results.migration().underTraffic() ? ", under traffic" : "",
                results.migration().lockedMs().isEmpty()
                        ? "never"
                        : results.migration().lockedMs().toString().replaceAll("[{}]", "") + " ms"));
        results.migration().statements().stream()
                .filter(statement -> statement.slowestMs() != null)
                .sorted(Comparator.comparingDouble(TrafficTable::slowest).reversed())
                .limit(SLOWEST)
                .forEach(statement -> text.append(String.format(
                        Locale.ROOT,
                        "  slowest request %,.0f ms (%s), due during %s, which took %.1f s%n",
                        slowest(statement),
                        statement.slowestRegion(),
                        cut(statement.sql()),
                        statement.seconds())));
        text.append("Transactions that the service tried again: ")
                .append(results.phases().stream()
                        .map(phase -> phase.id() + " "
                                + phase.runs().stream()
                                        .map(run -> run.transactionRetries() == null
                                                ? NOT_KNOWN
                                                : run.transactionRetries().toString())
                                        .collect(Collectors.joining(", ")))
                        .collect(Collectors.joining("; ")))
                .append(String.format(" (each run)%n"));
        text.append(String.format(
                Locale.ROOT,
                "%,d acknowledged writes, %d of unknown outcome: %s%n",
                results.ledger().acknowledged(),
                results.ledger().unknown(),
                results.ledger().faults().isEmpty()
                        ? "each is there exactly once"
                        : results.ledger().faults().size() + " FAULTS, such as "
                                + results.ledger().faults().get(0)));
        Outage outage = results.outage();
        if (outage != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s was killed at %s, and back after %.0f s. Requests due meanwhile:%n",
                    outage.region(),
                    outage.stage(),
                    outage.downSeconds()));
            outage.requests()
                    .forEach(affected -> text.append(String.format(
                            Locale.ROOT,
                            "  from %s about %s: %,d, not answered %,d, %s%n",
                            affected.region(),
                            affected.home(),
                            affected.requests(),
                            affected.failed(),
                            affected.stallSeconds() == null
                                    ? "not answered again"
                                    : String.format(Locale.ROOT, "longest stall %.1f s", affected.stallSeconds()))));
        }
        for (Capacity capacity : results.capacities()) {
            text.append(String.format(
                    Locale.ROOT,
                    "Highest rate at %s: %s (%s)%n",
                    capacity.stage(),
                    capacity.highestKept() == null
                            ? "none"
                            : String.format(Locale.ROOT, "%.1f arrivals/s", capacity.highestKept()),
                    capacity.reason()));
        }
        for (Figure figure : results.figures()) {
            figure.published()
                    .forEach(published -> text.append(String.format(
                            Locale.ROOT,
                            "%s: %.0f → %.0f %s, %s; published %.0f → %.0f, %.2f×: %s%n",
                            figure.id(),
                            figure.before().estimate(),
                            figure.after().estimate(),
                            figure.unit(),
                            times(figure.improvement()),
                            published.before(),
                            published.after(),
                            published.improvement(),
                            published.verdict())));
        }
        return text.toString();
    }

    private static boolean isOfRegion(Operation operation) {
        return operation.remote() == null && operation.operation().equals("all");
    }

    private static void add(TextTable table, String region, Phase phase) {
        phase.operations().stream()
                .filter(operation -> isOfRegion(operation) && operation.region().equals(region))
                .forEach(operation -> table.row(
                        region,
                        phase.id(),
                        range(operation.requestsPerSecond()),
                        String.format(Locale.ROOT, "%.2f%%", 100 * operation.successShare()),
                        range(operation.p50Ms()),
                        range(operation.p95Ms()),
                        (operation.timedOut() > 0 ? "≥ " : "") + range(operation.p99Ms()),
                        operation.maxMs() == null
                                ? NOT_KNOWN
                                : String.format(
                                        Locale.ROOT, "%.0f", operation.maxMs().estimate())));
    }

    private static void appendDoubt(StringBuilder text, String phase, Run run) {
        if (run.bottleneck() != null) {
            text.append(String.format(
                    "! run %s-%d says little of the service: %s%n", phase, run.number(), run.bottleneck()));
        }
    }

    private static double slowest(Statement statement) {
        return statement.slowestMs() == null ? 0 : statement.slowestMs();
    }

    private static String cut(String sql) {
        String line = sql.replaceAll("\\s+", " ");
        return line.length() <= STATEMENT_WIDTH ? line : line.substring(0, STATEMENT_WIDTH - 1) + "…";
    }

    private static String range(@Nullable Interval interval) {
        return interval == null ? NOT_KNOWN : interval.text(1);
    }

    private static String times(Interval interval) {
        return interval.text(2).replaceFirst(" ", "× ");
    }
}
