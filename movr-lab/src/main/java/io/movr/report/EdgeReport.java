package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.percent;

import io.movr.report.EdgeResults.Figure;
import io.movr.report.EdgeResults.Run;
import io.movr.report.EdgeResults.Staleness;
import io.movr.report.LabResults.Published;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
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
import java.util.List;
import java.util.Map;

/** The report of an experiment with a cache near the client. */
final class EdgeReport {

    private static final String MEASURED = "measured, with its 95% interval";
    private static final String PUBLISHED = "published";
    private static final Map<String, String> WAYS =
            Map.of("direct", "direct", "presence", "through the point of presence", "near", "cache in the client");

    private EdgeReport() {}

    /** Returns the report. */
    static Report of(EdgeResults results) {
        return new Report(
                results.title(),
                "MovR performance lab: a cache near the client",
                String.join(" ", results.conclusions().stream().limit(1).toList()),
                opening(results),
                List.of(
                        conclusions(results),
                        published(results),
                        staleness(results),
                        runs(results),
                        ReportParts.environment(results.environment(), results.command(), null)
                                .addToPage(ReportParts.titled(
                                        "Round trips",
                                        pairs(
                                                "Client to database",
                                                        number(results.distances()
                                                                        .databaseMs()) + " ms",
                                                "Client to point of presence",
                                                        number(results.distances()
                                                                        .presenceMs()) + " ms",
                                                "Point of presence to database",
                                                        number(results.distances()
                                                                        .presenceToDatabaseMs()) + " ms",
                                                "A new connection to the point of presence",
                                                        number(results.distances()
                                                                        .openingMs()) + " ms")))),
                List.of("results.json", "environment.json"));
    }

    private static Section opening(EdgeResults results) {
        Section opening = Section.opening();
        results.faults().forEach(fault -> opening.add(new Text("wrong: " + fault, Tone.FAILURE)));
        opening.addToPage(ReportParts.facts(
                "Started", ReportParts.moment(results.startedAt()),
                "Took", ReportParts.duration(results.tookSeconds()),
                "Server", ReportParts.server(results.environment()),
                "Answers are kept for", ReportParts.duration(results.timeToLiveMs() / 1000),
                "Complete", results.complete() ? "yes" : "no"));
        return opening;
    }

    private static Section conclusions(EdgeResults results) {
        return new Section("conclusions", "Where it pays").addToPage(Bullets.of(results.conclusions()));
    }

    private static Section published(EdgeResults results) {
        List<IntervalRow> rows = new ArrayList<>();
        List<List<Cell>> cells = new ArrayList<>();
        for (Figure figure : results.figures()) {
            List<IntervalMark> marks = new ArrayList<>();
            marks.add(new IntervalMark(
                    MEASURED,
                    "",
                    figure.improvement(),
                    true,
                    figure.id() + "\nmeasured " + figure.improvement().text(2)));
            for (Published one : figure.published()) {
                double ratio = one.improvement();
                marks.add(new IntervalMark(
                        PUBLISHED,
                        "",
                        new Interval(ratio, ratio, ratio),
                        false,
                        figure.id() + "\npublished " + number(ratio) + "\n" + one.verdict()));
                cells.add(List.of(
                        Cell.of(figure.id()).note(figure.what()),
                        ReportParts.measured(figure.before().estimate()),
                        ReportParts.measured(figure.after().estimate()),
                        Cell.of(figure.unit()),
                        ReportParts.ratio(figure.improvement()),
                        ReportParts.noise(figure.noiseFloor()),
                        ReportParts.targets(List.of(one)),
                        ReportParts.verdict(one.verdict())));
            }
            rows.add(new IntervalRow(figure.id(), IntervalRow.noise(figure.noiseFloor()), marks));
        }
        return new Section("published", "Measured and published ratios")
                .addToPage(new Text("The ratio is above 1 where the cache is better. Every published figure is a single"
                        + " run on each side."))
                .addToPage(new Block.Figure(
                        "Ratios, measured and published; the table below holds the same numbers",
                        "Ratio of direct over cached, logarithmic. The line at 1 is no difference.",
                        new Intervals(
                                "×",
                                1.0,
                                "direct is better",
                                "cached is better",
                                "noise of the row",
                                List.of(
                                        new Series(MEASURED, Colour.MEASURED, Symbol.CIRCLE, true),
                                        new Series(PUBLISHED, Colour.PUBLISHED, Symbol.DIAMOND, true)),
                                rows)))
                .add(new Table(
                        "Measured and published",
                        TableLayout.CARDS,
                        Column.list("figure | #direct | #cached | unit | #ratio [95%] | #noise | #published | verdict"),
                        cells))
                .add(new Text("* weak evidence: a single run was published", Tone.MUTED));
    }

