package io.movr.workload;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a run.
 *
 * @param workload its name
 * @param seconds that were measured
 * @param operations the executed operations, in the order of their names
 * @param overdue operations that were due before the end and had not been sent by then: the database, or the number of
 *     workers, did not keep up with the rate
 * @param firstFailure the message of the first operation that failed for good
 * @param stopped whether it was stopped before its time
 */
public record RunResult(
        String workload,
        RunPlan plan,
        Instant startedAt,
        double seconds,
        List<OperationResult> operations,
        long overdue,
        @Nullable String firstFailure,
        boolean stopped,
        RunnerCost cost) {

    public RunResult {
        operations = List.copyOf(operations);
    }

    /** Returns all operations together. */
    public OperationResult total() {
        OperationResult total = OperationResult.none("");
        operations.forEach(total::add);
        return total;
    }

    /** Returns one operation, if it was executed. */
    public Optional<OperationResult> operation(String name) {
        return operations.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** Returns the successful operations a second. */
    public double perSecond() {
        return perSecond(total());
    }

    /** Returns the same of one operation. */
    public double perSecond(OperationResult operation) {
        return seconds > 0 ? operation.count() / seconds : 0;
    }

    /** Returns whether the run was completed: a failed operation ends a run that does not tolerate failures. */
    public boolean succeeded() {
        return firstFailure == null || plan.tolerateErrors();
    }
}
