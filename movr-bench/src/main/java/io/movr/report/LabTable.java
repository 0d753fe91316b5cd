package io.movr.report;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Published;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results of the laboratory as a terminal shows them. */
public final class LabTable {

    private static final List<String> HEAD =
            List.of("experiment", "before ms", "after ms", "ratio [95%]", "noise", "published", "verdict");

    private LabTable() {}

    /** The table, a line an experiment, then what the words mean where they need it. */
    public static String of(LabResults results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Experiment experiment : results.experiments()) {
            rows.add(cells(experiment));
        }
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                boolean number = column > 0 && column < widths.length - 1;
                String format = "%" + (number ? "" : "-") + widths[column] + "s  ";
                line.append(String.format(Locale.ROOT, format, row.get(column)));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
            if (row == HEAD) {
                text.append("-".repeat(Arrays.stream(widths).sum() + 2 * (widths.length - 1)))
                        .append(System.lineSeparator());
            }
        }
        for (Experiment experiment : results.experiments()) {
            if (experiment.failure() != null) {
                text.append(System.lineSeparator())
                        .append(experiment.id())
                        .append(": ")
                        .append(experiment.failure().stripTrailing())
                        .append(System.lineSeparator());
            }
        }
        if (results.experiments().stream()
                .flatMap(experiment -> experiment.published().stream())
                .anyMatch(Published::weakEvidence)) {
            text.append("* weak evidence: a side of the published figure is a single run")
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    /** One experiment in a line. */
    public static String line(Experiment experiment) {
        List<String> cells = cells(experiment);
        return experiment.failure() != null
                ? String.format(Locale.ROOT, "%-14s FAILED: %s", cells.get(0), firstLine(experiment.failure()))
                : String.format(
                        Locale.ROOT,
                        "%-14s %s → %s ms, %s: %s",
                        cells.get(0),
                        cells.get(1),
                        cells.get(2),
                        cells.get(3),
                        cells.get(6));
    }

    private static List<String> cells(Experiment experiment) {
        var before = experiment.before();
        var after = experiment.after();
        Interval improvement = experiment.improvement();
        if (before == null || after == null || improvement == null) {
            return List.of(experiment.id(), "", "", "", "", "", "FAILED");
        }
        String published = experiment.published().stream()
                .map(figure ->
                        String.format(Locale.ROOT, "%.2f", figure.improvement()) + (figure.weakEvidence() ? "*" : ""))
                .collect(Collectors.joining(" / "));
        List<String> verdicts = experiment.published().stream()
                .map(Published::verdict)
                .distinct()
                .toList();
        return List.of(
                experiment.id(),
                milliseconds(before.latencyMs().median()),
                milliseconds(after.latencyMs().median()),
                String.format(
                        Locale.ROOT,
                        "%.2f [%.2f, %.2f]",
                        improvement.estimate(),
                        improvement.low(),
                        improvement.high()),
                String.format(Locale.ROOT, "±%.1f%%", 100 * (experiment.noiseFloor() - 1)),
                published,
                String.join(" / ", verdicts));
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }
}
