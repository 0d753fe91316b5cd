package io.movr.workload;

import java.sql.Connection;
import java.sql.SQLException;

/** The work of one worker: it draws an operation, then executes it, with retries. */
interface Session {

    /** Switches to a new connection. */
    void open(Connection connection) throws SQLException;

    /**
     * Draws the next operation and what it will read or write.
     *
     * @return its place in {@link Workload#operations}
     */
    int draw();

    /**
     * Executes the drawn operation. After a failure the transaction, if there is one, is rolled back by the caller.
     *
     * @throws WrongAnswer if the database gave a wrong answer
     */
    void execute() throws SQLException;

    /**
     * Called when the drawn operation has failed and is not retried.
     *
     * @param unknown whether it may have been done nevertheless, because its connection was lost
     */
    default void giveUp(boolean unknown) {}
}
