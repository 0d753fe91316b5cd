package io.movr.report;

import io.movr.PrintableText;
import io.movr.report.ComparisonResults.Cell;
import io.movr.report.ComparisonResults.Difference;
import io.movr.report.ComparisonResults.GeometricMean;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.RowsOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A comparison as a terminal shows it: first in what the environments differ, then the numbers. */
public final class ComparisonTable {

    private static final int WIDEST_VALUE = 60;

    private final ComparisonResults results;
    private final boolean coloured;
    private final StringBuilder text = new StringBuilder();

    private ComparisonTable(ComparisonResults results, boolean coloured) {
        this.results = results;
        this.coloured = coloured;
    }

    /**
     * The table, with a line a benchmark when there are two variants, and a line a variant below each benchmark when there
     * are more.
     *
     * @param coloured whether better and worse stand out by colour
     */
    public static String of(ComparisonResults results, boolean coloured) {
        return new ComparisonTable(results, coloured).text();
    }

    private String text() {
        addSources();
        addDifferences();
        for (String warning : results.warnings()) {
            line("Warning: " + warning);
        }
        if (!results.warnings().isEmpty()) {
            line("");
        }
        Map<String, String> common = ComparisonText.common(results.rows());
        if (!common.isEmpty()) {
            line("All rows: " + ComparisonText.params(common));
            line("");
        }
        boolean wide = results.variants().size() == 2;
        List<List<String>> lines = new ArrayList<>();
        lines.add(wide ? wideHead() : longHead());
        for (Row row : results.rows()) {
            if (wide) {
                lines.add(wideLine(row, common));
            } else {
                lines.addAll(longLines(row, common));
            }
        }
        for (GeometricMean mean : results.geometricMeans()) {
            lines.add(meanLine(mean, wide));
        }
        addTable(lines);
        line("");
        addRows("Missing from ", results.missing());
        addRows("New in ", results.added());
        ComparisonText.method(results).forEach(this::line);
        results.placement().forEach(this::line);
        return text.toString();
    }

    private void addSources() {
        line("Compared by " + results.by() + ", baseline " + results.baseline() + ":");
        List<List<String>> lines = new ArrayList<>();
        results.variants()
                .forEach(variant -> lines.add(List.of("  " + variant.name(), PrintableText.ofLine(variant.source()))));
        addAligned(lines);
        line("");
    }

    private void addDifferences() {
        if (results.differences().isEmpty()) {
            return;
        }
        line("Not measured alike, so differences may come from these:");
        List<List<String>> lines = new ArrayList<>();
        for (Difference difference : results.differences()) {
            List<String> pieces = new ArrayList<>();
            pieces.add("  " + difference.what());
            difference.values().forEach(value -> pieces.add(brief(value)));
            lines.add(pieces);
        }
        addAligned(lines);
        line("");
    }

    private static String brief(String value) {
        return value.isEmpty()
                ? "–"
                : value.length() <= WIDEST_VALUE ? value : value.substring(0, WIDEST_VALUE - 1) + "…";
    }

    private List<String> wideHead() {
        return List.of(
                "benchmark",
                "unit",
                PrintableText.ofLine(results.variants().get(0).name()),
                PrintableText.ofLine(results.variants().get(1).name()),
                "improvement [95%]",
                "p",
                "noise");
    }

    private List<String> wideLine(Row row, Map<String, String> common) {
        Cell baseline = row.cells().get(0);
        Cell other = row.cells().get(1);
        return List.of(
                PrintableText.ofLine(ComparisonText.name(row, common)),
                PrintableText.ofLine(row.unit()),
                median(baseline),
                median(other),
                improvement(other),
                other == null ? "" : ComparisonText.pValue(other.pAdjusted()),
                ComparisonText.noise(row.noiseFloor()));
    }

    private static List<String> longHead() {
        return List.of("benchmark", "unit", "median", "improvement [95%]", "p", "noise");
    }

    private List<List<String>> longLines(Row row, Map<String, String> common) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of(
                PrintableText.ofLine(ComparisonText.name(row, common)),
                PrintableText.ofLine(row.unit()),
                "",
                "",
                "",
                ComparisonText.noise(row.noiseFloor())));
        for (int place = 0; place < row.cells().size(); place++) {
            Cell cell = row.cells().get(place);
            if (cell != null) {
                lines.add(List.of(
                        "  " + results.variants().get(place).name(),
                        "",
                        median(cell),
                        improvement(cell),
                        ComparisonText.pValue(cell.pAdjusted()),
                        ""));
            }
        }
        return lines;
    }

    private static List<String> meanLine(GeometricMean mean, boolean wide) {
        String name = "geometric mean of " + mean.of() + (wide ? "" : ", " + mean.variant());
        String factor = ComparisonText.factor(mean.improvement());
        return wide ? List.of(name, "", "", "", factor, "", "") : List.of(name, "", "", factor, "", "");
    }

    private static String median(@Nullable Cell cell) {
        return cell == null ? "–" : ComparisonText.median(cell);
    }

    private String improvement(@Nullable Cell cell) {
        if (cell == null) {
            return "missing";
        }
        if (cell.verdict().equals("baseline")) {
            return "";
        }
        String text = ComparisonText.improvement(cell);
        if (!coloured) {
            return text;
        }
        return switch (cell.verdict()) {
            case "better" -> TextTable.coloured(text, true);
            case "worse" -> TextTable.coloured(text, false);
            default -> text;
        };
    }

    private void addTable(List<List<String>> lines) {
        int columns = lines.get(0).size();
        TextTable table = new TextTable("ll" + "r".repeat(columns - 2));
        int firstMean = lines.size() - results.geometricMeans().size();
        for (int index = 0; index < lines.size(); index++) {
            if (index == 1 || index == firstMean) {
                table.rule();
            }
            table.row(lines.get(index));
        }
        text.append(table);
    }

    private void addAligned(List<List<String>> lines) {
        TextTable table = new TextTable("l".repeat(lines.get(0).size()));
        lines.forEach(table::row);
        text.append(table);
    }

    private void addRows(String title, List<RowsOf> lists) {
        for (RowsOf list : lists) {
            line(title + list.variant() + ":");
            list.rows().forEach(row -> line("  " + row));
            line("");
        }
    }

    private void line(String line) {
        text.append(PrintableText.ofLine(line)).append(System.lineSeparator());
    }
}
