package io.movr.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The repeated operation of one side of an experiment: the timed part, and the parts around it that are not timed. */
interface Operation {

    /**
     * Returns the operation for a block of samples. All sides of a block get the same parameters in the same order.
     *
     * @param block the number of the block, from 0
     */
    default Operation inBlock(int block) {
        return this;
    }

    /** Returns the statements in order. */
    List<Step> steps();

    /** Returns whether the operation commits anything to disk. */
    default boolean writes() {
        return false;
    }

    /** Returns the number of the row of parameters of the last run; 0 if there is one row or none. */
    default int parameterRow() {
        return 0;
    }

    /** Describes a row of parameters; empty if there are none. */
    default String describeParameters(int row) {
        return "";
    }

    /** Runs the statements and reads the whole answer, every cell as text. This is timed. */
    List<List<String>> run(Connection connection) throws SQLException;

    /**
     * Returns what is wrong with an answer, empty if it is right.
     *
     * @param connection reads what was written
     */
    Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException;

    /** Prepares the database once, before the first run. */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Returns the failure of a statement, with what its author should change if that is known.
     *
     * @param step the index of the statement in {@link #steps()}
     */
    default SQLException explained(int step, SQLException failed) {
        return failed;
    }

    /** Resets what a run has written, so that each run finds the same rows. */
    default void reset(Connection connection) throws SQLException {}
}
