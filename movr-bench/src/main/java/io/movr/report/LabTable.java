package io.movr.report;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Growth;
import io.movr.report.LabResults.ParameterRow;
import io.movr.report.LabResults.Point;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Published;
import io.movr.report.LabResults.TableSize;
import io.movr.report.LabResults.Write;
import io.movr.report.LabResults.WriteCost;
import io.movr.report.TrafficResults.Figure;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The results of the laboratory as a terminal shows them. */
public final class LabTable {

    static final List<String> HEAD =
            List.of("experiment", "before ms", "after ms", "ratio [95%]", "noise", "published", "verdict");

    private static final int NOISE = HEAD.indexOf("noise");
    private static final int PUBLISHED = HEAD.indexOf("published");

    private LabTable() {}

    /** The table, a line an experiment, then what the words mean where they need it. */
    public static String of(LabResults results) {
        LabResults.Traffic traffic = results.traffic();
        List<Figure> figures = traffic == null ? List.of() : traffic.figures();
        List<List<String>> rows = withoutEmptyColumns(Stream.concat(
                        results.experiments().stream().map(LabTable::cells),
                        figures.stream().map(LabTable::cells))
                .toList());
        TextTable table = new TextTable("l" + "r".repeat(rows.get(0).size() - 2) + "l")
                .row(rows.get(0))
                .rule();
        rows.subList(1, rows.size()).forEach(table::row);
        StringBuilder text = new StringBuilder(table.toString());
        for (Experiment experiment : results.experiments()) {
            if (experiment.failure() != null) {
                text.append(System.lineSeparator())
                        .append(experiment.id())
                        .append(": ")
                        .append(experiment.failure().stripTrailing())
                        .append(System.lineSeparator());
            }
        }
        List<Published> published = Stream.concat(
                        results.experiments().stream().map(Experiment::published),
                        figures.stream().map(Figure::published))
                .flatMap(List::stream)
                .toList();
        if (published.stream().anyMatch(Published::weakEvidence)) {
            text.append("* weak evidence: a side of the published figure is a single run")
                    .append(System.lineSeparator());
        }
        if (published.stream().anyMatch(figure -> figure.medians() != null)) {
            text.append(
                            "published: the ratio of medians where 20 samples a side or more were published, as it is measured here;"
                                    + " the report has the printed ratio of averages too")
                    .append(System.lineSeparator());
        }
        if (traffic != null && !traffic.complete()) {
            text.append("! the traffic of multi-region-* was not measured whole: its own report says why")
                    .append(System.lineSeparator());
        }
        appendParameterRows(text, results.experiments());
        for (String line : growth(results)) {
            text.append(System.lineSeparator()).append(line).append(System.lineSeparator());
        }
        for (Price price : results.prices() == null ? List.<Price>of() : results.prices()) {
            text.append(System.lineSeparator()).append(of(price));
        }
        return text.toString();
    }

    /** The head and the rows, without the columns of which no row has anything: noise, and what was published. */
    static List<List<String>> withoutEmptyColumns(List<List<String>> rows) {
        List<Integer> kept = IntStream.range(0, HEAD.size())
                .filter(column -> !List.of(NOISE, PUBLISHED).contains(column)
                        || rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .boxed()
                .toList();
        return Stream.concat(Stream.of(HEAD), rows.stream())
                .map(row -> kept.stream().map(row::get).toList())
                .toList();
    }

    /** Says that the rows of parameters of an experiment differ in kind, and what its ratio is then. */
    static String differing(Experiment experiment) {
        return experiment.id() + ": the rows of parameters differ in kind, therefore its ratio is the geometric mean of"
                + " theirs:";
    }

    /** The cells of a table by rows of parameters, those of its head first; empty if the rows are of one kind. */
    static List<List<String>> parameterRows(Experiment experiment) {
        List<ParameterRow> measured = experiment.byParameters();
        if (measured == null) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(experiment.id() + " with", "before ms", "after ms", "ratio [95%]"));
        measured.forEach(row -> rows.add(List.of(
                row.parameters(),
                number(row.beforeMs().estimate()),
                number(row.afterMs().estimate()),
                row.improvement().text(2))));
        return rows;
    }

    /** How each side grows with the rows, a line for each folder with several scales. */
    static List<String> growth(LabResults results) {
        return (results.growth() == null ? List.<Growth>of() : results.growth())
                .stream().map(LabTable::line).toList();
    }

