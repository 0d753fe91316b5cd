package io.movr.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a stage, or several that one transaction applies.
 *
 * @param statements at least one
 * @param onlyIf a query; if it returns no rows, the statements are skipped, because a failed run has already applied them and
 *     they cannot be repeated; {@code null} if they can
 */
record Change(List<String> statements, @Nullable String onlyIf) {

    /** The placeholder for the database's name. */
    static final String DATABASE = "${database}";

    static Change of(String sql) {
        return new Change(List.of(sql), null);
    }

    static Change of(List<String> transaction) {
        return new Change(transaction, null);
    }

    static Change conditional(String sql, String onlyIf) {
        return new Change(List.of(sql), onlyIf);
    }

    /** Returns the same for a database of which only the connection knows the name. */
    Change in(String database) {
        return new Change(
                statements.stream().map(sql -> sql.replace(DATABASE, database)).toList(), onlyIf);
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
            if (statements.size() == 1) {
                statement.execute(sql());
            } else {
                ServerSql.transaction(statement, all -> ServerSql.executeAll(all, statements));
            }
            return true;
        }
    }

    /** Returns the change as SQL, without a semicolon at its end. */
    String sql() {
        String all = String.join(";\n", statements);
        return statements.size() == 1 ? all : "BEGIN;\n" + all + ";\nCOMMIT";
    }

    /** Returns the change as a script, with its condition as a comment. */
    String script() {
        return Optional.ofNullable(onlyIf)
                        .map(query -> "-- only if: " + query + "\n")
                        .orElse("") + sql() + ";\n";
    }
}
