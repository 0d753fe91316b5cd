package io.movr.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What one side of an experiment does, again and again: the part that is timed, and the parts around it that are not. */
interface Operation {

    /**
     * The operation of one side in a block of samples. All sides of a block get the same parameters in the same order.
     *
     * @param block number of the block, from 0
     */
    default Operation inBlock(int block) {
        return this;
    }

    /** Its statements, in order. */
    List<Step> steps();

    /** Whether it commits anything to disk. */
    default boolean writes() {
        return false;
    }

    /** The number of the row of parameters with which it ran last; 0 where there is one row or none. */
    default int parameterRow() {
        return 0;
    }

    /** A row of parameters as people read it; empty where there are none. */
    default String describeParameters(int row) {
        return "";
    }

    /** What is timed: runs the statements and reads all that they answer. Every cell comes as text. */
    List<List<String>> run(Connection connection) throws SQLException;

    /**
     * What is wrong with an answer, empty if it is right.
     *
     * @param connection for a look at what was written
     */
    Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException;

    /** Prepares the database once, before the first run. */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Returns a failure of one of its statements, with what its author should change where that is known.
     *
     * @param step index of the statement in {@link #steps()}
     */
    default SQLException explained(int step, SQLException failed) {
        return failed;
    }

    /** Takes back what a run has written, so that each run finds the same rows. */
    default void reset(Connection connection) throws SQLException {}
}
