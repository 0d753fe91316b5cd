package io.movr.benchmarks;

import io.movr.benchmarks.SoakVerdict.Window;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The latencies of the requests that were due in one window. */
final class WindowLatency {

    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private final Map<String, Long> failures = new TreeMap<>();

    /** Counts a request; one that failed is slower than all that were answered. */
    synchronized void add(long latencyMicros, @Nullable String failure) {
        if (failure == null) {
            micros.recordValue(Math.min(latencyMicros, HIGHEST_MICROS));
        } else {
            failures.merge(failure, 1L, Long::sum);
            micros.recordValue(HIGHEST_MICROS);
        }
    }

    synchronized void addTo(Histogram all) {
        all.add(micros);
    }

    /** What is known of it by now. */
    synchronized Window window(int number, Duration length, ServiceGauges gauges) {
        long errors = failures.values().stream().mapToLong(Long::longValue).sum();
        return new Window(
                (number + 1) * length.toMillis() / 1e3,
                micros.getTotalCount() - errors,
                Map.copyOf(failures),
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3,
                gauges.liveHeapBytes(),
                gauges.residentBytes(),
                gauges.threads(),
                gauges.openFiles());
    }
}
