package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of a run of a workload. Latencies are in milliseconds.
 *
 * @param complete whether no operation failed unexpectedly and the rows were correct afterwards
 * @param workload name of the workload, such as {@code ycsb-b}
 * @param settings settings of the workload, by option
 * @param seconds length of the measurement
 * @param operations figures by operation
 * @param total figures of all operations together
 * @param overdue operations that were due and never sent
 * @param faults wrong rows after the run, a line each
 * @param cost cost of the runner
 * @param timeline figures by operation and tick
 */
public record WorkloadResults(
        int schemaVersion,
        String kind,
        String startedAt,
        List<String> command,
        boolean complete,
        Environment environment,
        String workload,
        Map<String, String> settings,
        double seconds,
        List<Operation> operations,
        Operation total,
        long overdue,
        List<String> faults,
        Cost cost,
        List<Point> timeline)
        implements RunResults {

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return WorkloadReport.of(this);
    }

    @Override
    public String title() {
        return "MovR " + workload + ", " + startedAt;
    }

    /**
     * One operation of a workload, or all operations together.
     *
     * @param name name of the operation; empty for all together
     * @param count successful operations
     * @param perSecond successful operations per second
     * @param failures operations that finally failed, by cause
     * @param retries repeated attempts, by cause
     * @param response latency from the due time
     * @param service latency from the sending
     * @param failed latency of the operations that finally failed, from the due time
     */
    public record Operation(
            String name,
            long count,
            double perSecond,
            Map<String, Long> failures,
            Map<String, Long> retries,
            Latency response,
            Latency service,
            Latency failed) {}

    /** A distribution of latencies in milliseconds; zeros if it is empty. */
    public record Latency(double meanMs, double p50Ms, double p95Ms, double p99Ms, double p999Ms, double maxMs) {}

    /**
     * The cost of the runner itself.
     *
     * @param processorShare share of the time of all processors, 0 to 1
     * @param ownShare share of the workers' time that passed in the runner, 0 to 1
     * @param lagMsP99 99th percentile of the delay with which the runner's threads woke up
     * @param collectionSeconds time of garbage collection
     * @param bottleneck why the runner was the bottleneck; {@code null} if it was not
     */
    public record Cost(
            double processorShare,
            double ownShare,
            double lagMsP99,
            double collectionSeconds,
            @Nullable String bottleneck) {}

    /**
     * Figures of an operation in the interval that ends at a point of time.
     *
     * @param seconds end of the interval, from the start of the measurement
     * @param operation name of the operation
     * @param perSecond successful operations per second
     */
    public record Point(
            double seconds,
            String operation,
            double perSecond,
            double p50Ms,
            double p95Ms,
            double p99Ms,
            double maxMs) {}
}
