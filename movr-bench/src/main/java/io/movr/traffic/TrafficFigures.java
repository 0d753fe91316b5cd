package io.movr.traffic;

import io.movr.published.PublishedFigures;
import io.movr.published.Verdict;
import io.movr.report.LabResults.Published;
import io.movr.report.TrafficResults.Figure;
import io.movr.stats.Interval;
import io.movr.stats.RunBootstrap;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Quantile;

/** What was published of traffic from three regions, beside what was measured before and after rows were placed. */
final class TrafficFigures {

    private static final double TAIL = 0.99;
    private static final long SEED = 1;
    private static final String NOT_JUDGED = "not judged";

    private TrafficFigures() {}

    /** The tail of all regions together; nothing where a side has no answer. */
    static Optional<Figure> tail(List<MeasuredRun> before, List<MeasuredRun> after) {
        List<List<double[]>> first = latencies(before);
        List<List<double[]>> second = latencies(after);
        if (first.isEmpty() || second.isEmpty()) {
            return Optional.empty();
        }
        double[] tail = {TAIL};
        return Optional.of(figure(
                PublishedFigures.MULTI_REGION_P99,
                "The tail of three regions' traffic, before and after rows are placed",
                "p99 latency since a request was due",
                "ms",
                RunBootstrap.quantiles(first, tail, SEED).get(0),
                RunBootstrap.quantiles(second, tail, SEED).get(0),
                RunBootstrap.ratioOfQuantiles(first, second, TAIL, SEED),
                Math.min(first.size(), second.size()),
                Math.max(spread(first, TrafficFigures::tailOf), spread(second, TrafficFigures::tailOf))));
    }

    /** How much clients that wait get done, all regions together; nothing where a side got nothing done. */
    static Optional<Figure> throughput(List<MeasuredRun> before, List<MeasuredRun> after) {
        List<List<double[]>> answersBefore = answers(before);
        List<List<double[]>> answersAfter = answers(after);
        if (Stream.of(answersBefore, answersAfter)
                .anyMatch(side -> side.isEmpty() || side.stream().anyMatch(run -> meanOf(run) == 0))) {
            return Optional.empty();
        }
        return Optional.of(figure(
                PublishedFigures.MULTI_REGION_QPS,
                "What a waiting client in each of three regions gets done, before and after rows are placed",
                "requests answered a second, a closed loop",
                "requests/s",
                RunBootstrap.mean(answersBefore, SEED),
                RunBootstrap.mean(answersAfter, SEED),
                RunBootstrap.ratioOfMeans(answersAfter, answersBefore, SEED),
                Math.min(answersBefore.size(), answersAfter.size()),
                Math.max(spread(answersBefore, TrafficFigures::meanOf), spread(answersAfter, TrafficFigures::meanOf))));
    }

    /**
     * A difference is one that the interval, which covers the differences between runs, tells from none, and that is larger
     * than any between two runs at the same stage.
     */
    private static Figure figure(
            String id,
            String title,
            String metric,
            String unit,
            Interval before,
            Interval after,
            Interval improvement,
            int runs,
            double spread) {
        boolean judged = runs >= RunBootstrap.LEAST_RUNS;
        boolean different = judged
                && !improvement.contains(1)
                && (improvement.estimate() > spread || improvement.estimate() < 1 / spread);
        return new Figure(
                id,
                title,
                metric,
                unit,
                before,
                after,
                improvement,
                judged ? spread : null,
                different,
                PublishedFigures.load().of(id).stream()
                        .map(figure -> published(figure, improvement, judged, different, spread))
                        .toList());
    }

    private static Published published(
            PublishedFigures.Figure figure, Interval improvement, boolean judged, boolean different, double spread) {
        Verdict.Reasoned verdict = Verdict.of(improvement, different, spread, figure.improvement());
        // It is read off a screen, once.
        return figure.judged(
                null,
                true,
                judged ? verdict.verdict().id() : NOT_JUDGED,
                different ? verdict.reason() : undecided(improvement, judged, spread));
    }

    private static String undecided(Interval improvement, boolean judged, double spread) {
        String measured = "Measured " + improvement.text(2).replaceFirst(" ", "× ");
        return judged
                ? String.format(Locale.ROOT, "%s, and runs at the same stage differ by up to %.2f×.", measured, spread)
                : measured + " within these runs; fewer than " + RunBootstrap.LEAST_RUNS
                        + " at a stage do not tell by how much runs differ.";
    }

    private static List<List<double[]>> latencies(List<MeasuredRun> runs) {
        return runs.stream()
                .map(run -> run.latencies(request -> true))
                .filter(run -> !run.isEmpty())
                .toList();
    }

    private static List<List<double[]>> answers(List<MeasuredRun> runs) {
        return runs.stream().map(run -> run.answersBySecond(request -> true)).toList();
    }

    /** The largest factor between two runs at the same stage. */
    private static double spread(List<List<double[]>> runs, ToDoubleFunction<List<double[]>> statistic) {
        DoubleSummaryStatistics each = runs.stream().mapToDouble(statistic).summaryStatistics();
        return each.getMax() / each.getMin();
    }

    private static double tailOf(List<double[]> run) {
        return Quantile.withDefaults()
                .evaluate(run.stream().flatMapToDouble(Arrays::stream).toArray(), TAIL);
    }

    private static double meanOf(List<double[]> run) {
        return run.stream().flatMapToDouble(Arrays::stream).average().orElse(0);
    }
}
