package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.Unanswered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of SQL.
 *
 * @param file or in words where the SQL stands
 * @param statements at least one
 */
record SqlFile(Path file, List<SqlStatement> statements) implements Contents.Change {

    /**
     * Reads a file.
     *
     * @return empty if there is no such file
     * @throws UserError if it cannot be read, or holds no statement
     */
    static Optional<SqlFile> find(Path file) {
        return find(file, Map.of());
    }

    /**
     * Reads a file.
     *
     * @param variables by name, what parameters stand for
     * @return empty if there is no such file
     * @throws UserError if it cannot be read, or holds no statement
     */
    static Optional<SqlFile> find(Path file, Map<String, String> variables) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(file, Files.readString(file), variables));
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Reads SQL that stands somewhere else.
     *
     * @param where it stands, for messages
     * @throws UserError if it cannot be read, or holds no statement
     */
    static SqlFile of(Path where, String sql) {
        return of(where, sql, Map.of());
    }

    private static SqlFile of(Path where, String sql, Map<String, String> variables) {
        try {
            List<SqlStatement> statements = SqlStatement.of(sql, variables);
            if (statements.isEmpty()) {
                throw new UserError(where + " holds no statement: write one, or remove it");
            }
            return new SqlFile(where, statements);
        } catch (IllegalArgumentException wrong) {
            throw new UserError(where + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Whether any of the statements writes. */
    boolean writes() {
        return statements.stream().anyMatch(SqlStatement::writes);
    }

    /** The last statement, whose answer is that of all. */
    SqlStatement last() {
        return statements.get(statements.size() - 1);
    }

    /** The file's own name. */
    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    /** Refuses parameters, which a script has no values for. */
    SqlFile withoutParameters() {
        for (SqlStatement statement : statements) {
            if (!statement.parameters().isEmpty()) {
                throw new UserError(
                        file + " has the parameter :" + statement.parameters().get(0)
                                + ": only the measured statements and reset.sql have parameters");
            }
        }
        return this;
    }

    /**
     * Runs the statements, each in a transaction of its own unless the script says otherwise.
     *
     * @return the seconds that they took
     * @throws UserError if one fails, naming the file and the statement
     */
    @Override
    public double run(Gateway database) {
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.WHOLE_TABLE_LIMIT).connect("movr-lab")) {
            long begun = System.nanoTime();
            for (int index = 0; index < statements.size(); index++) {
                try {
                    Rows.execute(connection, statements.get(index).text());
                } catch (SQLException failed) {
                    SQLException named =
                            Unanswered.of(failed, statements.get(index).text(), Unanswered.WHOLE_TABLE_LIMIT, database);
                    throw new UserError(
                            file + ", statement " + (index + 1) + ": " + UserError.firstLine(named), failed);
                }
            }
            return (System.nanoTime() - begun) / 1e9;
        } catch (SQLException failed) {
            throw new UserError("Cannot close the connection of " + file + ": " + UserError.firstLine(failed), failed);
        }
    }
}
