package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the benchmarks was: {@code results.json} of its bundle. The measurements themselves are beside it in
 * JMH's own format, {@code jmh.json}; {@code control.json} holds a stage of every call measured a second time.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code bench}
 * @param startedAt time in UTC, ISO 8601
 * @param tookSeconds from the start of the command to its end
 * @param command the words of the command line
 * @param complete whether everything that was asked for was measured and passed its checks
 * @param preset name of the preset that said how long to measure
 * @param baselineStage the stage that others are compared with
 * @param rounds how often everything was measured in a virtual machine of its own
 * @param pinning what was done to keep server and benchmark apart
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

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public @Nullable Report report() {
        return null;
    }

    /**
     * What keeps server and benchmark from disturbing each other.
     *
     * @param done what was done, a sentence each
     * @param notDone what could not be done and why, a sentence each
     */
    public record Pinning(List<String> done, List<String> notDone) {}
}
