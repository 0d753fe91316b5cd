package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a workload found: what {@code results.json} of such a run holds. Latencies are in milliseconds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code workload}
 * @param startedAt when measuring began, in UTC, ISO 8601
 * @param command the words of the command line
 * @param complete whether no operation failed that was not to, and the rows were right afterwards
 * @param workload its name, such as {@code ycsb-b}
 * @param settings what decides it, by the names of the options
 * @param seconds that were measured
 * @param overdue operations that were due and never sent
 * @param faults what was wrong with the rows afterwards
 * @param timeline each operation at each tick
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

    /** The version of the format that this program writes. */
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
     * An operation, or all of them.
     *
     * @param name empty for all
     * @param count that succeeded
     * @param failures that failed for good, by cause
     * @param retries attempts made again, by cause
     * @param response from when each was due
     * @param service from when each was sent
     * @param failed from when those were due that failed for good
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

    /** A distribution of latencies in milliseconds; zeros where there were none. */
    public record Latency(double meanMs, double p50Ms, double p95Ms, double p99Ms, double p999Ms, double maxMs) {}

    /**
     * What the runner itself cost.
     *
     * @param processorShare of all cores, 0 to 1
     * @param ownShare of the workers' time that passed in the runner, 0 to 1
     * @param lagMsP99 how late its threads woke up
     * @param bottleneck why it was the bottleneck, where it was
     */
    public record Cost(
            double processorShare,
            double ownShare,
            double lagMsP99,
            double collectionSeconds,
            @Nullable String bottleneck) {}

    /** An operation in the interval that ended at a time. */
    public record Point(
            double seconds,
            String operation,
            double perSecond,
            double p50Ms,
            double p95Ms,
            double p99Ms,
            double maxMs) {}
}