    private static Section staleness(EdgeResults results) {
        Section section = new Section("staleness", "Latency and staleness");
        if (results.staleness().isEmpty()) {
            return section;
        }
        List<Point> points = results.staleness().stream()
                .filter(one -> one.meanMs() > 0)
                .map(one -> new Point(
                        one.meanMs(),
                        100 * one.staleShare(),
                        100 * one.staleShare(),
                        100 * one.staleShare(),
                        one.mode(),
                        one.mode() + "\n" + one.meaning() + "\nmean " + number(one.meanMs()) + " ms, p99 "
                                + number(one.p99Ms()) + " ms\n" + percent(one.staleShare()) + " of "
                                + count(one.reads(), "read") + " stale"))
                .toList();
        return section.addToPage(new Text(
                        "A read is stale if it began after a newer version had been acknowledged to its writer. Its"
                                + " age is the time since"
                                + " the first version that it missed was acknowledged."))
                .addToPage(new Block.Figure(
                        "Mean latency and share of stale reads by mode; the table below holds the same numbers",
                        "Mean latency of a read, and the percentage of reads that were stale. Left and low is better.",
                        new Lines(
                                "mean latency of a read, ms",
                                true,
                                "% stale",
                                false,
                                Map.of(),
                                List.of(new Line("mode", Colour.MEASURED, Stroke.NONE, points)),
                                null)))
                .add(new Table(
                        "Staleness by mode",
                        TableLayout.CARDS,
                        Column.list("staleness | #p50, ms | #mean, ms | #p99, ms | #reads | #stale | #age p50, ms | "
                                + "#age p99, ms | #age max, ms"),
                        results.staleness().stream().map(EdgeReport::row).toList()));
    }

    private static List<Cell> row(Staleness one) {
        boolean hasStale = one.stale() > 0;
        return List.of(
                Cell.of(one.mode()).note(one.meaning()),
                ReportParts.measured(one.medianMs()),
                ReportParts.measured(one.meanMs()),
                ReportParts.measured(one.p99Ms()),
                ReportParts.counted(one.reads()),
                Cell.of(percent(one.staleShare())),
                ReportParts.measured(hasStale ? one.ageP50Ms() : null),
                ReportParts.measured(hasStale ? one.ageP99Ms() : null),
                ReportParts.measured(hasStale ? one.ageMaxMs() : null));
    }

    private static Section runs(EdgeResults results) {
        return new Section("runs", "Runs under load")
                .addToPage(new Table(
                        "Runs under load",
                        TableLayout.CARDS,
                        Column.list("Workload | Way | #Clients | #Per second | #p50, ms | #p99, ms | #Hits |"
                                + " #Invalidations | "
                                + "#Errors"),
                        results.runs().stream().map(EdgeReport::row).toList()));
    }

    private static List<Cell> row(Run run) {
        return List.of(
                Cell.of(run.workload()),
                Cell.of(WAYS.getOrDefault(run.way(), run.way())),
                Cell.of(count(run.clients())),
                ReportParts.measured(run.perSecond()),
                ReportParts.measured(run.p50Ms()),
                ReportParts.measured(run.p99Ms()),
                Cell.of(run.hitRate() == null ? "–" : percent(run.hitRate())),
                Cell.of(run.hitRate() == null ? "–" : count(run.invalidations())),
                Cell.of(count(run.errors())));
    }
}
