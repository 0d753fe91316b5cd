package io.movr.report;

import io.movr.SlowdownBound.Outcome;
import io.movr.report.LabGate.Judged;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import java.util.ArrayList;
import java.util.List;

/** A run of the laboratory in Markdown, for a pull request: what failed, the table, and the price of each change. */
public final class LabMarkdown {

    private LabMarkdown() {}

    /** The whole summary. */
    public static String of(LabResults results, LabGate gate) {
        MarkdownText text = new MarkdownText();
        List<Judged> all = gate.judge(results);
        List<Judged> failed = counted(all, gate, Outcome.FAILED);
        List<Judged> unsure =
                all.stream().filter(one -> one.outcome() == Outcome.UNSURE).toList();
        text.line("### movr lab: "
                + (!failed.isEmpty()
                        ? failed.size() + " of " + all.size() + " failed"
                        : !results.complete()
                                ? "not measured whole"
                                : unsure.isEmpty() ? "passed" : "passed, and cannot tell of " + unsure.size()));
        text.line("");
        failed.forEach(one -> text.line("- **Failed:** " + line(one)));
        unsure.stream()
                .filter(one -> !failed.contains(one))
                .forEach(one -> text.line("- **Cannot tell:** " + line(one)));
        if (!failed.isEmpty() || !unsure.isEmpty()) {
            text.line("");
        }
        List<String> answers = results.headlines();
        answers.forEach(answer -> text.line("- **" + MarkdownText.escaped(answer) + "**"));
        if (!answers.isEmpty()) {
            text.line("");
        }
        addTable(text, results.experiments());
        for (LabResults.Experiment experiment : results.experiments()) {
            List<List<String>> rows = LabTable.parameterRows(experiment);
            if (!rows.isEmpty()) {
                text.line(MarkdownText.escaped(LabTable.differing(experiment)));
                text.line("");
                text.head(rows.get(0), 1);
                rows.subList(1, rows.size()).forEach(text::row);
                text.line("");
            }
        }
        List<String> growth = LabTable.growth(results);
        growth.forEach(line -> text.line("- " + MarkdownText.escaped(line)));
        if (!growth.isEmpty()) {
            text.line("");
        }
        for (Price price : results.prices() == null ? List.<Price>of() : results.prices()) {
            List<List<String>> rows = LabTable.rows(price);
            text.head(rows.get(0), 1);
            rows.subList(1, rows.size())
                    .forEach(row -> text.row(padded(row, rows.get(0).size())));
            text.line("");
            price.notMeasured().forEach(line -> text.line("- not measured: " + MarkdownText.escaped(line)));
            text.line("");
        }
        Environment where = results.environment();
        text.line(MarkdownText.escaped(where.database() + ", " + where.cores() + " cores, " + where.processor()
                + ". Ratio: median before over median after, above 1 is faster; noise: what the same thing measured twice"
                + " shows."));
        return text.toString();
    }

    private static void addTable(MarkdownText text, List<Experiment> experiments) {
        if (experiments.isEmpty()) {
            return;
        }
        List<List<String>> rows = LabTable.withoutEmptyColumns(
                experiments.stream().map(LabTable::cells).toList());
        text.head(rows.get(0), 1);
        rows.subList(1, rows.size()).forEach(text::row);
        text.line("");
    }

    private static List<String> padded(List<String> row, int size) {
        List<String> cells = new ArrayList<>(row);
        while (cells.size() < size) {
            cells.add("");
        }
        return cells;
    }

    private static List<Judged> counted(List<Judged> all, LabGate gate, Outcome outcome) {
        return all.stream().filter(one -> gate.counted(one) == outcome).toList();
    }

    private static String line(Judged one) {
        return MarkdownText.escaped(
                one.name() + " " + one.message().lines().findFirst().orElse(""));
    }
}
