package io.movr.benchmarks;

import io.movr.sender.Latencies;
import io.movr.stats.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a steady load. The load was held if no request failed, p99 of the last part is within 20% of the first, and
 * the medians of live heap and resident set are at most 10% larger in the last part than in the first.
 *
 * @param reasons against it; empty if the load was held
 */
record SoakVerdict(Part first, Part last, List<String> reasons) {

    /**
     * The requests that were due in a part of the run, and the service at its end. A failed request counts as slower
     * than all answered ones; a percentile that it reaches is infinite.
     *
     * @param endSeconds since the start of the steady load
     * @param answered successful arrivals
     * @param failures failed arrivals by reason
     * @param liveHeapBytes of the heap after a full garbage collection
     * @param residentBytes of the process; {@code null} if the system does not report it
     * @param threads of the process
     * @param openFiles descriptors of the process
     */
    record Window(
            double endSeconds,
            long answered,
            Map<String, Long> failures,
            double p50Ms,
            double p99Ms,
            double maxMs,
            long liveHeapBytes,
            @Nullable Long residentBytes,
            int threads,
            int openFiles) {

        /** Returns the window with all its results. */
        static Window of(int number, Duration length, Latencies latencies, ServiceGauges gauges) {
            return new Window(
                    (number + 1) * length.toMillis() / 1e3,
                    latencies.answered(),
                    latencies.failures(),
                    latencies.percentileOfAllMs(50),
                    latencies.percentileOfAllMs(99),
                    latencies.percentileOfAllMs(100),
                    gauges.liveHeapBytes(),
                    gauges.residentBytes(),
                    gauges.threads(),
                    gauges.openFiles());
        }

        /** Returns the number of failed arrivals. */
        long errors() {
            return failures.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * The sum of several windows.
     *
     * @param windows their number
     * @param perSecond successful arrivals
     * @param liveHeapBytes the median of the windows
     * @param residentBytes the median of the windows; {@code null} if the system does not report it
     */
    record Part(
            int windows,
            double perSecond,
            long errors,
            double p50Ms,
            double p99Ms,
            double maxMs,
            double liveHeapBytes,
            @Nullable Double residentBytes) {}

    static final double P99_TOLERANCE = 0.2;
    static final double MEMORY_TOLERANCE = 0.1;
    private static final double MEBIBYTE = 1_048_576;

    /**
     * Compares the first and the last windows.
     *
     * @param windows in the order of time
     * @param latencies of each window
     * @param compared the number of windows in a part
     */
    static SoakVerdict of(List<Window> windows, List<Latencies> latencies, Duration window, int compared) {
        Part first = part(windows.subList(0, compared), latencies.subList(0, compared), window);
        int from = windows.size() - compared;
        Part last = part(windows.subList(from, windows.size()), latencies.subList(from, windows.size()), window);
        List<String> reasons = new ArrayList<>();
        long errors = windows.stream().mapToLong(Window::errors).sum();
        if (errors > 0) {
            String why = windows.stream()
                    .flatMap(one -> one.failures().keySet().stream())
                    .distinct()
                    .collect(Collectors.joining("; "));
            reasons.add(text("%,d requests failed (%s)", errors, why));
        }
        double change = last.p99Ms() / first.p99Ms() - 1;
        // A percentile of failed requests is infinite; the failures are reported above.
        if (Double.isFinite(change) && Math.abs(change) > P99_TOLERANCE) {
            reasons.add(text(
                    "p99 went from %.2f to %.2f ms (%+.0f%%), more than %.0f%%",
                    first.p99Ms(), last.p99Ms(), 100 * change, 100 * P99_TOLERANCE));
        }
        grown("the live heap", first.liveHeapBytes(), last.liveHeapBytes(), reasons);
        Double firstResident = first.residentBytes();
        Double lastResident = last.residentBytes();
        if (firstResident != null && lastResident != null) {
            grown("the resident set", firstResident, lastResident, reasons);
        }
        return new SoakVerdict(first, last, reasons);
    }

    /** Whether the load was held. */
    boolean held() {
        return reasons.isEmpty();
    }

    private static void grown(String what, double first, double last, List<String> reasons) {
        double change = last / first - 1;
        if (change > MEMORY_TOLERANCE) {
            reasons.add(text(
                    "%s grew from %.0f to %.0f MiB (%+.0f%%), more than %.0f%%",
                    what, first / MEBIBYTE, last / MEBIBYTE, 100 * change, 100 * MEMORY_TOLERANCE));
        }
    }

    private static Part part(List<Window> windows, List<Latencies> latencies, Duration window) {
        Latencies all = new Latencies(3);
        latencies.forEach(all::addAll);
        boolean known = windows.stream().allMatch(one -> one.residentBytes() != null);
        return new Part(
                windows.size(),
                windows.stream().mapToLong(Window::answered).sum() / (windows.size() * window.toMillis() / 1e3),
                windows.stream().mapToLong(Window::errors).sum(),
                all.percentileOfAllMs(50),
                all.percentileOfAllMs(99),
                all.percentileOfAllMs(100),
                median(windows, Window::liveHeapBytes),
                known ? median(windows, one -> one.residentBytes()) : null);
    }

    private static double median(List<Window> windows, ToDoubleFunction<Window> value) {
        return Summary.of(windows.stream().mapToDouble(value).toArray()).median();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
