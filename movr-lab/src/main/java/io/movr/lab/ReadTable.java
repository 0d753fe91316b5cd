package io.movr.lab;

import io.movr.database.Engine;
import io.movr.database.Rows;
import io.movr.database.plan.PlanNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A table that a plan reads, as the catalog describes it. A partition is described by its partitioned table, on which an
 * index is made.
 *
 * @param name the name in the catalog
 * @param sql the name as SQL writes it
 * @param columns the columns, from the name in the catalog to the name as SQL writes it
 * @param isOnePage whether all its rows fit into a page of the server; false for a partitioned table
 * @param indexes the columns of each index, by the index's name; empty if the engine recommends indexes
 */
record ReadTable(
        String name, String sql, Map<String, String> columns, boolean isOnePage, Map<String, List<String>> indexes) {

    private static final String ROOT = "SELECT root.relname FROM pg_class root"
            + " WHERE root.oid = pg_partition_root(to_regclass(quote_ident(?)))";

    private static final String PAGES =
            "SELECT pg_relation_size(oid) <= current_setting('block_size')::int AND relkind <> 'p'"
                    + " FROM pg_class WHERE oid = to_regclass(quote_ident(?))";

    /** The keys of indexes on whole tables, in order; an expression is an empty name. */
    private static final String INDEXES = "SELECT index.relname, coalesce(attname, '')"
            + " FROM pg_index JOIN pg_class index ON index.oid = indexrelid"
            + " CROSS JOIN LATERAL unnest(indkey) WITH ORDINALITY AS key (number, place)"
            + " LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number"
            + " WHERE indrelid = to_regclass(quote_ident(?)) AND indisvalid AND indpred IS NULL AND key.place <= indnkeyatts"
            + " ORDER BY index.relname, key.place";

    /** Reads the description of the table that a scan names. A table that is not in the catalog has no columns. */
    static ReadTable of(Connection connection, String scanned, Engine engine) throws SQLException {
        String name = scanned;
        boolean isOnePage = false;
        Map<String, List<String>> indexes = new LinkedHashMap<>();
        if (!engine.recommendsIndexes()) {
            List<List<String>> root = Rows.query(connection, ROOT, List.of(scanned));
            name = root.isEmpty() ? scanned : root.get(0).get(0);
            List<List<String>> pages = Rows.query(connection, PAGES, List.of(name));
            isOnePage = !pages.isEmpty() && pages.get(0).get(0).equals("true");
            for (List<String> key : Rows.query(connection, INDEXES, List.of(name))) {
                indexes.computeIfAbsent(key.get(0), any -> new ArrayList<>()).add(key.get(1));
            }
        }
        Map<String, String> columns = new LinkedHashMap<>();
        String sql = name;
        List<List<String>> rows = Rows.query(
                connection,
                "SELECT column_name, quote_ident(column_name), quote_ident(table_name) FROM information_schema.columns"
                        + " WHERE table_schema = ANY (current_schemas(false)) AND table_name = ? ORDER BY ordinal_position",
                List.of(name));
        for (List<String> row : rows) {
            columns.put(row.get(0), row.get(1));
            sql = row.get(2);
        }
        return new ReadTable(name, sql, columns, isOnePage, indexes);
    }

    /** Returns the table that a scan reads. */
    static ReadTable of(Map<String, ReadTable> tables, PlanNode scan) {
        return Objects.requireNonNull(tables.get(String.valueOf(scan.table())));
    }

    boolean isPartition(String scanned) {
        return !scanned.equals(name);
    }

    /** Returns the index whose first keys are these columns. */
    Optional<String> indexOn(List<String> keys) {
        return indexes.entrySet().stream()
                .filter(index -> index.getValue().size() >= keys.size()
                        && index.getValue().subList(0, keys.size()).equals(keys))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns a column as SQL writes it. */
    String quoted(String column) {
        return columns.getOrDefault(column, column);
    }

    /** Returns the name that an identifier of SQL means. */
    static String plain(String identifier) {
        return identifier.startsWith("\"")
                ? identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"")
                : identifier.toLowerCase(Locale.ROOT);
    }
}