    private static String line(Growth growth) {
        List<Point> measured = growth.points().stream()
                .filter(point -> point.beforeMs() != null && point.afterMs() != null)
                .toList();
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

    private static String of(Price price) {
        List<List<String>> rows = rows(price);
        TextTable table = new TextTable("lrrrrl").row(rows.get(0)).rule();
        rows.subList(1, rows.size()).forEach(table::row);
        StringBuilder failures = new StringBuilder();
        for (Write write : price.writes()) {
            String failure = write.measured().failure();
            if (failure != null) {
                failures.append(write.name())
                        .append(": ")
                        .append(failure.stripTrailing())
                        .append(System.lineSeparator());
            }
        }
        price.notMeasured()
                .forEach(line -> failures.append("not measured: ").append(line).append(System.lineSeparator()));
        return table.toString() + failures;
    }

    /** The cells of a price, those of its head first; a row may have fewer than the head. */
    static List<List<String>> rows(Price price) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("price of " + price.experiment(), "before", "after", "ratio [95%]", "noise", "result"));
        for (TableSize size : price.tables()) {
            rows.add(List.of("size of " + size.table(), bytes(size.beforeBytes()), bytes(size.afterBytes())));
            rows.add(List.of("its indexes", bytes(size.beforeIndexBytes()), bytes(size.afterIndexBytes())));
        }
        rows.add(List.of("time to build", seconds(price.beforeBuildSeconds()), seconds(price.afterBuildSeconds())));
        for (Write write : price.writes()) {
            List<String> cells = cells(write.measured());
            rows.add(List.of(
                    write.name(),
                    milliseconds(cells.get(1)),
                    milliseconds(cells.get(2)),
                    cells.get(3),
                    cells.get(4),
                    cells.get(6)));
            WriteCost before = write.beforeCost();
            WriteCost after = write.afterCost();
            if (before != null && after != null) {
                rows.add(List.of("its WAL", wal(before), wal(after)));
            }
            if (before != null && after != null && before.hotPercent() != null && after.hotPercent() != null) {
                rows.add(List.of("its HOT updates", percent(before.hotPercent()), percent(after.hotPercent())));
            }
        }
        return rows;
    }

    private static String wal(WriteCost cost) {
        return String.format(Locale.ROOT, "%,d bytes", cost.walBytes());
    }

    private static String percent(double percent) {
        return Digits.rounded(percent, 0) + "%";
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? "" : ByteSize.text(bytes);
    }

    private static String seconds(@Nullable Double seconds) {
        return seconds == null ? "" : number(seconds) + " s";
    }

    private static String milliseconds(String cell) {
        return cell.isEmpty() ? "" : cell + " ms";
    }

    /** What was measured of one experiment in a line, before it is judged among the others. */
    public static String line(Experiment experiment) {
        List<String> cells = cells(experiment);
        return experiment.failure() != null
                ? String.format(Locale.ROOT, "%-14s FAILED: %s", cells.get(0), firstLine(experiment.failure()))
                : String.format(
                        Locale.ROOT, "%-14s %s → %s ms, %s", cells.get(0), cells.get(1), cells.get(2), cells.get(3));
    }

    static List<String> cells(Experiment experiment) {
        var before = experiment.before();
        var after = experiment.after();
        Interval improvement = experiment.improvement();
        if (before == null || after == null || improvement == null) {
            return List.of(experiment.id(), "", "", "", "", "", "FAILED");
        }
        return cells(
                experiment.id(),
                number(before.latencyMs().median()),
                number(after.latencyMs().median()),
                improvement,
                experiment.noiseFloor(),
                experiment.published(),
                !experiment.different() ? "no difference" : improvement.estimate() > 1 ? "faster" : "slower");
    }

    private static List<String> cells(Figure figure) {
        // The columns are in milliseconds.
        String unit = figure.unit().equals("ms") ? "" : figure.unit().replace("requests", "");
        return cells(
                figure.id(),
                number(figure.before().estimate()) + unit,
                number(figure.after().estimate()) + unit,
                figure.improvement(),
                // Nothing was measured twice.
                null,
                figure.published(),
                "");
    }

    /** @param outcome shown where there is nothing published to judge it by */
    private static List<String> cells(
            String id,
            String before,
            String after,
            Interval improvement,
            @Nullable Double noiseFloor,
            List<Published> published,
            String outcome) {
        return List.of(
                id,
                before,
                after,
                improvement.text(2),
                noiseFloor == null ? "" : "±" + Digits.rounded(100 * (noiseFloor - 1), 1) + "%",
                published.stream()
                        .map(figure -> Digits.text(target(figure), 2) + (figure.weakEvidence() ? "*" : ""))
                        .collect(Collectors.joining(" / ")),
                published.isEmpty()
                        ? outcome
                        : published.stream().map(Published::verdict).distinct().collect(Collectors.joining(" / ")));
    }

    private static void appendParameterRows(StringBuilder text, List<Experiment> experiments) {
        for (Experiment experiment : experiments) {
            List<List<String>> cells = parameterRows(experiment);
            if (!cells.isEmpty()) {
                TextTable byParameters = new TextTable("lrrr").row(cells.get(0)).rule();
                cells.subList(1, cells.size()).forEach(byParameters::row);
                text.append(System.lineSeparator())
                        .append(differing(experiment))
                        .append(System.lineSeparator())
                        .append(byParameters);
            }
        }
    }

    /** What the measured ratio is judged by. */
    private static double target(Published figure) {
        Interval medians = figure.medians();
        return medians == null ? figure.improvement() : medians.estimate();
    }

    private static String number(double value) {
        return Digits.text(value, value < 10 ? 3 : value < 100 ? 2 : 1);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }
}
