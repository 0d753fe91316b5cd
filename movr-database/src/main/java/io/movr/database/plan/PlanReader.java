package io.movr.database.plan;

import io.movr.database.Closeables;
import io.movr.database.Engine;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;

/** Asks an engine for its plans and reads what it answers. */
public interface PlanReader {

    /** The reader of an engine. */
    static PlanReader of(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> new PostgresPlanReader();
            case COCKROACHDB -> new CockroachPlanReader();
        };
    }

    /** That of a file with an answer. */
    String extension();

    /** What stands before a statement to run it and be told how. */
    String prefix();

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException when it is no plan that this reader knows
     */
    Plan read(String answer);

    /**
     * Runs a statement, takes back whatever it wrote, and tells how it was run.
     *
     * @param parameters values for its question marks, in order
     */
    default Plan explain(Connection connection, String statement, List<?> parameters) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        StringJoiner answer = new StringJoiner("\n");
        try (PreparedStatement explain = connection.prepareStatement(prefix() + statement)) {
            Rows.bind(explain, parameters);
            try (ResultSet lines = explain.executeQuery()) {
                while (lines.next()) {
                    answer.add(lines.getString(1));
                }
            }
        } catch (SQLException failed) {
            throw Closeables.closeAfter(failed, () -> takeBack(connection, autoCommit));
        }
        takeBack(connection, autoCommit);
        return read(answer.toString());
    }

    private static void takeBack(Connection connection, boolean autoCommit) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
    }
}
