package io.movr.report;

import io.movr.report.EdgeResults.Figure;
import io.movr.report.EdgeResults.Staleness;
import io.movr.report.LabResults.Published;
import java.util.Locale;

/** What a cache was worth, as tables for a terminal. */
public final class EdgeTable {

    private EdgeTable() {}

    /** The tables, lines ended. */
    public static String of(EdgeResults results) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-27s %10s %10s %24s %7s %10s  %s%n",
                "figure",
                "direct",
                "cached",
                "improvement [95%]",
                "noise",
                "published",
                "verdict"));
        for (Figure figure : results.figures()) {
            for (Published published : figure.published()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-27s %10.2f %10.2f %24s %6.1f%% %9.2f*  %s%n",
                        figure.id(),
                        figure.before().estimate(),
                        figure.after().estimate(),
                        String.format(
                                Locale.ROOT,
                                "%.2f [%.2f, %.2f]",
                                figure.improvement().estimate(),
                                figure.improvement().low(),
                                figure.improvement().high()),
                        100 * (figure.noiseFloor() - 1),
                        published.improvement(),
                        published.verdict()));
            }
        }
        text.append("* weak evidence: a single run was published; latencies in ms, throughput a second\n\n");
        text.append(String.format(
                Locale.ROOT,
                "%-16s %10s %10s %10s %8s %12s %12s%n",
                "staleness",
                "p50, ms",
                "p99, ms",
                "reads",
                "stale",
                "age p50, ms",
                "age max, ms"));
        for (Staleness one : results.staleness()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-16s %10.3f %10.3f %,10d %7.2f%% %12.0f %12.0f%n",
                    one.mode(),
                    one.medianMs(),
                    one.p99Ms(),
                    one.reads(),
                    100 * one.staleShare(),
                    one.ageP50Ms(),
                    one.ageMaxMs()));
        }
        results.faults().forEach(fault -> text.append("wrong: ").append(fault).append('\n'));
        return text.toString();
    }
}
