package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Flyway's history table of a database. Another application may have a table of the same name. */
final class MigrationHistory {

    private static final String APPLIED = "SELECT version, script, checksum, success FROM flyway_schema_history"
            + " WHERE version IS NOT NULL ORDER BY installed_rank";

    private static final String UNDEFINED_COLUMN = "42703";

    private MigrationHistory() {}

    /**
     * Returns the stage that was applied last. Empty if there is no table, or the stage is of a later version of movr.
     *
     * @throws UserError if the table is another application's
     */
    static Optional<Stage> stage(Connection connection) throws SQLException {
        List<List<String>> applied = applied(connection);
        for (int last = applied.size() - 1; last >= 0; last--) {
            if (isTrue(applied.get(last).get(3))) {
                return Stage.ofVersion(applied.get(last).get(0));
            }
        }
        return Optional.empty();
    }

    /**
     * Checks that the table, if there is one, is movr's.
     *
     * @throws UserError if it is another application's
     */
    static void requireOwn(Connection connection) throws SQLException {
        applied(connection);
    }

    private static List<List<String>> applied(Connection connection) throws SQLException {
        List<List<String>> applied;
        try {
            applied = Rows.query(connection, APPLIED, List.of());
        } catch (SQLException failed) {
            if (SqlState.UNDEFINED_TABLE.equals(failed.getSQLState())) {
                return List.of();
            }
            if (UNDEFINED_COLUMN.equals(failed.getSQLState())) {
                throw another(connection, UserError.firstLine(failed), failed);
            }
            throw failed;
        }
        boolean begins = applied.isEmpty();
        for (List<String> row : applied) {
            if (row.get(0).equals(Schema.ADOPTED)) {
                begins = true;
                continue;
            }
            Optional<Stage> stage = Stage.ofVersion(row.get(0)).filter(known -> !known.isRegional());
            if (stage.isPresent() && !isScript(stage.get(), row.get(1), row.get(2))) {
                throw another(
                        connection,
                        "its version " + row.get(0) + " is " + row.get(1) + " with the checksum " + row.get(2),
                        null);
            }
            begins |= stage.equals(Optional.of(Stage.BASELINE));
        }
        if (!begins) {
            throw another(
                    connection,
                    "it has version " + applied.get(0).get(0) + " and no " + Schema.scriptName(Stage.BASELINE),
                    null);
        }
        return applied;
    }

    private static boolean isScript(Stage stage, String script, String checksum) {
        return script.equals(Schema.scriptName(stage))
                && Arrays.stream(Engine.values())
                        .anyMatch(engine -> checksum.equals(Integer.toString(checksum(Schema.file(engine, stage)))));
    }

    /** Computes Flyway's checksum of a script: over its lines without their line ends. */
    private static int checksum(String script) {
        CRC32 sum = new CRC32();
        script.lines().map(line -> line.getBytes(StandardCharsets.UTF_8)).forEach(sum::update);
        return (int) sum.getValue();
    }

    private static boolean isTrue(String value) {
        return value.startsWith("t");
    }

    private static UserError another(Connection connection, String why, @Nullable Throwable cause) throws SQLException {
        return new UserError(
                "The table flyway_schema_history in the database " + connection.getCatalog()
                        + " is another application's, or another version's of movr (" + why
                        + "): use a database that holds movr's tables only",
                cause);
    }
}
