package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.pValue;

import io.movr.PrintableText;
import io.movr.SlowdownBound.Outcome;
import io.movr.report.ComparisonResults.Difference;
import io.movr.report.ComparisonResults.GeometricMean;
import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.RowsOf;
import io.movr.report.ComparisonResults.Variant;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.IntervalMark;
import io.movr.report.model.Chart.IntervalRow;
import io.movr.report.model.Chart.Intervals;
import io.movr.report.model.Chart.Series;
import io.movr.report.model.Chart.Symbol;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a comparison of runs. */
public final class ComparisonReport {

    private static final int MAX_VALUE = 60;
    /** The factor at which the colour of the heat map is strongest covers this part of the ratios. */
    private static final double CAPPED = 0.9;

    private static final List<Double> CAPS = List.of(1.5, 2.0, 4.0, 8.0);
    private static final int MIN_STRENGTH = 30;

    private final ComparisonResults results;
    private final List<Variant> variants;
    private final Map<String, String> common;
    private final double cap;

    private ComparisonReport(ComparisonResults results) {
        this.results = results;
        this.variants = results.variants();
        this.common = ComparisonText.common(results.rows());
        List<Double> sizes = results.rows().stream()
                .flatMap(row -> row.cells().stream())
                .map(ComparisonReport::shown)
                .filter(Objects::nonNull)
                .map(improvement -> Math.exp(Math.abs(Math.log(improvement.estimate()))))
                .sorted()
                .toList();
        double covered = sizes.isEmpty() ? 1 : sizes.get((int) Math.floor(CAPPED * (sizes.size() - 1)));
        this.cap = CAPS.stream().filter(one -> covered <= one).findFirst().orElse(CAPS.get(CAPS.size() - 1));
    }

    /** Returns the improvement if it is a difference, otherwise {@code null}. */
    private static @Nullable Interval shown(@Nullable Measurement cell) {
        return cell != null
                        && (cell.verdict().equals("better") || cell.verdict().equals("worse"))
                ? cell.improvement()
                : null;
    }

    /** Returns the report. */
    public static Report of(ComparisonResults results) {
        return new ComparisonReport(results).report();
    }

    /** Returns the report with the outcome of the bound first, as a pull request shows it. */
    public static Report withGate(ComparisonResults results) {
        Report report = of(results);
        if (results.rules().failOnPercent() == null) {
            return report;
        }
        List<Cell> lines = new ArrayList<>();
        ComparisonGate.judge(results).stream()
                .filter(one -> one.outcome() != Outcome.PASSED)
                .forEach(one -> lines.add(Cell.EMPTY
                        .with(one.outcome() == Outcome.FAILED ? "Failed:" : "Cannot tell:", Style.STRONG)
                        .with(one.message(), Style.PLAIN)));
        lines.add(Cell.of(ComparisonGate.summary(results)));
        return report.opened(new Bullets(lines));
    }

    private Report report() {
        return new Report(
                "MovR comparison: "
                        + String.join(", ", variants.stream().map(Variant::name).toList()),
                "MovR comparison",
                lead(),
                opening(),
                List.of(environments(), improvements(), intervals(), numbers(), unmatched(), calls(), method()),
                List.of("comparison.json", "comparison.csv", "comparison.md"));
    }

    private String lead() {
        List<String> compared = variants.stream().skip(1).map(Variant::name).toList();
        if (compared.isEmpty()) {
            return "There is nothing to compare " + results.baseline() + " with.";
        }
        return (compared.size() > 3 ? compared.size() + " variants" : ReportParts.joined(compared))
                + (compared.size() == 1 ? " is" : " are") + " compared with the baseline " + results.baseline()
                + (results.by().equals("result") ? ", result by result." : ", by " + results.by() + ".");
    }

    private Section opening() {
        Section opening = Section.opening();
        opening.addToPage(ReportParts.facts(
                "Compared", ReportParts.moment(results.createdAt()),
                "By", results.by(),
                "Baseline", results.baseline(),
                "Variants", count(Math.max(0, variants.size() - 1)),
                "Calls", count(results.rows().size()),
                "Same for all calls", ComparisonText.params(common)));
        opening.addToPage(new Code("Command", String.join(" ", results.command()), true));
        opening.addToText(new Text("Compared by " + results.by() + ", baseline " + results.baseline() + ":"));
        opening.add(new Bullets(variants.stream()
                .map(variant -> Cell.of(variant.name() + ":").with(PrintableText.ofLine(variant.source()), Style.CODE))
                .toList()));
        results.warnings().forEach(warning -> opening.add(new Text(warning, Tone.WARNING)));
        return opening;
    }

