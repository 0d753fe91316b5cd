package io.movr.check;

import java.util.List;

/**
 * A transaction as its client recorded it.
 *
 * @param index its unique index in the history, from 0
 * @param process the process of the client; a process runs one transaction at a time
 * @param outcome whether it took effect
 * @param operations its steps in order; if the outcome is not {@link Outcome#OK}, some reads may have no result
 * @param begin the time at which the client began it, in nanoseconds since the start of the history
 * @param end the time at which the client knew its outcome or gave up, in nanoseconds since the start of the history
 */
record Transaction(int index, int process, Outcome outcome, List<MicroOp> operations, long begin, long end) {

    /** The outcome of a transaction, with the names of Jepsen. */
    public enum Outcome {
        /** The transaction committed. */
        OK,
        /** The transaction had no effect. */
        FAIL,
        /**
         * The outcome is unknown, because the connection was lost during the commit. The transaction may take effect
         * after its end.
         */
        INFO
    }

    public Transaction {
        operations = List.copyOf(operations);
    }
}
