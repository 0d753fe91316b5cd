package io.movr.cache;

import io.movr.cache.Catalog.KeyType;
import io.movr.cache.Catalog.Table;
import io.movr.cache.ResultCache.Rows;
import io.movr.cache.Sql.Name;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tables that a changefeed watches, and the mapping of its messages to rows.
 *
 * @param tables by schema and name
 * @param primaryKeys the columns of their primary keys, in the order of the key
 */
record WatchedTables(Map<Name, Table> tables, Map<Name, List<String>> primaryKeys) {

    /** Returns all tables of a catalog whose rows can be cached. */
    static Map<Name, Table> of(Catalog catalog) {
        return catalog.tables().entrySet().stream()
                .filter(entry ->
                        entry.getValue().readable() && entry.getValue().root().equals(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns the same tables with their keys, read from the database. */
    static WatchedTables of(Catalog catalog, Connection connection) throws SQLException {
        Map<Name, Map<Integer, String>> columns = new HashMap<>();
        try (ResultSet keys = connection.getMetaData().getPrimaryKeys(null, null, null)) {
            while (keys.next()) {
                columns.computeIfAbsent(
                                new Name(keys.getString("TABLE_SCHEM"), keys.getString("TABLE_NAME")),
                                first -> new TreeMap<>())
                        .put(keys.getInt("KEY_SEQ"), keys.getString("COLUMN_NAME"));
            }
        }
        Map<Name, List<String>> primaryKeys = new HashMap<>();
        columns.forEach((name, key) -> primaryKeys.put(name, List.copyOf(key.values())));
        return new WatchedTables(of(catalog), primaryKeys);
    }

    boolean contains(Table table) {
        return tables.containsKey(table.root());
    }

    /**
     * Returns the rows that a change concerns.
     *
     * @param table a name without its schema
     * @param key the row's primary key, as an array of JSON
     * @return empty if the table is not known
     */
    List<Rows> changed(String table, String key) {
        // Which of two tables of one name it is, the feed does not say.
        return tables.entrySet().stream()
                .filter(entry -> entry.getKey().table().equals(table))
                .map(entry -> new Rows(
                        entry.getKey(),
                        key(entry.getValue(), primaryKeys.getOrDefault(entry.getKey(), List.of()), key)))
                .toList();
    }

    /** Returns the key as the cache knows it; {@code null} if it does not follow. */
    private static @Nullable Object key(Table table, List<String> primaryKey, String text) {
        try {
            JsonNode values = JsonMapper.shared().readTree(text);
            // The server may add a column before the declared ones: a region, or the bucket of a hash.
            int before = values.size() - primaryKey.size();
            if (table.key().isEmpty() || !values.isArray() || before < 0) {
                return null;
            }
            List<Object> key = new ArrayList<>();
            for (Map.Entry<String, KeyType> column : table.key().entrySet()) {
                int place = primaryKey.indexOf(column.getKey());
                Object value = place < 0 ? null : value(column.getValue(), values.get(before + place));
                if (value == null) {
                    return null;
                }
                key.add(value);
            }
            return key;
        } catch (JacksonException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    /** Returns a value in the canonical form of {@link Reach}. */
    private static @Nullable Object value(KeyType type, JsonNode value) {
        return switch (type) {
            case TEXT -> value.isString() ? value.stringValue().stripTrailing() : null;
            case UUID -> value.isString() ? UUID.fromString(value.stringValue()) : null;
            case INTEGER -> value.isIntegralNumber() && value.canConvertToLong() ? (Long) value.longValue() : null;
        };
    }

    /**
     * Returns the time, in milliseconds since 1970 by the database's clock, up to which the feed is complete.
     *
     * @param message {@code {"resolved": "nanoseconds.logical"}}, or the same within {@code __crdb__}
     */
    static long resolvedMillis(String message) throws SQLException {
        try {
            JsonNode read = JsonMapper.shared().readTree(message);
            JsonNode resolved = read.path("__crdb__").path("resolved");
            return new BigDecimal((resolved.isMissingNode() ? read.path("resolved") : resolved).asString(""))
                    .movePointLeft(6)
                    .longValue();
        } catch (JacksonException | NumberFormatException unreadable) {
            throw new SQLException("The changefeed sent an unknown message: " + message, unreadable);
        }
    }
}
