package io.movr.report;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Cell;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Run;
import io.movr.stats.Interval;
import java.util.Locale;

/** What traffic found, as a table for a terminal. */
public final class TrafficTable {

    private TrafficTable() {}

    /** The table, lines ended. */
    public static String of(TrafficResults results) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%-14s %-8s %-21s %8s %8s %9s %20s %22s %9s%n",
                "region",
                "phase",
                "stage",
                "answered",
                "refused",
                "failed",
                "p50, ms",
                "p99, ms",
                "max, ms"));
        results.phases().get(0).operations().stream()
                .filter(TrafficTable::isOfRegion)
                .map(Operation::region)
                .forEach(region -> results.phases().forEach(phase -> append(text, region, phase)));
        for (Phase phase : results.phases()) {
            for (Run run : phase.runs()) {
                if (run.bottleneck() != null) {
                    text.append(String.format(
                            "! run %s-%d measured the load generator: %s%n",
                            phase.id(), run.number(), run.bottleneck()));
                }
            }
        }
        long away = results.matrix().stream().filter(cell -> !cell.agrees()).count();
        if (!results.matrix().isEmpty()) {
            text.append(String.format(
                    "Region matrix: %d of %d cells take the round trips that the design predicts%n",
                    results.matrix().size() - away, results.matrix().size()));
        }
        for (Cell cell : results.matrix()) {
            if (!cell.agrees()) {
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
        text.append(String.format(
                Locale.ROOT,
                "%,d acknowledged writes, %d of unknown outcome: %s%n",
                results.ledger().acknowledged(),
                results.ledger().unknown(),
                results.ledger().faults().isEmpty()
                        ? "each is there exactly once"
                        : results.ledger().faults().size() + " FAULTS, such as "
                                + results.ledger().faults().get(0)));
        for (Capacity capacity : results.capacities()) {
            text.append(String.format(
                    Locale.ROOT,
                    "Highest rate at %s: %s arrivals/s (%s)%n",
                    capacity.stage(),
                    capacity.highestKept() == 0
                            ? "none"
                            : String.format(Locale.ROOT, "%.1f", capacity.highestKept()),
                    capacity.reason()));
        }
        for (Figure figure : results.figures()) {
            figure.published()
                    .forEach(published -> text.append(String.format(
                            Locale.ROOT,
                            "%s: %.0f → %.0f %s, %s; published %.0f → %.0f, %.2f×: %s%n",
                            figure.id(),
                            figure.before(),
                            figure.after(),
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

    private static void append(StringBuilder text, String region, Phase phase) {
        phase.operations().stream()
                .filter(operation -> isOfRegion(operation) && operation.region().equals(region))
                .forEach(operation -> text.append(String.format(
                        Locale.ROOT,
                        "%-14s %-8s %-21s %8d %8d %9d %20s %22s %9.0f%n",
                        region,
                        phase.id(),
                        phase.stage(),
                        operation.answered(),
                        operation.refused(),
                        operation.failed(),
                        range(operation.p50Ms()),
                        range(operation.p99Ms()),
                        operation.maxMs())));
    }

    private static String range(Interval interval) {
        return String.format(Locale.ROOT, "%.1f [%.1f, %.1f]", interval.estimate(), interval.low(), interval.high());
    }

    private static String times(Interval interval) {
        return String.format(Locale.ROOT, "%.2f× [%.2f, %.2f]", interval.estimate(), interval.low(), interval.high());
    }
}
