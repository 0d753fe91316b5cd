package io.movr.study;

import io.movr.published.PublishedFigures;
import io.movr.published.Verdict;
import io.movr.report.EdgeResults.Figure;
import io.movr.report.LabResults.Published;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The published comparisons of the study with the measured ones. */
final class EdgeFigures {

    private static final long SEED = 1;
    private static final String TOO_FEW_MEASUREMENTS = "Too few measurements to judge: the minimum is "
            + RunStatistics.MIN_RUNS + " for each path, which --rounds 2 provides.";

    private final List<Draft> drafts = new ArrayList<>();

    /**
     * Adds the measurements of a published comparison.
     *
     * @param what the statements or the workload
     * @param allBefore the direct path, a block of values for each measurement
     * @param allAfter a path with a cache, likewise
     * @param moreIsBetter whether a larger value is an improvement
     */
    void add(
            String id,
            String what,
            String metric,
            String unit,
            List<double[]> allBefore,
            List<double[]> allAfter,
            boolean moreIsBetter) {
        int size = Stream.concat(allBefore.stream(), allAfter.stream())
                .mapToInt(block -> block.length)
                .min()
                .orElse(0);
        List<double[]> before = truncate(allBefore, size);
        List<double[]> after = truncate(allAfter, size);
        RunStatistics.Ratio improvement = moreIsBetter
                ? RunStatistics.ratioOfPairedMedians(after, before, SEED)
                : RunStatistics.ratioOfPairedMedians(before, after, SEED);
        drafts.add(new Draft(id, what, metric, unit, before, after, improvement));
    }

    /** A published comparison that is measured and not judged yet. */
    private record Draft(
            String id,
            String what,
            String metric,
            String unit,
            List<double[]> before,
            List<double[]> after,
            RunStatistics.Ratio improvement) {

        /** Returns whether there are enough measurements for a verdict. */
        boolean isJudged() {
            return Math.min(before.size(), after.size()) >= RunStatistics.MIN_RUNS;
        }
    }

    /** Returns all comparisons, judged together, so that their number is taken into account. */
    List<Figure> judge() {
        List<Figure> figures = new ArrayList<>();
        double[] adjusted = Holm.adjust(drafts.stream()
                .mapToDouble(draft -> draft.improvement().pValue())
                .toArray());
        for (int index = 0; index < adjusted.length; index++) {
            Draft draft = drafts.get(index);
            Interval improvement = draft.improvement().interval();
            double floor = noiseFloor(draft.before());
            boolean different = Comparison.isDifference(improvement, adjusted[index], floor);
            List<Published> published = PublishedFigures.load().of(draft.id()).stream()
                    .map(figure -> {
                        Verdict.Reasoned verdict = Verdict.of(improvement, different, floor, figure.improvement());
                        // The published values are from one run each.
                        return draft.isJudged()
                                ? figure.judged(null, true, verdict.verdict().id(), verdict.reason())
                                : figure.judged(null, true, Verdict.NOT_JUDGED, TOO_FEW_MEASUREMENTS);
                    })
                    .toList();
            figures.add(new Figure(
                    draft.id(),
                    draft.what(),
                    draft.metric(),
                    draft.unit(),
                    Comparison.median(draft.before()),
                    Comparison.median(draft.after()),
                    improvement,
                    floor,
                    draft.isJudged() ? adjusted[index] : null,
                    different,
                    published));
        }
        return figures;
    }

    /** Returns blocks of one size, because the last second of a run may be missing. */
    private static List<double[]> truncate(List<double[]> blocks, int size) {
        return blocks.stream().map(block -> Arrays.copyOf(block, size)).toList();
    }

    /** Returns the factor by which the direct path differs between the first and the second half of its rounds. */
    private static double noiseFloor(List<double[]> direct) {
        List<double[]> forth = new ArrayList<>();
        List<double[]> back = new ArrayList<>();
        for (int index = 0; index < direct.size(); index++) {
            (index % 2 == 0 ? forth : back).add(direct.get(index));
        }
        return RunStatistics.ratioOfPairedMedians(forth, back, SEED).interval().noiseFloor();
    }
}
