package io.movr.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;

/** A workload: its tables, its operations, and the check of its rows. */
public interface Workload {

    /** Returns its name in commands and results. */
    String name();

    /** Returns the names of its operations; sessions refer to them by their index in this list. */
    List<String> operations();

    /** Returns its tables, which it owns. */
    List<String> tables();

    /**
     * Creates missing tables and rows; existing ones are kept.
     *
     * @param connection in autocommit mode
     * @param progress receives its progress now and then
     * @throws io.movr.UserError if there are other rows than this workload needs
     */
    void init(Connection connection, Consumer<String> progress) throws SQLException;

    /**
     * Checks the rows at the start of a run.
     *
     * @param connection in autocommit mode
     * @throws io.movr.UserError if they are not the rows of {@link #init}
     */
    void prepare(Connection connection) throws SQLException;

    /**
     * Returns the session of one worker. Called after {@link #prepare}.
     *
     * @param seed decides everything that the session draws
     */
    Session session(long seed);

    /**
     * Checks the rows after a run; no other session may write at the same time.
     *
     * @param connection in autocommit mode
     * @return the faults, a sentence each; empty if there are none
     */
    List<String> check(Connection connection) throws SQLException;

    /** Returns the single number of a query's result, such as a count. */
    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getLong(1);
        }
    }
}
