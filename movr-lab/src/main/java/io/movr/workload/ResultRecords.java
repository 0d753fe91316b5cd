package io.movr.workload;

import io.movr.report.Environment;
import io.movr.report.WorkloadResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Converts a run to the records of {@code results.json}; as a listener it records the run's time series. */
public final class ResultRecords implements RunListener {

    private static final int MAX_POINTS = 20_000;

    private final List<WorkloadResults.Point> timeline = new ArrayList<>();

    @Override
    public void tick(Tick tick) {
        for (Tick.Part part : tick.operations()) {
            // The series of a run of days is bounded; the log of histograms has all of it.
            if (timeline.size() < MAX_POINTS) {
                OperationResult interval = part.interval();
                timeline.add(new WorkloadResults.Point(
                        tick.elapsedSeconds(),
                        interval.name(),
                        interval.count() / tick.intervalSeconds(),
                        interval.quantileMs(0.5),
                        interval.quantileMs(0.95),
                        interval.quantileMs(0.99),
                        interval.quantileMs(1)));
            }
        }
    }

    /**
     * Makes the results of a run.
     *
     * @param settings what decides the workload, by the names of the options
     * @param faults the faults of the rows after the run
     */
    public WorkloadResults results(
            RunResult result,
            List<String> command,
            Environment environment,
            Map<String, String> settings,
            List<String> faults) {
        RunnerCost cost = result.cost();
        return new WorkloadResults(
                WorkloadResults.SCHEMA_VERSION,
                "workload",
                result.startedAt().toString(),
                command,
                result.succeeded() && faults.isEmpty(),
                environment,
                result.workload(),
                settings,
                result.seconds(),
                result.operations().stream()
                        .map(operation -> operation(operation, result.seconds()))
                        .toList(),
                operation(result.total(), result.seconds()),
                result.overdue(),
                faults,
                new WorkloadResults.Cost(
                        cost.processorShare(),
                        cost.ownShare(),
                        cost.lagMsP99(),
                        cost.collectionSeconds(),
                        cost.bottleneck().orElse(null)),
                List.copyOf(timeline));
    }

    /** Returns an operation as a record of {@code results.json}. */
    public static WorkloadResults.Operation operation(OperationResult operation, double seconds) {
        return new WorkloadResults.Operation(
                operation.name(),
                operation.count(),
                operation.count() / seconds,
                Map.copyOf(operation.failures()),
                Map.copyOf(operation.retries()),
                latency(operation.responseNanos()),
                latency(operation.serviceNanos()),
                latency(operation.failedNanos()));
    }

    private static WorkloadResults.Latency latency(Histogram nanos) {
        return new WorkloadResults.Latency(
                nanos.getTotalCount() == 0 ? 0 : nanos.getMean() / 1e6,
                OperationResult.milliseconds(nanos, 0.5),
                OperationResult.milliseconds(nanos, 0.95),
                OperationResult.milliseconds(nanos, 0.99),
                OperationResult.milliseconds(nanos, 0.999),
                OperationResult.milliseconds(nanos, 1));
    }
}
