package io.movr.database.plan;

import io.movr.database.Engine;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Asks an engine for its plans and reads what it answers. */
public interface PlanReader {

    /** Returns the plan reader for the given engine. */
    static PlanReader of(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> new PostgresPlanReader();
            case COCKROACHDB -> new CockroachPlanReader();
        };
    }

    /** Returns the file name extension of an answer. */
    String extension();

    /** Returns the prefix that makes the engine run a statement and explain it. */
    String prefix();

    /**
     * Returns the prefix that makes the engine explain a statement without running it; empty if the reader reads no such plan.
     */
    default Optional<String> prefixWithoutRunning() {
        return Optional.empty();
    }

    /**
     * Reads an answer whose tables no catalog describes.
     *
     * @throws IllegalArgumentException when it is no plan that this reader knows
     */
    default Plan read(String answer) {
        return read(answer, Catalog.NONE);
    }

    /**
     * Reads an answer. A step that the reader does not know has the access {@link Access#NOT_UNDERSTOOD}.
     *
     * @param catalog of the database that gave it
     * @throws IllegalArgumentException when it is no plan that this reader knows
     */
    Plan read(String answer, Catalog catalog);

    /**
     * Runs a statement, rolls back its writes, and returns its plan. An open transaction continues as it was, also if the
     * statement fails.
     *
     * @param parameters values for its question marks, in order
     */
    default Plan explain(Connection connection, String statement, List<?> parameters) throws SQLException {
        return explain(connection, prefix(), statement, parameters);
    }

    /**
     * Does the same with another prefix, such as {@link #prefixWithoutRunning}.
     *
     * @param parameters values for its question marks, in order
     */
    @SuppressWarnings("try") // It is there to be closed.
    default Plan explain(Connection connection, String prefix, String statement, List<?> parameters)
            throws SQLException {
        StringJoiner answer = new StringJoiner("\n");
        try (Undone undone = new Undone(connection);
                PreparedStatement explain = connection.prepareStatement(prefix + statement)) {
            Rows.bind(explain, parameters);
            try (ResultSet lines = explain.executeQuery()) {
                while (lines.next()) {
                    answer.add(lines.getString(1));
                }
            }
        }
        return read(answer.toString(), Catalog.of(connection, read(answer.toString())));
    }
}
