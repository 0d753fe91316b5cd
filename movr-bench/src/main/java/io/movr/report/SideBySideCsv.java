package io.movr.report;

import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.SideBySideResults.Calibrated;
import io.movr.report.SideBySideResults.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A comparison of calibrations for spreadsheets and scripts: one line a figure, with full precision. */
public final class SideBySideCsv {

    private final CsvLines text = new CsvLines();

    private SideBySideCsv() {}

    /**
     * The lines, the names of the columns first. A part is an operation with one worker, a layer, or a number of workers of
     * the sweep. What was not measured or published has no line.
     */
    public static String of(SideBySideResults results) {
        SideBySideCsv csv = new SideBySideCsv();
        csv.text.line(List.of("system", "published", "part", "name", "metric", "unit", "value"));
        results.systems().forEach(csv::add);
        return csv.text.toString();
    }

    private void add(Calibrated system) {
        for (Operation operation : system.operations()) {
            String name = operation.name();
            add(system, "operation", name, "throughput", "ops/s", operation.perSecond());
            add(system, "operation", name, "avg", "ms", operation.meanMs());
            add(system, "operation", name, "p50", "ms", operation.p50Ms());
            add(system, "operation", name, "p95", "ms", operation.p95Ms());
            add(system, "operation", name, "p99", "ms", operation.p99Ms());
            add(system, "operation", name, "max", "ms", operation.maxMs());
        }
        for (Layer layer : system.layers()) {
            if (layer.samples() > 0) {
                add(system, "layer", layer.name(), "p50", "ms", layer.medianMs());
                add(system, "layer", layer.name(), "p99", "ms", layer.p99Ms());
            }
        }
        for (Step step : system.sweep()) {
            String workers = Integer.toString(step.concurrency());
            add(system, "workers", workers, "throughput", "ops/s", step.perSecond());
            add(system, "workers", workers, "avg", "ms", step.meanMs());
            add(system, "workers", workers, "p50", "ms", step.p50Ms());
            add(system, "workers", workers, "p95", "ms", step.p95Ms());
            add(system, "workers", workers, "p99", "ms", step.p99Ms());
        }
        if (system.kneeConcurrency() > 0) {
            add(system, "knee", "", "concurrency", "workers", (double) system.kneeConcurrency());
        }
    }

    private void add(Calibrated system, String part, String name, String metric, String unit, @Nullable Double value) {
        if (value != null) {
            text.line(List.of(
                    system.name(),
                    Boolean.toString(system.published()),
                    part,
                    name,
                    metric,
                    unit,
                    Double.toString(value)));
        }
    }
}
