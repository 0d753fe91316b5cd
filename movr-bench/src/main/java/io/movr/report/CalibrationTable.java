package io.movr.report;

import java.util.Locale;

/** A calibration as tables for a terminal. */
public final class CalibrationTable {

    private CalibrationTable() {}

    /** The tables, lines ended. */
    public static String of(CalibrationResults results) {
        TextTable operations = new TextTable("lrrrrrrll")
                .row("YCSB B", "ops/s", "avg, ms", "p50", "p95", "p99", "max", "healthy, ms", "judgement");
        for (WorkloadResults.Operation operation : results.operations()) {
            CalibrationResults.Expectation expected = results.expectations().stream()
                    .filter(one -> one.operation().equals(operation.name()))
                    .findFirst()
                    .orElseThrow();
            WorkloadResults.Latency latency = operation.response();
            operations.row(
                    operation.name(),
                    TextTable.number(1, operation.perSecond()),
                    TextTable.number(2, latency.meanMs()),
                    TextTable.number(2, latency.p50Ms()),
                    TextTable.number(2, latency.p95Ms()),
                    TextTable.number(2, latency.p99Ms()),
                    TextTable.number(2, latency.maxMs()),
                    TextTable.number(0, expected.lowMs()) + " to " + TextTable.number(0, expected.highMs()),
                    expected.judgement());
            operations.row(
                    "  published",
                    TextTable.number(1, expected.publishedPerSecond()),
                    TextTable.number(2, expected.publishedMeanMs()),
                    "",
                    "",
                    TextTable.number(2, expected.publishedP99Ms()));
        }
        StringBuilder text = new StringBuilder(operations.toString());
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
            TextTable sweep = new TextTable("rrrrrrl").row("workers", "ops/s", "avg, ms", "p50", "p95", "p99");
            for (CalibrationResults.Step step : results.sweep()) {
                sweep.row(
                        Integer.toString(step.concurrency()),
                        TextTable.number(1, step.perSecond()),
                        TextTable.number(2, step.meanMs()),
                        TextTable.number(2, step.p50Ms()),
                        TextTable.number(2, step.p95Ms()),
                        TextTable.number(2, step.p99Ms()),
                        step.concurrency() == results.kneeConcurrency() ? "the knee" : "");
            }
            text.append(System.lineSeparator()).append(sweep);
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
