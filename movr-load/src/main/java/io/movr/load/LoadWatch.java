package io.movr.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * Measures whether the load generator keeps up: the delay of riders, and the CPU share of this process while requests count.
 *
 * <p>It was the bottleneck if the 99th percentile of the delay was above 50 ms, or above 10 ms and above 50% of the 99th
 * percentile of the latency; if the median delay was above 2 ms and above 10% of the median latency; or if the process took more
 * than 75% of all processors. A median delay of up to 2 ms is the resolution of Gatling's timers.
 */
final class LoadWatch {

    private static final double GRAIN_MILLIS = 2;
    private static final double MAX_SHARE_OF_MEDIAN = 0.1;
    private static final double MAX_P99_MILLIS = 50;
    private static final double MIN_P99_MILLIS = 10;
    private static final double MAX_SHARE_OF_P99 = 0.5;
    private static final double MAX_CPU_SHARE = 0.75;

    private final Histogram lagMicros = new SynchronizedHistogram(3);
    private final OperatingSystemMXBean system;
    private long beganNanos;
    private long beganCpuNanos;
    private boolean began;
    private double processShare;
    private double machineShare;

    LoadWatch() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known)) {
            throw new IllegalStateException("This Java does not report its CPU time");
        }
        system = known;
    }

    /** Records the delay of a rider whose requests count. */
    void began(long dueNanos, long nowNanos) {
        synchronized (this) {
            if (!began) {
                began = true;
                beganNanos = nowNanos;
                beganCpuNanos = system.getProcessCpuTime();
                // It answers for the time since it was last asked.
                system.getCpuLoad();
            }
        }
        lagMicros.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(nowNanos - dueNanos)));
    }

    /** Ends the measurement when the last request has been answered. */
    synchronized void end() {
        long nanos = System.nanoTime() - beganNanos;
        if (began && nanos > 0) {
            processShare =
                    (double) (system.getProcessCpuTime() - beganCpuNanos) / nanos / system.getAvailableProcessors();
            machineShare = system.getCpuLoad();
        }
    }

    /** Returns why this process was the bottleneck of a run; empty if it was not. */
    List<String> bottlenecks(double latencyMillisP50, double latencyMillisP99) {
        return bottlenecks(
                Results.millis(lagMicros, 50),
                Results.millis(lagMicros, 99),
                latencyMillisP50,
                latencyMillisP99,
                processShare);
    }

    static List<String> bottlenecks(
            double lagMillisP50,
            double lagMillisP99,
            double latencyMillisP50,
            double latencyMillisP99,
            double processShare) {
        List<String> reasons = new ArrayList<>();
        if (lagMillisP99 > MAX_P99_MILLIS
                || (lagMillisP99 > MIN_P99_MILLIS && lagMillisP99 > MAX_SHARE_OF_P99 * latencyMillisP99)) {
            reasons.add(text(
                    "one rider in a hundred began %.1f ms late or later, with a p99 latency of %.1f ms",
                    lagMillisP99, latencyMillisP99));
        }
        if (lagMillisP50 > GRAIN_MILLIS && lagMillisP50 > MAX_SHARE_OF_MEDIAN * latencyMillisP50) {
            reasons.add(text(
                    "every other rider began %.1f ms late or later, with a median latency of %.1f ms",
                    lagMillisP50, latencyMillisP50));
        }
        if (processShare > MAX_CPU_SHARE) {
            reasons.add(text("the load generator took %.0f%% of all processors", processShare * 100));
        }
        return reasons;
    }

    Map<String, Object> lagShown() {
        return Results.percentiles(lagMicros);
    }

    /** Returns the CPU share of this process among all processors, 0 to 1. */
    synchronized double processShare() {
        return processShare;
    }

    /** Returns the CPU share of all processes of the machine, 0 to 1. */
    synchronized double machineShare() {
        return machineShare;
    }

    Map<String, Object> shown(double latencyMillisP50, double latencyMillisP99) {
        List<String> reasons = bottlenecks(latencyMillisP50, latencyMillisP99);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("lag_ms", lagShown());
        shown.put("process_cpu_share", processShare());
        shown.put("machine_cpu_share", machineShare());
        shown.put("bottleneck", !reasons.isEmpty());
        shown.put("reason", String.join("; ", reasons));
        return shown;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
