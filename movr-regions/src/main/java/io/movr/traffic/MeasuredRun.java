package io.movr.traffic;

import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The requests of one run of the load generator, the warm-up's among them.
 *
 * @param fromMs since 1970, when the steady part began
 * @param toMs when it ended
 */
record MeasuredRun(List<Request> requests, long fromMs, long toMs) {

    private static final long SECOND = 1_000;

    /** The requests that count: those that were due in the steady part. */
    List<Request> steady() {
        return requests.stream().filter(Request::steady).toList();
    }

    /**
     * Latencies in milliseconds by the second in which requests were due, as {@link RunStatistics} takes a run. Requests that
     * failed have none but for those that timed out, which took longer than the time after which they were given up: that
     * time stands for them.
     */
    List<double[]> latencies(Predicate<Request> of) {
        return requests.stream()
                .filter(request -> request.steady() && request.hasLatency() && of.test(request))
                .collect(Collectors.groupingBy(request -> request.dueMs() / SECOND, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(second -> second.stream().mapToDouble(Request::latencyMs).toArray())
                .toList();
    }

    /**
     * How many answers came in each whole second of the steady part, whenever their requests were due, as
     * {@link RunStatistics} takes a run.
     */
    List<double[]> answersBySecond(Predicate<Request> of) {
        double[] seconds = new double[(int) Math.max(1, (toMs - fromMs) / SECOND)];
        requests.stream()
                .filter(request -> !request.isFailed() && of.test(request))
                .mapToLong(request -> Math.floorDiv(request.answeredMs() - fromMs, SECOND))
                .filter(second -> second >= 0 && second < seconds.length)
                .forEach(second -> seconds[(int) second]++);
        List<double[]> blocks = new ArrayList<>();
        Arrays.stream(seconds).forEach(answers -> blocks.add(new double[] {answers}));
        return blocks;
    }

    double answersPerSecond() {
        return answersBySecond(request -> true).stream()
                .mapToDouble(second -> second[0])
                .average()
                .orElse(0);
    }

    /** Requests a second that became due in the steady part, of which later steps of a rider wait for the earlier ones. */
    double duePerSecond() {
        return steady().size() / Math.max(1, (toMs - fromMs) / (double) SECOND);
    }
}
