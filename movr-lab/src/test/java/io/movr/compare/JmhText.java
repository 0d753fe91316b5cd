package io.movr.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Writes results as JMH does, with values that a test decides. */
final class JmhText {

    private final List<String> entries = new ArrayList<>();

    /** Adds a benchmark of a mode that has one value an iteration. */
    JmhText with(String benchmark, String mode, String unit, Map<String, String> params, List<double[]> forks) {
        String rawData = forks.stream()
                .map(fork -> java.util.Arrays.stream(fork)
                        .mapToObj(Double::toString)
                        .collect(Collectors.joining(",", "[", "]")))
                .collect(Collectors.joining(",", "[", "]"));
        return withEntry(benchmark, mode, unit, params, "\"rawData\":" + rawData, forks.size());
    }

    /** Adds a benchmark whose metric is given as JSON. */
    JmhText withEntry(
            String benchmark, String mode, String unit, Map<String, String> params, String metric, int forks) {
        String texts = params.entrySet().stream()
                .map(param -> "\"" + param.getKey() + "\":\"" + param.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        entries.add("{\"jmhVersion\":\"1.37\",\"benchmark\":\"" + benchmark + "\",\"mode\":\"" + mode
                + "\",\"threads\":1,\"forks\":" + forks + ",\"params\":" + texts
                + ",\"primaryMetric\":{\"score\":1,\"scoreError\":\"NaN\",\"scoreUnit\":\"" + unit + "\"," + metric
                + "},\"secondaryMetrics\":{}}");
        return this;
    }

    String text() {
        return String.join(",\n", entries).transform(all -> "[" + all + "]");
    }

    /** Forks of iterations around a median, each fork slower or faster as a whole. */
    static List<double[]> forks(Random random, int forks, int iterations, double median, double forkSpread) {
        List<double[]> drawn = new ArrayList<>();
        for (int fork = 0; fork < forks; fork++) {
            double ofFork = median * Math.exp(forkSpread * random.nextGaussian());
            drawn.add(random.doubles(iterations, 0, 1)
                    .map(ignored -> ofFork * Math.exp(0.02 * random.nextGaussian()))
                    .toArray());
        }
        return drawn;
    }
}
