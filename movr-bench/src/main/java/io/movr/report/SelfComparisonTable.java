package io.movr.report;

import static io.movr.report.TextTable.number;

import io.movr.report.SelfComparisonResults.Experiment;
import io.movr.report.SelfComparisonResults.Planted;
import io.movr.stats.Interval;
import io.movr.stats.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results of {@code movr lab --against-itself} as a terminal shows them. */
public final class SelfComparisonTable {

    private SelfComparisonTable() {}

    /** A line an experiment, then what all of them say. */
    public static String of(SelfComparisonResults results) {
        List<Planted> planted = results.experiments().get(0).planted();
        TextTable table = new TextTable("lrrrrr" + "r".repeat(planted.size()));
        List<String> head = new ArrayList<>(List.of(
                "experiment", "runs", "differences called", "95% intervals with 1", "ratio [95% of runs]", "noise"));
        planted.forEach(effect -> head.add(percent(effect.factor() - 1) + " found"));
        table.row(head).rule();
        for (Experiment experiment : results.experiments()) {
            List<String> cells = new ArrayList<>(List.of(
                    experiment.id(),
                    Integer.toString(experiment.differences().of()),
                    text(experiment.differences()),
                    text(experiment.covering()),
                    experiment.ratio().text(2),
                    String.format(Locale.ROOT, "±%s%%", number(1, 100 * (experiment.medianNoiseFloor() - 1)))));
            experiment
                    .planted()
                    .forEach(effect -> cells.add(percent(effect.found().share().estimate())));
            table.row(cells);
        }
        return table
                + System.lineSeparator()
                + String.format(
                        Locale.ROOT,
                        "Both sides of each experiment were the same. A difference was called in at least one experiment"
                                + " in %s of the runs (%d of %d); at most 5%% is promised.%n",
                        text(results.anyDifference()),
                        results.anyDifference().count(),
                        results.anyDifference().of());
    }

    private static String text(Share share) {
        Interval of = share.share();
        return String.format(Locale.ROOT, "%.1f%% [%.1f, %.1f]", 100 * of.estimate(), 100 * of.low(), 100 * of.high());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }
}
