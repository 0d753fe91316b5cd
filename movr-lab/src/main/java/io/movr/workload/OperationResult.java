package io.movr.workload;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The result of one operation, or of all operations together.
 *
 * @param name of the operation; empty for all together
 * @param responseNanos the response times of successful operations, from the due time of each, including retries
 * @param serviceNanos their service times, from when each was sent; without a rate the two are equal
 * @param failedNanos the times of finally failed operations, from the due time of each
 * @param failures the number of finally failed operations, by cause
 * @param retries the number of retries, by cause
 */
public record OperationResult(
        String name,
        Histogram responseNanos,
        Histogram serviceNanos,
        Histogram failedNanos,
        Map<String, Long> failures,
        Map<String, Long> retries) {

    /** Significant digits of the histograms. */
    static final int DIGITS = 3;

    private static final double NANOS_PER_MILLISECOND = 1e6;

    static OperationResult none(String name) {
        return new OperationResult(
                name,
                new Histogram(DIGITS),
                new Histogram(DIGITS),
                new Histogram(DIGITS),
                new TreeMap<>(),
                new TreeMap<>());
    }

    /** Returns how many succeeded. */
    public long count() {
        return responseNanos.getTotalCount();
    }

    /** Returns how many finally failed. */
    public long errors() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    public double meanMs() {
        return count() == 0 ? 0 : responseNanos.getMean() / NANOS_PER_MILLISECOND;
    }

    /** Returns a response time that this share of operations did not exceed, from 0 to 1. */
    public double quantileMs(double share) {
        return milliseconds(responseNanos, share);
    }

    /** Returns the same for service times. */
    public double serviceQuantileMs(double share) {
        return milliseconds(serviceNanos, share);
    }

    static double milliseconds(Histogram nanos, double share) {
        return nanos.getTotalCount() == 0
                ? 0
                : Math.min(nanos.getValueAtPercentile(100 * share), nanos.getMaxValue()) / NANOS_PER_MILLISECOND;
    }

    void add(OperationResult other) {
        responseNanos.add(other.responseNanos);
        serviceNanos.add(other.serviceNanos);
        failedNanos.add(other.failedNanos);
        other.failures.forEach((cause, count) -> failures.merge(cause, count, Long::sum));
        other.retries.forEach((cause, count) -> retries.merge(cause, count, Long::sum));
    }
}
