package io.movr.environment;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size of a table or of one of its partitions. On PostgreSQL these are bytes on disk, and the index of the primary key is
 * one of the indexes. On CockroachDB they are the bytes of the live rows in one replica before compression, and the primary
 * key is the table.
 *
 * @param table with its schema, quoted where needed; of a partition the whole table
 * @param name as plans show it, without its schema; of a partition its own
 * @param bytes with all indexes; {@code null} if the server does not say
 * @param indexBytes of the indexes alone, likewise
 */
public record TableBytes(
        String table,
        String name,
        @Nullable Long bytes,
        @Nullable Long indexBytes) {

    private static final String NAMES =
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename), tablename FROM pg_tables"
                    + " WHERE schemaname NOT IN ('information_schema', 'crdb_internal') AND schemaname NOT LIKE 'pg\\_%'";

    /**
     * Returns the sizes of all tables and materialized views of a database.
     *
     * @throws SQLException if the server does not answer, or the user may not ask
     */
    public static List<TableBytes> in(Gateway database) throws SQLException {
        try (Connection connection = connect(database)) {
            return ServerProbe.of(Engine.of(connection)).tableBytes(connection);
        }
    }

    /** Returns the tables of a database whose bytes are not known. */
    public static List<TableBytes> unknownIn(Gateway database) throws SQLException {
        try (Connection connection = connect(database)) {
            return Rows.query(connection, NAMES, List.of()).stream()
                    .map(row -> new TableBytes(row.get(0), row.get(1), null, null))
                    .toList();
        }
    }

    private static Connection connect(Gateway database) throws SQLException {
        return StatementTimeout.bounded(database, StatementTimeout.LIMIT).connect("movr-sizes");
    }

    /** Reads the rows of a query whose columns are those of this record. */
    static List<TableBytes> of(Connection connection, String query) throws SQLException {
        return Rows.query(connection, query, List.of()).stream()
                .map(row -> new TableBytes(row.get(0), row.get(1), Long.valueOf(row.get(2)), Long.valueOf(row.get(3))))
                .toList();
    }
}
