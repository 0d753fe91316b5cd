package io.movr.traffic;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.Affected;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Second;
import io.movr.report.TrafficResults.Statement;
import io.movr.schema.AppliedStatement;
import io.movr.stats.Interval;
import io.movr.stats.LatencyClasses;
import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;

/** Statistics of the requests of a phase, by region and operation, and over time. */
final class TrafficStatistics {

    static final String ALL = "all";

    private static final double[] QUANTILES = {0.5, 0.95, 0.99};
    private static final long SEED = 1;
    private static final long SECOND = 1_000;

    private TrafficStatistics() {}

    /**
     * Returns the statistics of each region and of all regions, local and remote, and of each operation in all
     * regions.
     */
    static List<Operation> operations(List<MeasuredRun> runs, List<String> regions) {
        List<Operation> all = new ArrayList<>();
        List<String> places = new ArrayList<>(List.of(ALL));
        places.addAll(regions);
        for (String region : places) {
            for (Boolean remote : Arrays.asList(null, false, true)) {
                summary(runs, region, ALL, remote).ifPresent(all::add);
            }
        }
        TreeSet<String> operations = new TreeSet<>();
        runs.forEach(run -> run.steady().forEach(request -> operations.add(request.operation())));
        for (String operation : operations) {
            summary(runs, ALL, operation, null).ifPresent(all::add);
        }
        return all;
    }

    /** Returns the statements of a migration, each with the slowest request that was due during it. */
    static List<Statement> statements(List<AppliedStatement> applied, List<Request> requests) {
        List<Statement> statements = new ArrayList<>();
        for (AppliedStatement statement : applied) {
            long from = statement.started().toEpochMilli();
            long to = from + statement.took().toMillis();
            Optional<Request> slowest = requests.stream()
                    .filter(request -> request.hasLatency() && request.dueMs() >= from && request.dueMs() <= to)
                    .max(Comparator.comparingDouble(Request::latencyMs));
            statements.add(new Statement(
                    statement.stage().id(),
                    statement.sql(),
                    from,
                    statement.took().toMillis() / 1e3,
                    slowest.map(Request::latencyMs).orElse(null),
                    slowest.map(Request::region).orElse(null)));
        }
        return statements;
    }

    /**
     * Returns the effect of an outage on requests, by the region of the client and the home region of the rows.
     *
     * @param killedMs the start of the outage in milliseconds since 1970, like {@code backMs}, its end
     */
    static List<Affected> affected(List<Request> requests, RegionMap map, long killedMs, long backMs) {
        Map<List<String>, List<Request>> groups = requests.stream()
                .collect(Collectors.groupingBy(
                        request -> List.of(
                                request.region(),
                                map.regionOf(request.city()).map(Region::name).orElse("")),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<Affected> affected = new ArrayList<>();
        groups.forEach((group, members) -> {
            List<Request> due = members.stream()
                    .filter(request -> request.dueMs() >= killedMs && request.dueMs() < backMs)
                    .toList();
            TreeSet<Long> answers = members.stream()
                    .filter(request -> !request.isFailed())
                    .map(Request::answeredMs)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!due.isEmpty()) {
                affected.add(new Affected(
                        group.get(0),
                        group.get(1),
                        due.size(),
                        count(due, Request::isFailed),
                        stallSeconds(due, answers)));
            }
        });
        affected.sort(Comparator.comparing(Affected::region).thenComparing(Affected::home));
        return affected;
    }

    private static @Nullable Double stallSeconds(List<Request> due, NavigableSet<Long> answersMs) {
        long longest = 0;
        for (Request request : due) {
            Long next = answersMs.ceiling(request.dueMs());
            if (next == null) {
                return null;
            }
            longest = Math.max(longest, next - request.dueMs());
        }
        return longest / 1e3;
    }

    private static Optional<Operation> summary(
            List<MeasuredRun> runs, String region, String operation, @Nullable Boolean remote) {
        Predicate<Request> filter =
                request -> (region.equals(ALL) || request.region().equals(region))
                        && (operation.equals(ALL) || request.operation().equals(operation))
                        && (remote == null || request.remote() == remote);
        List<Request> chosen = runs.stream()
                .flatMap(run -> run.steady().stream())
                .filter(filter)
                .toList();
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        List<List<double[]>> latencies =
                runs.stream().map(run -> run.latencies(filter)).toList();
        boolean measured = latencies.stream().anyMatch(run -> !run.isEmpty());
        List<Interval> quantiles = measured ? RunStatistics.quantiles(latencies, QUANTILES, SEED) : List.of();
        long answered = count(chosen, request -> !request.isFailed());
        return Optional.of(new Operation(
                region,
                operation,
                remote,
                answered,
                count(chosen, Request::isRefused),
                count(chosen, Request::isFailed),
                count(chosen, Request::isTimeout),
                (double) answered / chosen.size(),
                RunStatistics.mean(
                        runs.stream().map(run -> run.answersBySecond(filter)).toList(), SEED),
                measured ? quantiles.get(0) : null,
                measured ? quantiles.get(1) : null,
                measured ? quantiles.get(2) : null,
                measured ? slowest(latencies) : null));
    }

    /** Returns the maximum, with the range of the maxima of the runs instead of a confidence interval. */
    private static Interval slowest(List<List<double[]>> latencies) {
        DoubleSummaryStatistics ofRuns = latencies.stream()
                .filter(run -> !run.isEmpty())
                .mapToDouble(run ->
                        run.stream().flatMapToDouble(Arrays::stream).max().orElseThrow())
                .summaryStatistics();
        return new Interval(ofRuns.getMax(), ofRuns.getMin(), ofRuns.getMax());
    }

    static long count(List<Request> requests, Predicate<Request> filter) {
        return requests.stream().filter(filter).count();
    }

    /** Returns an entry for each region and second. */
    static List<Second> timeline(String phase, List<Request> requests) {
        Map<String, TreeMap<Long, List<Request>>> byRegion = new LinkedHashMap<>();
        for (Request request : requests) {
            byRegion.computeIfAbsent(request.region(), region -> new TreeMap<>())
                    .computeIfAbsent(request.dueMs() / SECOND * SECOND, second -> new ArrayList<>())
                    .add(request);
        }
        List<Second> timeline = new ArrayList<>();
        byRegion.forEach(
                (region, seconds) -> seconds.forEach((at, due) -> timeline.add(second(phase, region, at, due))));
        return timeline;
    }

    private static Second second(String phase, String region, long at, List<Request> requests) {
        double[] latencies = requests.stream()
                .filter(Request::hasLatency)
                .mapToDouble(Request::latencyMs)
                .toArray();
        boolean measured = latencies.length > 0;
        double[] quantiles = measured ? Quantile.withDefaults().evaluate(latencies, 0.5, 0.99, 1) : new double[0];
        return new Second(
                phase,
                region,
                at,
                count(requests, request -> !request.isFailed()),
                count(requests, Request::isFailed),
                measured ? quantiles[0] : null,
                measured ? quantiles[1] : null,
                measured ? quantiles[2] : null,
                LatencyClasses.counts(Arrays.stream(latencies)));
    }
}
