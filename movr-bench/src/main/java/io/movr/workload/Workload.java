package io.movr.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;

/** What a run does over and over: its tables, its operations, and what must be true afterwards. */
public interface Workload {

    /** As commands and results call it. */
    String name();

    /** Returns the names of its operations; sessions speak of them by their place in this list. */
    List<String> operations();

    /** Returns its tables, which nothing else uses. */
    List<String> tables();

    /**
     * Makes tables and rows as far as they are missing; what is there already stays.
     *
     * @param connection in autocommit mode
     * @param progress is told now and then how far it got
     * @throws io.movr.UserError when there are other rows than this workload wants
     */
    void init(Connection connection, Consumer<String> progress) throws SQLException;

    /**
     * Looks at the rows that a run begins with.
     *
     * @param connection in autocommit mode
     * @throws io.movr.UserError when they are not those of {@link #init}
     */
    void prepare(Connection connection) throws SQLException;

    /**
     * Returns what one worker does. Called after {@link #prepare}.
     *
     * @param seed decides everything that the session draws
     */
    Session session(long seed);

    /**
     * Checks the rows after a run, while nobody else writes.
     *
     * @param connection in autocommit mode
     * @return what is wrong, a sentence each; empty if all is right
     */
    List<String> check(Connection connection) throws SQLException;

    /** Returns the one number that a query answers, such as a count. */
    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getLong(1);
        }
    }
}
