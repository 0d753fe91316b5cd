package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;

/**
 * How fast a machine and its database are: what {@code results.json} of a calibration holds. Latencies are in
 * milliseconds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code calibration}
 * @param startedAt time in UTC, ISO 8601
 * @param tookSeconds from the start of the command to its end
 * @param command the words of the command line
 * @param complete whether no operation failed and the rows were right afterwards
 * @param settings of the workload
 * @param seconds that YCSB B was measured with one worker
 * @param operations of that run
 * @param sweep the same workload with more and more workers
 * @param kneeConcurrency the fewest workers that reach nine tenths of the highest throughput; 0 without a sweep
 * @param notes what a reader must know to judge it
 */
public record CalibrationResults(
        int schemaVersion,
        String kind,
        String startedAt,
        double tookSeconds,
        List<String> command,
        boolean complete,
        Environment environment,
        Map<String, String> settings,
        double seconds,
        List<WorkloadResults.Operation> operations,
        List<Expectation> expectations,
        List<Layer> layers,
        List<Step> sweep,
        int kneeConcurrency,
        WorkloadResults.Cost cost,
        List<String> faults,
        List<String> notes)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return CalibrationReport.of(this);
    }

    /**
     * An operation beside what was published.
     *
     * @param lowMs least mean that was called healthy
     * @param highMs most mean that was called healthy
     * @param publishedPerSecond of the published machine
     * @param judgement {@code better than expected}, {@code as expected} or {@code falls short}
     */
    public record Expectation(
            String operation,
            double perSecond,
            double meanMs,
            double p99Ms,
            double lowMs,
            double highMs,
            double publishedPerSecond,
            double publishedMeanMs,
            double publishedP99Ms,
            String judgement) {}

    /**
     * What an operation is made of, measured by itself.
     *
     * @param measure what was measured
     * @param limitMs most that the median may take, half of what the published expectation allows to the operation
     * @param judgement {@code fine}, {@code falls short} or {@code not measured}
     * @param advice where to look when it falls short
     */
    public record Layer(
            String name,
            String measure,
            int samples,
            double medianMs,
            double p99Ms,
            double limitMs,
            String judgement,
            String advice) {}

    /** The workload with a number of workers. */
    public record Step(int concurrency, double perSecond, double meanMs, double p50Ms, double p95Ms, double p99Ms) {}
}
