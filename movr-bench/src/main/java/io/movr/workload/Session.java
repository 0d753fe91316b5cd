package io.movr.workload;

import java.sql.Connection;
import java.sql.SQLException;

/** What one worker does: it draws an operation, then executes it, several times where that has to be tried again. */
public interface Session {

    /** Goes over to a new connection. */
    void open(Connection connection) throws SQLException;

    /**
     * Draws the next operation and what it will read or write.
     *
     * @return its place in {@link Workload#operations}
     */
    int draw();

    /**
     * Executes what was drawn. After a failure the transaction, if there is one, is rolled back by the caller.
     *
     * @throws WrongAnswer when the database answered, and not what it had to
     */
    void execute() throws SQLException;

    /**
     * What was drawn has failed and will not be tried again.
     *
     * @param unknown whether it may have been done all the same, because its connection was lost
     */
    default void giveUp(boolean unknown) {}
}
