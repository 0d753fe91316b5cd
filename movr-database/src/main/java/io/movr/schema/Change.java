package io.movr.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a stage.
 *
 * @param sql the statement
 * @param onlyIf a query without whose rows the statement is left out, because a run that failed half-way has done it
 *     already and it could not be repeated; {@code null} if it can
 */
record Change(String sql, @Nullable String onlyIf) {

    /** Stands for the database's name. */
    static final String DATABASE = "${database}";

    static Change of(String sql) {
        return new Change(sql, null);
    }

    /** The same for a database of which only the connection knows the name. */
    Change in(String database) {
        return new Change(sql.replace(DATABASE, database), onlyIf);
    }

    /**
     * Applies it, unless it was applied before.
     *
     * @return whether it had to be
     */
    boolean apply(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (onlyIf != null) {
                try (ResultSet rows = statement.executeQuery(onlyIf)) {
                    if (!rows.next()) {
                        return false;
                    }
                }
            }
            statement.execute(sql);
            return true;
        }
    }

    /** As a script has it, with the condition as a remark. */
    String script() {
        return Optional.ofNullable(onlyIf)
                        .map(query -> "-- only if: " + query + "\n")
                        .orElse("") + sql + ";\n";
    }
}
