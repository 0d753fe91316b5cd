package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The storage of the lists, and its clients. */
interface ListStore {

    /** The time limit of reading all final lists. */
    Duration FINAL_READ_LIMIT = Duration.ofMinutes(2);

    /** Counts failures, including retried ones. */
    interface FailureCounter {

        /**
         * Counts a failure.
         *
         * @param cause the cause in a word or two
         * @param message the message of the failure
         */
        void count(String cause, String message);
    }

    /**
     * The outcome of a transaction.
     *
     * @param operations its steps, with the results that the client received
     */
    record Result(Outcome outcome, List<MicroOp> operations) {}

    /** Runs one transaction at a time. */
    interface Client extends AutoCloseable {

        /** Returns whether a transaction can begin now; otherwise the failure is counted. */
        boolean isReady();

        /** Runs a transaction. */
        Result run(List<MicroOp> operations) throws InterruptedException;

        /** Called at the end of the run, after which a running transaction should end soon. */
        void finish();

        @Override
        void close();
    }

    /**
     * The final state of the lists.
     *
     * @param history the history, with the elements of every read
     * @param lists the elements by key
     * @param violations violations of rules that the history does not contain, a sentence each
     */
    record FinalState(List<Transaction> history, Map<Long, List<Long>> lists, List<String> violations) {}

    /**
     * Creates what the lists require.
     *
     * @throws UserError if that is not possible
     */
    void prepare() throws InterruptedException;

    /**
     * Returns a client that has not started.
     *
     * @param number the number of the client, from 0
     * @param answerLimit the time limit of each statement or request
     */
    Client client(int number, Duration answerLimit, FailureCounter failures);

    /**
     * Reads all lists after the run, and completes the history from them.
     *
     * @param history the history as the clients recorded it, in the order of begins
     * @throws UserError if the lists cannot be read
     */
    FinalState readFinalLists(List<Transaction> history) throws InterruptedException;

    /** Returns the probes that must succeed after each fault. */
    List<Probe> probes();

    /** A test whether writes are possible through one gateway or instance. */
    interface Probe {

        /**
         * Writes a row that is not part of a list.
         *
         * @throws Exception if a write is not possible now
         */
        void write() throws Exception;

        /** Returns the address of the gateway or instance, for messages. */
        String target();
    }
}
