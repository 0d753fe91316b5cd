package io.movr.report;

import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the calibrations of several systems: what {@code comparison.json} of such a comparison holds, as
 * {@code docs/calibrations.schema.json} describes it. Latencies are in milliseconds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code calibrations}
 * @param createdAt time in UTC, ISO 8601
 * @param command the words of the command line
 * @param systems as they were named, the published one last
 * @param facts where and how each was measured
 * @param healthy the means that were published as healthy, one an operation
 * @param warnings why some numbers may mislead, in sentences
 * @param notes what a reader must know of the rest to judge it, in sentences
 */
public record SideBySideResults(
        int schemaVersion,
        String kind,
        String createdAt,
        List<String> command,
        List<Calibrated> systems,
        List<Fact> facts,
        List<Healthy> healthy,
        List<String> warnings,
        List<String> notes) {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * A system that was calibrated.
     *
     * @param name short, no two alike
     * @param source the bundle that it was read from; of the published one, what was published of it
     * @param published whether it is the published one, of which nothing is known but some figures of its operations
     * @param sweep the same workload with more and more workers; empty where that was left out
     * @param kneeConcurrency the fewest workers that reach nine tenths of the highest throughput; 0 without a sweep
     */
    public record Calibrated(
            String name,
            String source,
            boolean published,
            List<Operation> operations,
            List<Layer> layers,
            List<Step> sweep,
            int kneeConcurrency) {

        /** One of its operations, by name. */
        Operation operation(String name) {
            return operations.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * An operation with one worker; a figure that was not published is {@code null}.
     *
     * @param name {@code read} or {@code update}
     * @param judgement of the mean: {@code better than expected}, {@code as expected} or {@code falls short}
     */
    public record Operation(
            String name,
            double perSecond,
            double meanMs,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            double p99Ms,
            @Nullable Double maxMs,
            String judgement) {}

    /**
     * Something that is known of where and how the systems were measured.
     *
     * @param values one a system, in their order; empty where a system does not tell
     */
    public record Fact(String what, List<String> values) {

        /** Whether all that tell it tell the same. */
        public boolean alike() {
            return values.stream().filter(value -> !value.isEmpty()).distinct().count() < 2;
        }
    }

    /**
     * The mean latency that was published as healthy.
     *
     * @param operation {@code read} or {@code update}
     */
    public record Healthy(String operation, double lowMs, double highMs) {

        /** Such as {@code 1 to 2 ms}. */
        String range() {
            return String.format(Locale.ROOT, "%.0f to %.0f ms", lowMs, highMs);
        }
    }
}