    // Environments

    private Section environments() {
        Section section = new Section(
                "environments", results.differences().isEmpty() ? "Environments" : "The environments differ");
        if (results.differences().isEmpty()) {
            List<String> unknown = variants.stream()
                    .filter(variant -> variant.environment() == null)
                    .map(Variant::name)
                    .toList();
            return section.addToPage(new Text(
                    unknown.isEmpty()
                            ? "The environments agree."
                            : "The environments agree as far as they are recorded; " + ReportParts.joined(unknown)
                                    + " has none."));
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("environment")));
        variants.forEach(variant -> columns.add(Column.text(variant.name())));
        List<List<Cell>> rows = new ArrayList<>();
        for (Difference difference : results.differences()) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(difference.what())));
            difference.values().forEach(value -> row.add(Cell.of(brief(value))));
            rows.add(row);
        }
        return section.add(new Text("Not measured alike, so differences may come from these:"))
                .add(new Table("Differences of the environments", TableLayout.PLAIN, columns, rows));
    }

    private static String brief(String value) {
        return value.isEmpty() ? "–" : value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE - 1) + "…";
    }

    // Improvements

    private Section improvements() {
        Section section = new Section("improvements", "Improvement over the baseline");
        section.addToPage(new Text(tally()));
        if (!common.isEmpty()) {
            section.addToText(new Text("All rows: " + ComparisonText.params(common)));
        }
        section.addToText(variants.size() == 2 ? wide() : grouped());
        return section.addToPage(heatMap())
                .addToPage(new Text(
                        "Colour follows the logarithm of the improvement: twice as good and half as good are equally"
                                + " strong. It is strongest from "
                                + ComparisonText.factor(cap) + " up and from " + ComparisonText.factor(1 / cap)
                                + " down. Grey cells are within the noise or not significant.",
                        Tone.MUTED));
    }

    private String tally() {
        Map<String, Long> tally = new TreeMap<>();
        results.rows().stream()
                .flatMap(row -> row.cells().stream().skip(1))
                .filter(cell -> cell != null)
                .forEach(cell -> tally.merge(cell.verdict(), 1L, Long::sum));
        List<String> words = new ArrayList<>();
        Stream.of("better", "worse", "~", ComparisonResults.ONE_VALUE)
                .filter(tally::containsKey)
                .forEach(verdict -> words.add(tally.get(verdict)
                        + switch (verdict) {
                            case "~" -> " without a difference shown";
                            case ComparisonResults.ONE_VALUE -> " with one value on a side, which shows nothing";
                            default -> " " + verdict;
                        }));
        return words.isEmpty()
                ? "No call was measured both in the baseline and in another variant."
                : "Comparisons: " + ReportParts.joined(words)
                        + ". An improvement above 1 is better whatever is measured. A call is a link to its details.";
    }

    private Table wide() {
        List<Column> columns = List.of(
                Column.text("benchmark"),
                Column.text("unit"),
                Column.number(variants.get(0).name()),
                Column.number(variants.get(1).name()),
                Column.number("improvement [95%]"),
                Column.number("p"),
                Column.number("noise"));
        List<List<Cell>> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            Measurement other = row.cells().get(1);
            rows.add(List.of(
                    Cell.of(ComparisonText.name(row, common)),
                    Cell.of(row.unit()),
                    median(row.cells().get(0)),
                    median(other),
                    improvement(other),
                    Cell.of(other == null ? "" : ComparisonText.pValue(other.pAdjusted())),
                    Cell.of(ComparisonText.noise(row.noiseFloor()))));
        }
        for (GeometricMean mean : results.geometricMeans()) {
            rows.add(ComparisonData.cells(
                    "geometric mean of " + mean.of(), "", "", "", ComparisonText.factor(mean.improvement()), "", ""));
        }
        return new Table("Improvements", TableLayout.PLAIN, columns, rows);
    }

    /** A line for each variant below each benchmark. */
    private Table grouped() {
        List<Column> columns = Column.list("benchmark | unit | #median | #improvement [95%] | #p | #noise");
        List<List<Cell>> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            rows.add(ComparisonData.cells(
                    ComparisonText.name(row, common), row.unit(), "", "", "", ComparisonText.noise(row.noiseFloor())));
            for (int place = 0; place < variants.size(); place++) {
                Measurement cell = row.cells().get(place);
                if (cell != null) {
                    rows.add(List.of(
                            Cell.of("  " + variants.get(place).name()),
                            Cell.EMPTY,
                            median(cell),
                            improvement(cell),
                            Cell.of(ComparisonText.pValue(cell.pAdjusted())),
                            Cell.EMPTY));
                }
            }
        }
        for (GeometricMean mean : results.geometricMeans()) {
            rows.add(ComparisonData.cells(
                    "geometric mean of " + mean.of() + ", " + mean.variant(),
                    "",
                    "",
                    ComparisonText.factor(mean.improvement()),
                    "",
                    ""));
        }
        return new Table("Improvements", TableLayout.PLAIN, columns, rows);
    }

    private static Cell median(@Nullable Measurement cell) {
        return Cell.of(cell == null ? "–" : ComparisonText.median(cell));
    }

    private static Cell improvement(@Nullable Measurement cell) {
        if (cell == null) {
            return Cell.of("missing");
        }
        if (cell.verdict().equals("baseline")) {
            return Cell.EMPTY;
        }
        Style style = switch (cell.verdict()) {
            case "better" -> Style.GOOD;
            case "worse" -> Style.BAD;
            default -> Style.PLAIN;
        };
        return Cell.EMPTY.with(ComparisonText.improvement(cell), style);
    }

    private Table heatMap() {
        List<Column> columns = new ArrayList<>(List.of(Column.text("Call")));
        for (int place = 0; place < variants.size(); place++) {
            columns.add(Column.text(variants.get(place).name() + (place == 0 ? ", median" : "")));
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            List<Cell> cells = new ArrayList<>(List.of(link(row)));
            row.cells().forEach(cell -> cells.add(heat(row, cell)));
            rows.add(cells);
        }
        if (!results.geometricMeans().isEmpty()) {
            List<Cell> cells =
                    new ArrayList<>(List.of(Cell.of("Geometric mean").note("of all calls that the baseline has too")));
            cells.add(Cell.EMPTY);
            List<GeometricMean> means = results.geometricMeans();
            for (int place = 1; place < variants.size(); place++) {
                String variant = variants.get(place).name();
                // Names of results may be the same; the order is not.
                GeometricMean mean = means.size() == variants.size() - 1
                        ? means.get(place - 1)
                        : means.stream()
                                .filter(one -> one.variant().equals(variant))
                                .findFirst()
                                .orElse(null);
                cells.add(
                        mean == null
                                ? Cell.of("–")
                                : Cell.of(ComparisonText.factor(mean.improvement()))
                                        .note("of " + count(mean.of(), "call")));
            }
            rows.add(cells);
        }
        return new Table("Improvement of each call over the baseline", TableLayout.MATRIX, columns, rows);
    }

    private Cell link(Row row) {
        return Cell.link(ComparisonText.name(row, common), "#" + id(row));
    }

    private String id(Row row) {
        return "call-" + results.rows().indexOf(row);
    }

    private Cell heat(Row row, @Nullable Measurement cell) {
        if (cell == null) {
            return Cell.of("–").heated("absent", 0);
        }
        if (cell.verdict().equals("baseline") || cell.verdict().equals("new")) {
            return Cell.of(ComparisonText.number(cell.median().estimate()) + " " + row.unit())
                    .note(cell.verdict())
                    .heated("neutral", 0);
        }
        Interval difference = shown(cell);
        if (difference == null) {
            Interval improvement = cell.improvement();
            String shown = cell.quotient() != null
                    ? ComparisonText.factor(cell.quotient())
                    : improvement == null ? cell.verdict() : ComparisonText.factor(improvement.estimate());
            return Cell.of((cell.quotient() == null ? "~ " : "? ") + shown).heated("neutral", 0);
        }
        double estimate = difference.estimate();
        double strength =
                MIN_STRENGTH + (100 - MIN_STRENGTH) * Math.min(1, Math.abs(Math.log(estimate)) / Math.log(cap));
        return Cell.of(ComparisonText.factor(estimate)).note(cell.verdict()).heated(cell.verdict(), strength);
    }

    // Intervals

    private Section intervals() {
        List<Series> series = new ArrayList<>(List.of(
                new Series("better, 95% interval", Colour.BETTER, Symbol.CIRCLE, true),
                new Series("worse, 95% interval", Colour.WORSE, Symbol.CIRCLE, true),
                new Series("no difference shown, 95% interval", Colour.MUTED, Symbol.CIRCLE, false)));
        List<IntervalRow> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            List<IntervalMark> marks = new ArrayList<>();
            for (int place = 1; place < variants.size(); place++) {
                Measurement cell = row.cells().get(place);
                Interval improvement = cell == null ? null : cell.improvement();
                if (cell != null && improvement != null) {
                    int kind =
                            cell.verdict().equals("better") ? 0 : cell.verdict().equals("worse") ? 1 : 2;
                    String variant = variants.get(place).name();
                    marks.add(new IntervalMark(
                            series.get(kind).name(),
                            variants.size() == 2 ? "" : variant,
                            improvement,
                            true,
                            ComparisonText.name(row, common) + ": " + variant + "\n" + cell.verdict() + "\nimprovement "
                                    + improvement.text(2) + "\nadjusted p " + pValue(cell.pAdjusted()) + "\nn = "
                                    + cell.n() + " in "
                                    + count(cell.forks(), "fork")));
                }
            }
            if (!marks.isEmpty()) {
                rows.add(new IntervalRow(ComparisonText.name(row, common), IntervalRow.noise(row.noiseFloor()), marks));
            }
        }
        return new Section("intervals", "Intervals of the improvements")
                .addToPage(new Figure(
                        "Intervals of the improvements; the table below holds the same numbers",
                        "Improvement on a logarithmic axis: equal distances are equal factors. An interval narrower"
                                + " than its mark is not drawn. Point"
                                + " at a mark for its numbers.",
                        new Intervals("×", 1.0, "worse", "better", "noise of the row", series, rows)));
    }

    // Numbers

    private Section numbers() {
        List<List<Cell>> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            for (int place = 0; place < variants.size(); place++) {
                Measurement cell = row.cells().get(place);
                if (cell != null) {
                    rows.add(List.of(
                            link(row),
                            Cell.of(variants.get(place).name()),
                            ReportParts.interval(cell.median()),
                            Cell.of(row.unit()),
                            cell.improvement() == null ? Cell.of("–") : ReportParts.ratio(cell.improvement()),
                            verdict(cell),
                            probability(cell.pValue()),
                            probability(cell.pAdjusted()),
                            Cell.of(row.noiseFloor(), ComparisonText.noise(row.noiseFloor())),
                            ReportParts.measured(cell.mean()),
                            Cell.of((double) cell.n(), count(cell.n())).note(count(cell.forks(), "fork"))));
                }
            }
        }
        return new Section("numbers", "All numbers")
                .addToPage(new Text(
                        rows.isEmpty()
                                ? ""
                                : "Press a column's heading to sort by it, and again to reverse the order."))
                .addToPage(new Table(
                        "All numbers",
                        TableLayout.SORTABLE,
                        Column.list("Call | Variant | #Median [95%] | Unit | #Improvement [95%] | Verdict | #p |"
                                + " #Adjusted p | "
                                + "#Noise | #Mean | #n"),
                        rows));
    }

    private static Cell probability(@Nullable Double value) {
        return Cell.of(value, pValue(value));
    }

    private static Cell verdict(Measurement cell) {
        return Cell.badge(
                switch (cell.verdict()) {
                    case "~" -> "no difference";
                    case ComparisonResults.ONE_VALUE -> "one value, no interval: cannot tell";
                    default -> cell.verdict();
                },
                "");
    }

    // Rows of one side only

    private Section unmatched() {
        Section section = new Section("unmatched", "Missing and new calls");
        results.missing().forEach(missing -> section.add(names("Missing from " + missing.variant() + ":", missing)));
        results.added().forEach(added -> section.add(names("New in " + added.variant() + ":", added)));
        return section;
    }

    private static Group names(String heading, RowsOf rows) {
        return new Group(heading, GroupLayout.PLAIN, List.of(Bullets.of(rows.rows())));
    }

    // Details

    private Section calls() {
        Section section = new Section("calls", "Calls");
        CallReport details = new CallReport(variants);
        for (Row row : results.rows()) {
            section.addToPage(new Group(
                    id(row), Cell.of(ComparisonText.name(row, common)), GroupLayout.COLLAPSED, details.blocks(row)));
        }
        return section;
    }

    // Method

    private Section method() {
        ComparisonResults.Rules rules = results.rules();
        Double bound = rules.failOnPercent();
        Section method = ReportParts.method(
                "comparison",
                named(
                        "comparisons", count(rules.family(), "comparison"),
                        "correction", rules.correction(),
                        "alpha", String.valueOf(rules.alpha()),
                        "alpha-percent", Digits.significant(100 * rules.alpha(), 1) + "%",
                        "bound", bound == null ? "" : LabGate.number(bound),
                        "placement", String.join(" ", results.placement())),
                Stream.of(bound == null ? "Gate" : "", results.placement().isEmpty() ? "Placement" : "")
                        .toList());
        ComparisonText.method(results).forEach(line -> method.addToText(new Text(line)));
        results.placement().forEach(line -> method.addToText(new Text(line)));
        return method;
    }
}
