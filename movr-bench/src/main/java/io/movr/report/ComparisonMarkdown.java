package io.movr.report;

import io.movr.SlowdownBound.Outcome;
import io.movr.report.ComparisonResults.Cell;
import io.movr.report.ComparisonResults.Difference;
import io.movr.report.ComparisonResults.GeometricMean;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.RowsOf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison in Markdown, such as for a pull request: one row a benchmark, one column a variant. */
public final class ComparisonMarkdown {

    private final ComparisonResults results;
    private final MarkdownText text = new MarkdownText();

    private ComparisonMarkdown(ComparisonResults results) {
        this.results = results;
    }

    /** The whole comparison. */
    public static String of(ComparisonResults results) {
        return new ComparisonMarkdown(results).text();
    }

    private String text() {
        text.line("Compared by " + MarkdownText.escaped(results.by()) + ", baseline "
                + MarkdownText.escaped(results.baseline()) + ":");
        text.line("");
        results.variants()
                .forEach(variant -> text.line(
                        "- " + MarkdownText.escaped(variant.name()) + ": " + MarkdownText.code(variant.source())));
        text.line("");
        if (!results.differences().isEmpty()) {
            text.line("Not measured alike, so differences may come from these:");
            text.line("");
            List<String> head = new ArrayList<>(List.of(""));
            results.variants().forEach(variant -> head.add(variant.name()));
            text.head(head, head.size());
            for (Difference difference : results.differences()) {
                List<String> cells = new ArrayList<>(List.of(difference.what()));
                difference.values().forEach(value -> cells.add(value.isEmpty() ? "–" : value));
                text.row(cells);
            }
            text.line("");
        }
        if (!results.warnings().isEmpty()) {
            results.warnings().forEach(warning -> text.line("- **Warning:** " + MarkdownText.escaped(warning)));
            text.line("");
        }
        if (results.rules().failOnPercent() != null) {
            ComparisonGate.judge(results).stream()
                    .filter(one -> one.outcome() != Outcome.PASSED)
                    .forEach(one ->
                            text.line((one.outcome() == Outcome.FAILED ? "- **Failed:** " : "- **Cannot tell:** ")
                                    + MarkdownText.escaped(one.message())));
            text.line("- " + MarkdownText.escaped(ComparisonGate.summary(results)));
            text.line("");
        }
        addTable();
        addRows("Missing from ", results.missing());
        addRows("New in ", results.added());
        text.line(Stream.concat(ComparisonText.method(results).stream(), results.placement().stream())
                .map(MarkdownText::escaped)
                .collect(Collectors.joining(" ")));
        return text.toString();
    }

    private void addTable() {
        Map<String, String> common = ComparisonText.common(results.rows());
        if (!common.isEmpty()) {
            text.line("All rows: " + MarkdownText.escaped(ComparisonText.params(common)));
            text.line("");
        }
        List<String> head = new ArrayList<>(List.of("benchmark", "unit"));
        for (int place = 0; place < results.variants().size(); place++) {
            String name = results.variants().get(place).name();
            head.add(name);
            if (place > 0) {
                head.add(results.variants().size() == 2 ? "improvement [95%]" : name + ": improvement [95%]");
                head.add("p");
            }
        }
        head.add("noise");
        text.head(head, 2);
        for (Row row : results.rows()) {
            List<String> cells = new ArrayList<>(List.of(ComparisonText.name(row, common), row.unit()));
            for (int place = 0; place < row.cells().size(); place++) {
                Cell cell = row.cells().get(place);
                cells.add(cell == null ? "–" : ComparisonText.median(cell));
                if (place > 0) {
                    cells.add(cell == null ? "missing" : ComparisonText.improvement(cell));
                    cells.add(cell == null ? "" : ComparisonText.pValue(cell.pAdjusted()));
                }
            }
            cells.add(ComparisonText.noise(row.noiseFloor()));
            text.row(cells);
        }
        if (!results.geometricMeans().isEmpty()) {
            List<String> cells = new ArrayList<>(Collections.nCopies(head.size(), ""));
            cells.set(0, "geometric mean");
            for (GeometricMean mean : results.geometricMeans()) {
                int place = 3 * placeOf(mean.variant());
                cells.set(place, ComparisonText.factor(mean.improvement()) + " of " + mean.of());
            }
            text.row(cells);
        }
        text.line("");
    }

    /** The number of a variant, from 0: its improvement stands in column three times that. */
    private int placeOf(String variant) {
        return results.variants().stream()
                .map(ComparisonResults.Variant::name)
                .toList()
                .indexOf(variant);
    }

    private void addRows(String title, List<RowsOf> lists) {
        for (RowsOf list : lists) {
            text.line(title + MarkdownText.escaped(list.variant()) + ":");
            text.line("");
            list.rows().forEach(row -> text.line("- " + MarkdownText.escaped(row)));
            text.line("");
        }
    }
}
