package io.movr.environment;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * What a table or one of its partitions takes. On PostgreSQL these are bytes on disk, and the index of the primary key is
 * one of the indexes. On CockroachDB they are the bytes of the live rows in one replica before compression, and the primary
 * key is the table.
 *
 * @param table with its schema, quoted where needed; of a partition the whole table
 * @param name as plans show it, without its schema; of a partition its own
 * @param bytes with all indexes
 * @param indexBytes of the indexes alone
 */
public record TableBytes(String table, String name, long bytes, long indexBytes) {

    /** Those of all tables and materialized views of a database. */
    public static List<TableBytes> in(Gateway database) throws SQLException {
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.LIMIT).connect("movr-sizes")) {
            return ServerProbe.of(Engine.of(connection)).tableBytes(connection);
        }
    }

    /** Reads the rows of a query whose columns are those of this record. */
    static List<TableBytes> of(Connection connection, String query) throws SQLException {
        return Rows.query(connection, query, List.of()).stream()
                .map(row ->
                        new TableBytes(row.get(0), row.get(1), Long.parseLong(row.get(2)), Long.parseLong(row.get(3))))
                .toList();
    }
}
