package io.movr.report;

import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Results of a comparison of calibrations: the content of its {@code comparison.json}. Latencies are in milliseconds.
 *
 * @param schemaVersion version of the format; it increases with each change that is not backward compatible
 * @param kind {@code calibrations}
 * @param createdAt time of the comparison in UTC, ISO 8601
 * @param command words of the command line
 * @param systems systems in the order of the command line, the published baseline last
 * @param facts where and how each system was measured
 * @param healthy means that are published as healthy, one per operation
 * @param warnings why some numbers may mislead, a sentence each
 * @param notes what a reader must know to judge the results, a sentence each
 */
public record CalibrationComparisonResults(
        int schemaVersion,
        String kind,
        String createdAt,
        List<String> command,
        List<Calibrated> systems,
        List<Fact> facts,
        List<Healthy> healthy,
        List<String> warnings,
        List<String> notes) {

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * A calibrated system.
     *
     * @param name unique short name
     * @param source bundle of the calibration; for the published baseline, its publication
     * @param published whether this is the published baseline, which contains only some figures of its operations
     * @param operations operations with one worker
     * @param layers layers of an operation
     * @param sweep the same workload with an increasing number of workers; empty if it was omitted
     * @param kneeConcurrency smallest number of workers that reaches 90% of the highest throughput; 0 without a sweep
     */
    public record Calibrated(
            String name,
            String source,
            boolean published,
            List<Operation> operations,
            List<Layer> layers,
            List<Step> sweep,
            int kneeConcurrency) {

        /** Returns the operation of the given name. */
        Operation operation(String name) {
            return operations.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * An operation with one worker. A figure is {@code null} if it was not published.
     *
     * @param name name of the operation
     * @param perSecond successful operations per second
     * @param judgement judgement of the mean
     */
    public record Operation(
            @OneOf({"read", "update"}) String name,
            double perSecond,
            double meanMs,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            double p99Ms,
            @Nullable Double maxMs,

            @OneOf({"better than expected", "as expected", "falls short"})
            String judgement) {}

    /**
     * A fact about where and how the systems were measured.
     *
     * @param what name of the fact
     * @param values one value per system, in their order; empty if a system does not report it
     */
    public record Fact(String what, List<String> values) {

        /** Returns whether all systems that report the fact have the same value. */
        public boolean alike() {
            return values.stream().filter(value -> !value.isEmpty()).distinct().count() < 2;
        }
    }

    /**
     * The range of mean latencies that is published as healthy.
     *
     * @param operation name of the operation
     * @param lowMs lower end
     * @param highMs upper end
     */
    public record Healthy(@OneOf({"read", "update"}) String operation, double lowMs, double highMs) {

        /** Returns the range as text, such as {@code 1 to 2 ms}. */
        String range() {
            return String.format(Locale.ROOT, "%.0f to %.0f ms", lowMs, highMs);
        }
    }
}
