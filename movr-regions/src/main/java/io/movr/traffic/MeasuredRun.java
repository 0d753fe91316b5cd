package io.movr.traffic;

import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The requests of one run of the load generator, including its warm-up.
 *
 * @param fromMs the start of the steady part in milliseconds since 1970
 * @param toMs the end of the steady part in milliseconds since 1970
 */
record MeasuredRun(List<Request> requests, long fromMs, long toMs) {

    private static final long SECOND = 1_000;

    /** Returns the requests that were due in the steady part. */
    List<Request> steady() {
        return requests.stream().filter(Request::steady).toList();
    }

    /**
     * Returns the latencies in milliseconds, grouped by the second in which requests were due, for
     * {@link RunStatistics}. A request that timed out has its time limit as latency; other failed requests have no
     * latency.
     */
    List<double[]> latencies(Predicate<Request> filter) {
        return requests.stream()
                .filter(request -> request.steady() && request.hasLatency() && filter.test(request))
                .collect(Collectors.groupingBy(request -> request.dueMs() / SECOND, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(second -> second.stream().mapToDouble(Request::latencyMs).toArray())
                .toList();
    }

    /**
     * Returns the number of responses in each whole second of the steady part, including responses to earlier
     * requests, for {@link RunStatistics}.
     */
    List<double[]> answersBySecond(Predicate<Request> filter) {
        double[] seconds = new double[(int) Math.max(1, (toMs - fromMs) / SECOND)];
        requests.stream()
                .filter(request -> !request.isFailed() && filter.test(request))
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

    /**
     * Returns the number of requests per second that became due in the steady part. Later steps of a rider are due
     * when the earlier ones end.
     */
    double duePerSecond() {
        return steady().size() / Math.max(1, (toMs - fromMs) / (double) SECOND);
    }
}
