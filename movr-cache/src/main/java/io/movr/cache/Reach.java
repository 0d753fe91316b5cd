package io.movr.cache;

import io.movr.cache.Catalog.KeyType;
import io.movr.cache.Catalog.Table;
import io.movr.cache.ResultCache.Rows;
import io.movr.cache.Sql.Name;
import io.movr.cache.Sql.Operand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Determines the rows that a statement reads or writes, from the catalog. */
final class Reach {

    private Reach() {}

    /**
     * Returns the rows that an answer depends on.
     *
     * @param parameters values by their position; a missing one is not known
     * @param enough the tables whose answers may be cached
     * @return empty if it reads from anything but plain tables
     */
    static Optional<List<Rows>> of(
            Sql.Read read, Catalog catalog, Map<Integer, Parameter> parameters, Predicate<Table> enough) {
        List<Rows> rows = new ArrayList<>();
        for (Name name : read.tables()) {
            Table table = catalog.find(name).orElse(null);
            if (table == null || !table.readable() || !enough.test(table)) {
                return Optional.empty();
            }
            rows.add(new Rows(table.root(), key(table, read.keyed(), parameters)));
        }
        return Optional.of(rows);
    }

    /** Returns the rows that a statement may write. */
    static Effects of(Sql.Write write, Catalog catalog, Map<Integer, Parameter> parameters) {
        Table table = catalog.find(write.table()).orElse(null);
        if (table == null || table.opaque()) {
            return Effects.EVERY_ROW;
        }
        Set<Rows> rows = new HashSet<>();
        table.reached().forEach(other -> rows.add(new Rows(other, null)));
        boolean keyKnown = !write.rows().isEmpty()
                && Collections.disjoint(write.assigned(), table.key().keySet());
        for (Map<String, Operand> row : write.rows()) {
            Object key = keyKnown ? key(table, row, parameters) : null;
            rows.add(new Rows(table.root(), key));
        }
        if (write.rows().isEmpty()) {
            rows.add(new Rows(table.root(), null));
        }
        return new Effects(rows, false, false);
    }

    /** Returns the key of a row; {@code null} if it does not follow from what is given. */
    private static @Nullable Object key(Table table, Map<String, Operand> values, Map<Integer, Parameter> parameters) {
        if (table.key().isEmpty()) {
            return null;
        }
        List<Object> key = new ArrayList<>();
        for (Map.Entry<String, KeyType> column : table.key().entrySet()) {
            Operand operand = values.get(column.getKey());
            if (operand == null) {
                return null;
            }
            Parameter parameter = parameters.get(operand.parameter());
            Object value = operand.parameter() == 0 ? operand.literal() : parameter == null ? null : parameter.value();
            Object plain = plain(column.getValue(), value);
            if (plain == null) {
                return null;
            }
            key.add(plain);
        }
        return key;
    }

    /** Returns the canonical form of all values that the database considers equal. */
    private static @Nullable Object plain(KeyType type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            // A column with a limit drops spaces beyond it, so that two texts may name one row.
            case TEXT -> value instanceof String text ? text.stripTrailing() : null;
            case UUID -> value instanceof UUID ? value : value instanceof String text ? uuid(text) : null;
            case INTEGER ->
                value instanceof Integer || value instanceof Long || value instanceof Short
                        ? (Long) ((Number) value).longValue()
                        : value instanceof String text ? integer(text) : null;
        };
    }

    private static @Nullable UUID uuid(String text) {
        try {
            UUID uuid = UUID.fromString(text.strip());
            return uuid.toString().equalsIgnoreCase(text.strip()) ? uuid : null;
        } catch (IllegalArgumentException other) {
            return null;
        }
    }

    private static @Nullable Long integer(String text) {
        try {
            return Long.valueOf(text.strip());
        } catch (NumberFormatException other) {
            return null;
        }
    }
}
