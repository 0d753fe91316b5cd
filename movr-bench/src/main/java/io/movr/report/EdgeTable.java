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
        TextTable figures = new TextTable("lrrrrrl")
                .row("figure", "direct", "cached", "improvement [95%]", "noise", "published", "verdict");
        for (Figure figure : results.figures()) {
            for (Published published : figure.published()) {
                figures.row(
                        figure.id(),
                        TextTable.number(2, figure.before().estimate()),
                        TextTable.number(2, figure.after().estimate()),
                        figure.improvement().text(2),
                        TextTable.number(1, 100 * (figure.noiseFloor() - 1)) + "%",
                        TextTable.number(2, published.improvement()) + "*",
                        published.verdict());
            }
        }
        TextTable staleness = new TextTable("lrrrrrr")
                .row("staleness", "p50, ms", "p99, ms", "reads", "stale", "age p50, ms", "age max, ms");
        for (Staleness one : results.staleness()) {
            staleness.row(
                    one.mode(),
                    TextTable.number(3, one.medianMs()),
                    TextTable.number(3, one.p99Ms()),
                    String.format(Locale.ROOT, "%,d", one.reads()),
                    TextTable.number(2, 100 * one.staleShare()) + "%",
                    TextTable.number(0, one.ageP50Ms()),
                    TextTable.number(0, one.ageMaxMs()));
        }
        StringBuilder text = new StringBuilder(figures
                + "* weak evidence: a single run was published; latencies in ms, throughput a second\n\n"
                + staleness);
        results.faults().forEach(fault -> text.append("wrong: ").append(fault).append('\n'));
        return text.toString();
    }
}
