package io.movr.sender;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of requests in an HdrHistogram of microseconds, and the number of failed requests by reason.
 * Instances are thread-safe.
 */
public final class Latencies {

    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Histogram micros;
    private final Map<String, Long> failures = new TreeMap<>();

    /** @param digits the number of significant digits: 2 for values within 1%, 3 for values within 0.1% */
    public Latencies(int digits) {
        micros = new Histogram(digits);
    }

    /**
     * Adds a request that has ended.
     *
     * @param nanos the time since it was due; more than 10 minutes count as 10 minutes
     * @param failure the reason why it failed; empty if it succeeded
     */
    public synchronized void add(long nanos, String failure) {
        if (failure.isEmpty()) {
            micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(Math.max(0, nanos))));
        } else {
            failures.merge(failure, 1L, Long::sum);
        }
    }

    /** Adds all requests of another instance. */
    public synchronized void addAll(Latencies other) {
        synchronized (other) {
            micros.add(other.micros);
            other.failures.forEach((reason, count) -> failures.merge(reason, count, Long::sum));
        }
    }

    /** Returns the number of successful requests. */
    public synchronized long answered() {
        return micros.getTotalCount();
    }

    /** Returns the number of requests that failed. */
    public synchronized long errors() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of failed requests by reason. */
    public synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    /** Returns a percentile of the answered requests in milliseconds, {@code null} if there are none. */
    public synchronized @Nullable Double percentileMs(double percentile) {
        return answered() == 0 ? null : Double.valueOf(micros.getValueAtPercentile(percentile) / 1e3);
    }

    /**
     * Returns a percentile of all requests in milliseconds. A failed request counts as slower than every successful
     * one, so that failures never improve a percentile: the value is infinite if the percentile falls on a failed
     * request.
     */
    public synchronized double percentileOfAllMs(double percentile) {
        long answered = answered();
        double ofAnswered = answered == 0 ? Double.POSITIVE_INFINITY : percentile * (answered + errors()) / answered;
        return ofAnswered > 100 ? Double.POSITIVE_INFINITY : micros.getValueAtPercentile(ofAnswered) / 1e3;
    }

    /** Returns the mean of the answered requests in milliseconds; 0 if there are none. */
    public synchronized double meanMs() {
        return micros.getMean() / 1e3;
    }

    /** Returns the number of requests that were answered within a time. */
    public synchronized long answeredWithin(double ms) {
        return answered() == 0 ? 0 : micros.getCountBetweenValues(0, (long) (ms * 1e3));
    }

    /** Returns the number of answered requests by latency in microseconds, rounded to the significant digits. */
    public synchronized SortedMap<Long, Long> countsByMicros() {
        SortedMap<Long, Long> counts = new TreeMap<>();
        for (HistogramIterationValue value : micros.recordedValues()) {
            counts.put(
                    micros.medianEquivalentValue(value.getValueIteratedTo()), value.getCountAddedInThisIterationStep());
        }
        return counts;
    }
}
