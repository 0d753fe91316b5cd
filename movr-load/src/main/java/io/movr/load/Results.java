package io.movr.load;

import io.movr.region.Region;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Counts and latencies of the requests of the steady phase. One thread counts; they are read when it has ended. */
final class Results {

    /** The counts of a region, of an operation, or of all requests. */
    private static final class Count {
        private long ok;
        private long refused;
        private long failed;
        private final Histogram latencyMicros = new Histogram(3);
        private final Histogram serviceMicros = new Histogram(3);

        private void add(RequestRecord request) {
            switch (request.outcome().kind()) {
                case OK -> ok++;
                case REFUSED -> refused++;
                case FAILED -> failed++;
            }
            latencyMicros.recordValue(Math.max(0, request.latencyMicros()));
            serviceMicros.recordValue(Math.max(0, request.serviceMicros()));
        }

        private long requests() {
            return ok + refused + failed;
        }

        private Map<String, Object> shown() {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("requests", requests());
            shown.put("ok", ok);
            shown.put("refused", refused);
            shown.put("failed", failed);
            shown.put("latency_ms", percentiles(latencyMicros));
            shown.put("service_ms", percentiles(serviceMicros));
            return shown;
        }
    }

    private final Map<Region, Count> regions = new LinkedHashMap<>();
    private final Map<Operation, Count> operations = new EnumMap<>(Operation.class);
    private final Map<String, Long> outcomes = new LinkedHashMap<>();
    private final Count all = new Count();
    private long warmup;

    void count(RequestRecord request) {
        if (request.warmup()) {
            warmup++;
            return;
        }
        Supplier<Count> none = Count::new;
        regions.computeIfAbsent(request.region(), region -> none.get()).add(request);
        operations.computeIfAbsent(request.operation(), operation -> none.get()).add(request);
        outcomes.merge(request.outcome().text(), 1L, Long::sum);
        all.add(request);
    }

    long requests() {
        return all.requests();
    }

    /** Returns the percentage of requests that did not fail; 100 without requests. A refusal by a rule is not a failure. */
    double successPercent() {
        return all.requests() == 0 ? 100 : 100.0 * (all.ok + all.refused) / all.requests();
    }

    /** Returns a percentile of the latency since a request was due, in milliseconds. */
    double latencyMillis(double percentile) {
        return millis(all.latencyMicros, percentile);
    }

    /** Returns all counts and latencies, for {@code summary.json}. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("warmup_requests", warmup);
        shown.put("total", all.shown());
        Map<String, Object> byRegion = new LinkedHashMap<>();
        regions.forEach((region, count) -> byRegion.put(region.name(), count.shown()));
        shown.put("regions", byRegion);
        Map<String, Object> byOperation = new LinkedHashMap<>();
        operations.forEach((operation, count) -> byOperation.put(operation.label(), count.shown()));
        shown.put("operations", byOperation);
        shown.put("outcomes", outcomes);
        return shown;
    }

    /** Returns percentiles in milliseconds of a histogram in microseconds. */
    static Map<String, Object> percentiles(Histogram micros) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("p50", millis(micros, 50));
        shown.put("p95", millis(micros, 95));
        shown.put("p99", millis(micros, 99));
        shown.put("max", micros.getMaxValue() / 1_000.0);
        return shown;
    }

    static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1_000.0;
    }
}
