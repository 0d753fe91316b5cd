package io.movr.report;

import java.util.Locale;

/** A calibration as tables for a terminal. */
public final class CalibrationTable {

    private CalibrationTable() {}

    /** The tables, lines ended. */
    public static String of(CalibrationResults results) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-12s %10s %9s %8s %8s %8s %8s   %-12s %s%n",
                "YCSB B",
                "ops/s",
                "avg, ms",
                "p50",
                "p95",
                "p99",
                "max",
                "healthy, ms",
                "judgement"));
        for (WorkloadResults.Operation operation : results.operations()) {
            CalibrationResults.Expectation expected = results.expectations().stream()
                    .filter(one -> one.operation().equals(operation.name()))
                    .findFirst()
                    .orElseThrow();
            WorkloadResults.Latency latency = operation.response();
            text.append(String.format(
                    Locale.ROOT,
                    "%-12s %10.1f %9.2f %8.2f %8.2f %8.2f %8.2f   %-12s %s%n",
                    operation.name(),
                    operation.perSecond(),
                    latency.meanMs(),
                    latency.p50Ms(),
                    latency.p95Ms(),
                    latency.p99Ms(),
                    latency.maxMs(),
                    String.format(Locale.ROOT, "%.0f to %.0f", expected.lowMs(), expected.highMs()),
                    expected.judgement()));
            text.append(String.format(
                    Locale.ROOT,
                    "%-12s %10.1f %9.2f %8s %8s %8.2f%n",
                    "  published",
                    expected.publishedPerSecond(),
                    expected.publishedMeanMs(),
                    "",
                    "",
                    expected.publishedP99Ms()));
        }
        text.append(System.lineSeparator());
        for (CalibrationResults.Layer layer : results.layers()) {
            text.append(
                    layer.samples() == 0
                            ? String.format("%-8s %s: %s%n", layer.name(), layer.measure(), layer.judgement())
                            : String.format(
                                    Locale.ROOT,
                                    "%-8s %s: median %.3f ms, p99 %.3f ms, at most %.1f: %s%n",
                                    layer.name(),
                                    layer.measure(),
                                    layer.medianMs(),
                                    layer.p99Ms(),
                                    layer.limitMs(),
                                    layer.judgement()));
            if (!layer.judgement().equals("fine")) {
                text.append("         ").append(layer.advice()).append(System.lineSeparator());
            }
        }
        if (!results.sweep().isEmpty()) {
            text.append(
                    String.format("%n%-8s %10s %9s %8s %8s %8s%n", "workers", "ops/s", "avg, ms", "p50", "p95", "p99"));
            for (CalibrationResults.Step step : results.sweep()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-8d %10.1f %9.2f %8.2f %8.2f %8.2f%s%n",
                        step.concurrency(),
                        step.perSecond(),
                        step.meanMs(),
                        step.p50Ms(),
                        step.p95Ms(),
                        step.p99Ms(),
                        step.concurrency() == results.kneeConcurrency() ? "   the knee" : ""));
            }
        }
        results.faults()
                .forEach(fault -> text.append("! Wrong rows: ").append(fault).append(System.lineSeparator()));
        if (results.cost().bottleneck() != null) {
            text.append("! This run measured the runner: ")
                    .append(results.cost().bottleneck())
                    .append(System.lineSeparator());
        }
        results.notes().forEach(note -> text.append(note).append(System.lineSeparator()));
        return text.toString();
    }
}
