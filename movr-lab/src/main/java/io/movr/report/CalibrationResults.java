package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;

/**
 * Results of the calibration of a machine and its database. Latencies are in milliseconds.
 *
 * @param tookSeconds time from the start of the command to its end
 * @param complete whether no operation failed and the rows were correct afterwards
 * @param settings settings of the workload, by option
 * @param seconds length of the measurement of YCSB B with one worker
 * @param operations figures of that measurement
 * @param expectations operations compared with the published baseline
 * @param layers layers of an operation
 * @param sweep the same workload with an increasing number of workers; empty if it was omitted
 * @param kneeConcurrency smallest number of workers that reaches 90% of the highest throughput; 0 without a sweep
 * @param cost cost of the runner
 * @param faults wrong rows after the run, a line each
 * @param notes what a reader must know to judge the results
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

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return CalibrationReport.of(this);
    }

    /**
     * An operation compared with the published baseline.
     *
     * @param operation name of the operation
     * @param perSecond successful operations per second
     * @param lowMs lower end of the range of means that is published as healthy
     * @param highMs upper end of that range
     * @param publishedPerSecond operations per second of the published machine
     * @param publishedMeanMs mean of the published machine
     * @param publishedP99Ms 99th percentile of the published machine
     * @param judgement judgement of the mean
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

            @OneOf({"better than expected", "as expected", "falls short"})
            String judgement) {}

    /**
     * A layer of an operation, measured on its own.
     *
     * @param name name of the layer
     * @param measure what was measured
     * @param samples number of samples
     * @param limitMs maximum of a healthy median: half of the published expectation for the operation
     * @param judgement judgement of the median
     * @param advice where to look if the layer falls short
     */
    public record Layer(
            @OneOf({"network", "CPU", "storage"}) String name,
            String measure,
            int samples,
            double medianMs,
            double p99Ms,
            double limitMs,
            @OneOf({"fine", "falls short", "not measured"}) String judgement,
            String advice) {}

    /**
     * The workload with one number of workers.
     *
     * @param concurrency number of workers
     * @param perSecond successful operations per second
     */
    public record Step(int concurrency, double perSecond, double meanMs, double p50Ms, double p95Ms, double p99Ms) {}
}
