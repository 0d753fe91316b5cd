package io.movr.traffic;

import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Second;
import io.movr.stats.BlockQuantiles;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;

/** What requests of a phase come to, by region and operation and over time. */
final class TrafficStatistics {

    static final String ALL = "all";

    private static final double[] QUANTILES = {0.5, 0.95, 0.99};
    private static final long SEED = 1;
    private static final long SECOND = 1_000;

    private TrafficStatistics() {}

    /** Every region and all together, at home and remote; and every operation of all regions. */
    static List<Operation> operations(List<Request> steady, List<String> regions) {
        List<Operation> all = new ArrayList<>();
        List<String> places = new ArrayList<>(List.of(ALL));
        places.addAll(regions);
        for (String region : places) {
            for (Boolean remote : Arrays.asList(null, false, true)) {
                summary(steady, region, ALL, remote).ifPresent(all::add);
            }
        }
        for (String operation :
                new TreeSet<>(steady.stream().map(Request::operation).toList())) {
            summary(steady, ALL, operation, null).ifPresent(all::add);
        }
        return all;
    }

    private static Optional<Operation> summary(
            List<Request> steady, String region, String operation, @Nullable Boolean remote) {
        List<Request> chosen = steady.stream()
                .filter(request -> region.equals(ALL) || request.region().equals(region))
                .filter(request -> operation.equals(ALL) || request.operation().equals(operation))
                .filter(request -> remote == null || request.remote() == remote)
                .toList();
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        List<Interval> quantiles = BlockQuantiles.of(seconds(chosen), QUANTILES, SEED);
        return Optional.of(new Operation(
                region,
                operation,
                remote,
                count(chosen, request -> !request.isFailed()),
                count(chosen, Request::isRefused),
                count(chosen, Request::isFailed),
                quantiles.get(0),
                quantiles.get(1),
                quantiles.get(2),
                chosen.stream().mapToDouble(Request::latencyMs).max().orElseThrow()));
    }

    static long count(List<Request> requests, Predicate<Request> of) {
        return requests.stream().filter(of).count();
    }

    /** Latencies in milliseconds by the second in which requests were due. */
    static List<double[]> seconds(List<Request> requests) {
        return requests.stream()
                .collect(Collectors.groupingBy(request -> request.dueMs() / SECOND, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(second -> second.stream().mapToDouble(Request::latencyMs).toArray())
                .toList();
    }

    /** A line a region and second. */
    static List<Second> timeline(String phase, List<Request> requests) {
        Map<String, TreeMap<Long, List<Request>>> byRegion = new LinkedHashMap<>();
        for (Request request : requests) {
            byRegion.computeIfAbsent(request.region(), region -> new TreeMap<>())
                    .computeIfAbsent(request.dueMs() / SECOND * SECOND, second -> new ArrayList<>())
                    .add(request);
        }
        List<Second> timeline = new ArrayList<>();
        byRegion.forEach((region, seconds) -> seconds.forEach((at, of) -> {
            double[] latencies = of.stream().mapToDouble(Request::latencyMs).toArray();
            double[] quantiles = Quantile.withDefaults().evaluate(latencies, 0.5, 0.99);
            timeline.add(new Second(
                    phase,
                    region,
                    at,
                    count(of, request -> !request.isFailed()),
                    count(of, Request::isFailed),
                    quantiles[0],
                    quantiles[1],
                    Arrays.stream(latencies).max().orElseThrow()));
        }));
        return timeline;
    }
}
