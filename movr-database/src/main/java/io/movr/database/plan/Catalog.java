package io.movr.database.plan;

import io.movr.database.Engine;
import io.movr.database.Rows;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the catalog of a database says about the tables and indexes of a plan.
 *
 * @param indexes of the tables
 * @param parents the tables and indexes that a table or an index is a partition of, at any level
 */
record Catalog(List<Index> indexes, Map<Relation, Set<Relation>> parents) {

    /** Without a catalog, for a plan that was recorded elsewhere. */
    public static final Catalog NONE = new Catalog(List.of(), Map.of());

    /** The names that CockroachDB gives to indexes other than primary keys. */
    private static final Pattern SECONDARY = Pattern.compile(".+_(idx|key)\\d*|.*auto_index_.+");

    private static final String INDEXES = """
            SELECT nspname, relation.relname, entry.relname, indisprimary, indpred IS NOT NULL
            FROM pg_index
            JOIN pg_class AS relation ON relation.oid = indrelid
            JOIN pg_class AS entry ON entry.oid = indexrelid
            JOIN pg_namespace ON pg_namespace.oid = relation.relnamespace
            WHERE relation.relname = ANY (?)""";

    private static final String PARENTS = """
            WITH RECURSIVE above AS (
                SELECT inhrelid AS child, inhparent AS parent FROM pg_inherits
                JOIN pg_class ON pg_class.oid = inhrelid WHERE relname = ANY (?)
                UNION
                SELECT child, inhparent FROM above JOIN pg_inherits ON inhrelid = parent)
            SELECT of_child.nspname, of_parent.nspname, part.relname, whole.relname
            FROM above
            JOIN pg_class AS part ON part.oid = child
            JOIN pg_class AS whole ON whole.oid = parent
            JOIN pg_namespace AS of_child ON of_child.oid = part.relnamespace
            JOIN pg_namespace AS of_parent ON of_parent.oid = whole.relnamespace""";

    /**
     * A table or an index.
     *
     * @param schema {@code null} if it is unknown
     */
    public record Relation(@Nullable String schema, String name) {}

    /** An index of a table. */
    public record Index(Relation table, String name, boolean primary, boolean partial) {}

    /** Reads what the catalog says about the tables and indexes that a plan names. */
    static Catalog of(Connection connection, Plan plan) throws SQLException {
        Set<String> tables = plan.root()
                .all()
                .flatMap(node -> Stream.ofNullable(node.table()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (tables.isEmpty()) {
            return NONE;
        }
        List<Index> indexes = Rows.query(connection, INDEXES, List.of(array(connection, tables))).stream()
                .map(row -> new Index(
                        relation(row.get(0), row.get(1)),
                        row.get(2),
                        Boolean.parseBoolean(row.get(3)),
                        Boolean.parseBoolean(row.get(4))))
                .toList();
        // A partition of CockroachDB is no table.
        if (Engine.of(connection) == Engine.COCKROACHDB) {
            return new Catalog(indexes, Map.of());
        }
        Set<String> names = new LinkedHashSet<>(tables);
        plan.root().all().forEach(node -> names.addAll(node.indexes()));
        Map<Relation, Set<Relation>> parents = new LinkedHashMap<>();
        for (List<String> row : Rows.query(connection, PARENTS, List.of(array(connection, names)))) {
            parents.computeIfAbsent(relation(row.get(0), row.get(2)), any -> new LinkedHashSet<>())
                    .add(relation(row.get(1), row.get(3)));
        }
        return new Catalog(indexes, parents);
    }

    private static Array array(Connection connection, Set<String> names) throws SQLException {
        return connection.createArrayOf("text", names.toArray());
    }

    /** Plans call the schema of temporary tables by this name, whatever its number. */
    private static Relation relation(String schema, String name) {
        return new Relation(schema.startsWith("pg_temp_") ? "pg_temp" : schema, name);
    }

    /** Returns the schema of a table, {@code null} unless the catalog has exactly one table of this name. */
    @Nullable
    String schemaOf(String table) {
        List<String> schemas = indexes.stream()
                .filter(index -> index.table().name().equals(table))
                .flatMap(index -> Stream.ofNullable(index.table().schema()))
                .distinct()
                .toList();
        return schemas.size() == 1 ? schemas.get(0) : null;
    }

    /**
     * Returns whether an index is the primary key of its table. If the catalog has no such table, only the names are known that
     * CockroachDB gives to other indexes; every other index is then read as the primary key, so that a scan is never
     * reported as better than it is.
     */
    boolean isPrimaryKey(String table, String index) {
        List<Index> known = indexes.stream()
                .filter(each -> each.table().name().equals(table))
                .toList();
        return known.isEmpty()
                ? !SECONDARY.matcher(index).matches()
                : known.stream().anyMatch(each -> each.primary() && each.name().equals(index));
    }

    /** Returns whether an index has a part of the rows of its table. */
    boolean isPartial(@Nullable String schema, String index) {
        return indexes.stream()
                .anyMatch(each -> each.partial()
                        && each.name().equals(index)
                        && (schema == null || schema.equals(each.table().schema())));
    }

    /** Returns a table or an index, and all that it is a partition of. */
    Stream<Relation> withParents(@Nullable String schema, String name) {
        Relation relation = new Relation(schema, name);
        return Stream.concat(
                Stream.of(relation),
                parents.entrySet().stream()
                        .filter(entry -> entry.getKey().equals(relation)
                                || (schema == null && entry.getKey().name().equals(name)))
                        .flatMap(entry -> entry.getValue().stream()));
    }
}
