package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of a run of the benchmarks. The measurements are in the same bundle in JMH's format: {@code jmh.json}, and
 * in {@code control.json} the second measurement of one stage of every call.
 *
 * @param tookSeconds time from the start of the command to its end
 * @param preset name of the preset for the lengths of the measurement
 * @param baselineStage stage with which the others are compared
 * @param rounds number of times that everything was measured in a new virtual machine
 * @param pinning separation of server and benchmark
 * @param dataset the measured rows
 * @param failures what was not measured and why, a line each
 */
public record BenchResults(
        int schemaVersion,
        String kind,
        String startedAt,
        double tookSeconds,
        List<String> command,
        boolean complete,
        String preset,
        String baselineStage,
        int rounds,
        Pinning pinning,
        Environment environment,
        LabResults.Dataset dataset,
        List<String> failures)
        implements RunResults {

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public @Nullable Report report() {
        return null;
    }

    /**
     * The measures against interference between server and benchmark.
     *
     * @param done measures that were taken, a sentence each
     * @param notDone measures that were not possible and why, a sentence each
     */
    public record Pinning(List<String> done, List<String> notDone) {}
}
