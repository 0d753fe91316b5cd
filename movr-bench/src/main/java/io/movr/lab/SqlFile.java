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
import java.util.Optional;

/**
 * A file of SQL.
 *
 * @param statements at least one
 */
record SqlFile(Path file, List<SqlStatement> statements) {

    /**
     * Reads a file.
     *
     * @return empty if there is no such file
     * @throws UserError if it cannot be read, or holds no statement
     */
    static Optional<SqlFile> find(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            List<SqlStatement> statements = SqlStatement.of(Files.readString(file));
            if (statements.isEmpty()) {
                throw new UserError(file + " holds no statement: write one, or remove the file");
            }
            return Optional.of(new SqlFile(file, statements));
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        } catch (IllegalArgumentException wrong) {
            throw new UserError(file + ": " + wrong.getMessage(), wrong);
        }
    }

    /** The file's own name. */
    String name() {
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
     * @throws UserError if one fails, naming the file and the statement
     */
    void run(Gateway database) {
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.WHOLE_TABLE_LIMIT).connect("movr-lab")) {
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
        } catch (SQLException failed) {
            throw new UserError("Cannot close the connection of " + file + ": " + UserError.firstLine(failed), failed);
        }
    }
}
