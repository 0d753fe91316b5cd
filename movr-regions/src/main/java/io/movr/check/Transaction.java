package io.movr.check;

import java.util.List;

/**
 * A transaction as the client saw it.
 *
 * @param index its place in the history, from 0; unique
 * @param process the client's thread; one process has one transaction at a time
 * @param outcome whether it took effect
 * @param operations its steps in their order; of one that did not end {@link Outcome#OK}, with the answers that arrived
 * @param begin nanoseconds from the start of the history until the client began it
 * @param end nanoseconds from the start of the history until the client knew its outcome, or gave up waiting
 */
record Transaction(int index, int process, Outcome outcome, List<MicroOp> operations, long begin, long end) {

    /** Whether a transaction took effect, as Jepsen's histories name it. */
    public enum Outcome {
        /** It took effect. */
        OK,
        /** It took no effect. */
        FAIL,
        /** Nobody knows: the connection was lost while it was being committed. It may also take effect after its end. */
        INFO
    }

    public Transaction {
        operations = List.copyOf(operations);
    }
}
