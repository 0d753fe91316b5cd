package io.movr.workload;

import java.util.List;

/** The progress of a run.
 *
 * @param elapsedSeconds since measuring began
 * @param intervalSeconds since the tick before
 * @param errors failures for good since measuring began
 * @param lagMsP99 how late a thread of the runner woke up since measuring began, at the 99th percentile
 * @param operations the executed operations, in the order of their names
 */
public record Tick(double elapsedSeconds, double intervalSeconds, long errors, double lagMsP99, List<Part> operations) {

    public Tick {
        operations = List.copyOf(operations);
    }

    /** An operation, in the interval and since measuring began. */
    public record Part(OperationResult interval, OperationResult cumulative) {}
}
