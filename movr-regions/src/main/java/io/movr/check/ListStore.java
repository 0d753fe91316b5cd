package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where lists are, and how clients append to them and read them. */
interface ListStore {

    /** Within which all lists must have been read at the end. */
    Duration FINAL_READ_LIMIT = Duration.ofMinutes(2);

    /** Counts what went wrong on the way, whether or not it was tried again. */
    interface Troubles {

        /**
         * Counts one.
         *
         * @param cause in a word or two, by which they are counted
         * @param message of the failure
         */
        void count(String cause, String message);
    }

    /**
     * What a transaction came to.
     *
     * @param operations its steps, with the answers that arrived
     */
    record Result(Outcome outcome, List<MicroOp> operations) {}

    /** Runs one transaction at a time. */
    interface Client extends AutoCloseable {

        /** Whether a transaction can begin now; why not is told to {@link Troubles}. */
        boolean isReady();

        /** Runs a transaction. */
        Result run(List<MicroOp> operations) throws InterruptedException;

        /** Called when the run is over: a transaction that is under way is to come to an end soon. */
        void end();

        @Override
        void close();
    }

    /**
     * What is seen of the lists when all clients have ended.
     *
     * @param history in which every read has its elements
     * @param lists elements by key
     * @param violations of rules that a history does not show, a sentence each
     */
    record Final(List<Transaction> history, Map<Long, List<Long>> lists, List<String> violations) {}

    /**
     * Makes what the lists need.
     *
     * @throws UserError if that fails
     */
    void prepare() throws InterruptedException;

    /**
     * A client that has not begun.
     *
     * @param number of the client, from 0
     * @param answerLimit after which it gives up waiting for an answer
     */
    Client client(int number, Duration answerLimit, Troubles troubles);

    /**
     * Reads all lists, and completes the history by what only shows at the end.
     *
     * @param history as the clients saw it, by begin
     * @throws UserError if they cannot be read
     */
    Final last(List<Transaction> history) throws InterruptedException;

    /** The ways to the lists, each of which must lead to a write again after a fault. */
    List<Probe> probes();

    /** A way to write. */
    interface Probe {

        /** Writes something that is in no list; throws if that cannot be done now. */
        void write() throws Exception;

        /** What it leads to, for messages. */
        String shown();
    }
}
