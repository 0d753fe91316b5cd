package io.movr.report;

import io.movr.report.ComparisonResults.Cell;
import io.movr.report.ComparisonResults.Difference;
import io.movr.report.ComparisonResults.GeometricMean;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.RowsOf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A comparison as a terminal shows it: first in what the environments differ, then the numbers. */
public final class ComparisonTable {

    private static final String BETTER = "\u001b[32m";
    private static final String WORSE = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";
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

    /** A cell of the table, and the colour that it has. */
    private record Piece(String text, String colour) {

        static Piece of(String text) {
            return new Piece(text, "");
        }
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
        List<List<Piece>> lines = new ArrayList<>();
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
        List<List<Piece>> lines = new ArrayList<>();
        results.variants()
                .forEach(variant -> lines.add(List.of(Piece.of("  " + variant.name()), Piece.of(variant.source()))));
        addAligned(lines, 1);
        line("");
    }

    private void addDifferences() {
        if (results.differences().isEmpty()) {
            return;
        }
        line("Not measured alike, so differences may come from these:");
        List<List<Piece>> lines = new ArrayList<>();
        for (Difference difference : results.differences()) {
            List<Piece> pieces = new ArrayList<>();
            pieces.add(Piece.of("  " + difference.what()));
            difference.values().forEach(value -> pieces.add(Piece.of(brief(value))));
            lines.add(pieces);
        }
        addAligned(lines, results.variants().size());
        line("");
    }

    private static String brief(String value) {
        return value.isEmpty()
                ? "–"
                : value.length() <= WIDEST_VALUE ? value : value.substring(0, WIDEST_VALUE - 1) + "…";
    }

    private List<Piece> wideHead() {
        return pieces(
                "benchmark",
                "unit",
                results.variants().get(0).name(),
                results.variants().get(1).name(),
                "improvement [95%]",
                "p",
                "noise");
    }

    private List<Piece> wideLine(Row row, Map<String, String> common) {
        Cell baseline = row.cells().get(0);
        Cell other = row.cells().get(1);
        return List.of(
                Piece.of(ComparisonText.name(row, common)),
                Piece.of(row.unit()),
                Piece.of(median(baseline)),
                Piece.of(median(other)),
                improvement(other),
                Piece.of(other == null ? "" : ComparisonText.pValue(other.pAdjusted())),
                Piece.of(ComparisonText.noise(row.noiseFloor())));
    }

    private static List<Piece> longHead() {
        return pieces("benchmark", "unit", "median", "improvement [95%]", "p", "noise");
    }

    private List<List<Piece>> longLines(Row row, Map<String, String> common) {
        List<List<Piece>> lines = new ArrayList<>();
        lines.add(pieces(
                ComparisonText.name(row, common), row.unit(), "", "", "", ComparisonText.noise(row.noiseFloor())));
        for (int place = 0; place < row.cells().size(); place++) {
            Cell cell = row.cells().get(place);
            if (cell != null) {
                lines.add(List.of(
                        Piece.of("  " + results.variants().get(place).name()),
                        Piece.of(""),
                        Piece.of(median(cell)),
                        improvement(cell),
                        Piece.of(ComparisonText.pValue(cell.pAdjusted())),
                        Piece.of("")));
            }
        }
        return lines;
    }

    private static List<Piece> meanLine(GeometricMean mean, boolean wide) {
        String name = "geometric mean of " + mean.of() + (wide ? "" : ", " + mean.variant());
        String factor = ComparisonText.factor(mean.improvement());
        return wide ? pieces(name, "", "", "", factor, "", "") : pieces(name, "", "", factor, "", "");
    }

    private static String median(@Nullable Cell cell) {
        return cell == null ? "–" : ComparisonText.median(cell);
    }

    private static Piece improvement(@Nullable Cell cell) {
        if (cell == null) {
            return Piece.of("missing");
        }
        String colour = switch (cell.verdict()) {
            case "better" -> BETTER;
            case "worse" -> WORSE;
            default -> "";
        };
        return new Piece(cell.verdict().equals("baseline") ? "" : ComparisonText.improvement(cell), colour);
    }

    private void addTable(List<List<Piece>> lines) {
        int[] widths = widths(lines);
        for (int index = 0; index < lines.size(); index++) {
            boolean firstMean = index == lines.size() - results.geometricMeans().size()
                    && !results.geometricMeans().isEmpty();
            if (index == 1 || firstMean) {
                line("-".repeat(Arrays.stream(widths).sum() + 2 * (widths.length - 1)));
            }
            addLine(lines.get(index), widths, 2);
        }
    }

    private void addAligned(List<List<Piece>> lines, int leftColumns) {
        int[] widths = widths(lines);
        lines.forEach(pieces -> addLine(pieces, widths, leftColumns + 1));
    }

    private static int[] widths(List<List<Piece>> lines) {
        int[] widths = new int[lines.get(0).size()];
        for (List<Piece> pieces : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] =
                        Math.max(widths[column], pieces.get(column).text().length());
            }
        }
        return widths;
    }

    /** One line: some columns to the left, the others, which hold numbers, to the right. */
    private void addLine(List<Piece> pieces, int[] widths, int leftColumns) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            Piece piece = pieces.get(column);
            String padded = String.format(
                    Locale.ROOT,
                    "%" + (column < leftColumns ? "-" : "") + Math.max(1, widths[column]) + "s",
                    piece.text());
            line.append(
                            coloured
                                            && !piece.colour().isEmpty()
                                            && !piece.text().isEmpty()
                                    ? padded.replace(piece.text(), piece.colour() + piece.text() + PLAIN)
                                    : padded)
                    .append("  ");
        }
        line(line.toString().stripTrailing());
    }

    private void addRows(String title, List<RowsOf> lists) {
        for (RowsOf list : lists) {
            line(title + list.variant() + ":");
            list.rows().forEach(row -> line("  " + row));
            line("");
        }
    }

    private static List<Piece> pieces(String... texts) {
        return Arrays.stream(texts).map(Piece::of).toList();
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }
}
