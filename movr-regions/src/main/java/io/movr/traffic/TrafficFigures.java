package io.movr.traffic;

import io.movr.published.PublishedFigures;
import io.movr.published.Verdict;
import io.movr.report.LabResults.Published;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficResults.Figure;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import io.movr.stats.RunStatistics.Pairing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * The published figures of traffic from three regions, compared with the measured ones before and after rows were
 * placed.
 */
final class TrafficFigures {

    private static final double TAIL = 0.99;
    private static final long SEED = 1;

    private TrafficFigures() {}

    /** A published comparison that is measured and not judged yet. */
    private record Draft(
            String id,
            String title,
            String metric,
            String unit,
            Interval before,
            Interval after,
            RunStatistics.Ratio improvement,
            int runs,
            double spread) {}

    /**
     * Returns both figures; a figure is omitted if one side has no responses.
     *
     * @param order the order of the runs
     * @param before the open-model runs at the first stage
     * @param after the open-model runs at the later stage
     * @param closedBefore the closed-loop runs at the first stage
     * @param closedAfter the closed-loop runs at the later stage
     */
    static List<Figure> of(
            RunOrder order,
            List<MeasuredRun> before,
            List<MeasuredRun> after,
            List<MeasuredRun> closedBefore,
            List<MeasuredRun> closedAfter) {
        List<Draft> drafts = Stream.of(throughput(order, closedBefore, closedAfter), tail(order, before, after))
                .flatMap(Optional::stream)
                .toList();
        double[] adjusted = Holm.adjust(drafts.stream()
                .mapToDouble(draft -> draft.improvement().pValue())
                .toArray());
        return IntStream.range(0, drafts.size())
                .mapToObj(index -> figure(order, drafts.get(index), adjusted[index]))
                .toList();
    }

    /** Returns the comparison of the p99 latency of all regions together. */
    private static Optional<Draft> tail(RunOrder order, List<MeasuredRun> before, List<MeasuredRun> after) {
        List<List<double[]>> first = new ArrayList<>(latencies(before));
        List<List<double[]>> second = new ArrayList<>(latencies(after));
        dropEmpty(order, first, second);
        if (first.isEmpty() || second.isEmpty()) {
            return Optional.empty();
        }
        double[] tail = {TAIL};
        return Optional.of(new Draft(
                PublishedFigures.MULTI_REGION_P99,
                "p99 latency of traffic from three regions, before and after rows are placed",
                "p99 latency since a request was due",
                "ms",
                RunStatistics.quantiles(first, tail, SEED).get(0),
                RunStatistics.quantiles(second, tail, SEED).get(0),
                RunStatistics.ratioOfQuantiles(order.pairing(), first, second, TAIL, SEED),
                Math.min(first.size(), second.size()),
                Math.max(spread(first, TrafficFigures::tailOf), spread(second, TrafficFigures::tailOf))));
    }

    /** Returns the comparison of the throughput of closed-loop clients, all regions together. */
    private static Optional<Draft> throughput(RunOrder order, List<MeasuredRun> before, List<MeasuredRun> after) {
        List<List<double[]>> answersBefore = answers(before);
        List<List<double[]>> answersAfter = answers(after);
        if (Stream.of(answersBefore, answersAfter)
                .anyMatch(side -> side.isEmpty() || side.stream().anyMatch(run -> meanOf(run) == 0))) {
            return Optional.empty();
        }
        return Optional.of(new Draft(
                PublishedFigures.MULTI_REGION_QPS,
                "Throughput of a closed-loop client in each of three regions, before and after rows are placed",
                "requests answered a second, a closed loop",
                "requests/s",
                RunStatistics.mean(answersBefore, SEED),
                RunStatistics.mean(answersAfter, SEED),
                RunStatistics.ratioOfMeans(order.pairing(), answersAfter, answersBefore, SEED),
                Math.min(answersBefore.size(), answersAfter.size()),
                Math.max(spread(answersBefore, TrafficFigures::meanOf), spread(answersAfter, TrafficFigures::meanOf))));
    }

    private static Figure figure(RunOrder order, Draft draft, double pAdjusted) {
        boolean judged = draft.runs() >= RunStatistics.MIN_RUNS;
        Interval improvement = draft.improvement().interval();
        boolean different = judged && Comparison.isDifference(improvement, pAdjusted, 1);
        return new Figure(
                draft.id(),
                draft.title(),
                draft.metric(),
                draft.unit(),
                draft.before(),
                draft.after(),
                improvement,
                judged ? draft.spread() : null,
                judged ? pAdjusted : null,
                different,
                PublishedFigures.load().of(draft.id()).stream()
                        .map(figure -> published(order, figure, draft, judged, different))
                        .toList());
    }

    private static Published published(
            RunOrder order, PublishedFigures.Figure figure, Draft draft, boolean judged, boolean different) {
        Interval improvement = draft.improvement().interval();
        Verdict.Reasoned verdict = Verdict.of(improvement, different, 1, figure.improvement());
        String reason = different ? verdict.reason() : undecided(improvement, judged, draft.spread());
        // The published value was read once from a screen.
        return figure.judged(
                null,
                true,
                judged ? verdict.verdict().id() : Verdict.NOT_JUDGED,
                judged && order == RunOrder.SEQUENTIAL ? reason + " " + TrafficResults.Load.DRIFT : reason);
    }

    private static String undecided(Interval improvement, boolean judged, double spread) {
        String measured = "Measured " + improvement.text(2).replaceFirst(" ", "× ");
        return judged
                ? String.format(
                        Locale.ROOT,
                        "%s, which is no difference at the 5%% level; runs at the same stage differ by up to %.2f×.",
                        measured,
                        spread)
                : measured + " within these runs, which are too few runs to judge: a verdict requires at least "
                        + RunStatistics.MIN_RUNS + " at each stage.";
    }

    private static List<List<double[]>> latencies(List<MeasuredRun> runs) {
        return runs.stream().map(run -> run.latencies(request -> true)).toList();
    }

    /** Removes runs without latencies, with their counterparts if runs are paired. */
    private static void dropEmpty(RunOrder order, List<List<double[]>> first, List<List<double[]>> second) {
        if (order.pairing() == Pairing.PAIRS) {
            for (int pair = first.size() - 1; pair >= 0; pair--) {
                if (first.get(pair).isEmpty() || second.get(pair).isEmpty()) {
                    first.remove(pair);
                    second.remove(pair);
                }
            }
        }
        first.removeIf(List::isEmpty);
        second.removeIf(List::isEmpty);
    }

    private static List<List<double[]>> answers(List<MeasuredRun> runs) {
        return runs.stream().map(run -> run.answersBySecond(request -> true)).toList();
    }

    /** Returns the largest factor between two runs at the same stage. */
    private static double spread(List<List<double[]>> runs, ToDoubleFunction<List<double[]>> statistic) {
        DoubleSummaryStatistics each = runs.stream().mapToDouble(statistic).summaryStatistics();
        return each.getMax() / each.getMin();
    }

    /** Returns the p99 of a run; NaN if it has no latencies. */
    private static double tailOf(List<double[]> run) {
        return Quantile.withDefaults()
                .evaluate(run.stream().flatMapToDouble(Arrays::stream).toArray(), TAIL);
    }

    private static double meanOf(List<double[]> run) {
        return run.stream().flatMapToDouble(Arrays::stream).average().orElse(0);
    }
}
