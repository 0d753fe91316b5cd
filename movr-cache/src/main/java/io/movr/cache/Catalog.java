package io.movr.cache;

import io.movr.cache.Sql.Name;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables of a database with what a cache needs of them: their keys, and the tables that a write reaches.
 *
 * @param tables by schema and name
 * @param visible the tables that can be named without a schema, by name
 * @param isolation the default isolation level of sessions
 * @param autoCommit whether a connection begins with each statement a transaction by itself
 */
record Catalog(Map<Name, Table> tables, Map<String, Table> visible, int isolation, boolean autoCommit) {

    /** A type of key columns whose equality is understood here. */
    enum KeyType {
        TEXT,
        UUID,
        INTEGER
    }

    /**
     * A table.
     *
     * @param root its own name, or the name of the partitioned table: rows are tracked there
     * @param key columns and types of the primary key; empty if there is none, or one of an unsupported type
     * @param reached roots of other tables that a write may reach by foreign keys
     * @param readable whether its rows are the same for all roles
     * @param opaque whether a write to it sets off triggers or rules, its own or those of a reached table, which may write
     *     anything
     * @param notifying whether it has the triggers that notify of writes
     */
    record Table(
            Name root,
            Map<String, KeyType> key,
            Set<Name> reached,
            boolean readable,
            boolean opaque,
            boolean notifying) {}

    private static final String TABLES = """
            SELECT c.oid, n.nspname, c.relname, pg_table_is_visible(c.oid), NOT c.relrowsecurity, c.relhasrules,
                EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
                    AND t.tgname NOT LIKE 'movr\\_cache\\_%'),
                (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE 'movr\\_cache\\_%'
                    AND t.tgenabled IN ('O', 'A')) = 4
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't' AND n.nspname <> 'information_schema'
                AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'crdb_internal'""";

    private static final String PARENTS = "SELECT inhrelid, inhparent FROM pg_inherits";

    private static final String CASCADES = """
            SELECT confrelid, conrelid FROM pg_constraint
            WHERE contype = 'f' AND (confdeltype IN ('c', 'n', 'd') OR confupdtype IN ('c', 'n', 'd'))""";

    private static final String KEYS = """
            SELECT i.indrelid, a.attname, t.typname, coalesce(l.collname IN ('default', 'C', 'POSIX'), true)
            FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
            JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation l ON l.oid = a.attcollation
            WHERE i.indisprimary ORDER BY i.indrelid, a.attnum""";

    /** Reads the catalog, from a connection with default settings. */
    static Catalog read(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        Map<Long, Long> parents = new HashMap<>();
        Map<Long, Set<Long>> cascades = new HashMap<>();
        Map<Long, Map<String, KeyType>> keys = new HashMap<>();
        Set<Long> withoutKey = new HashSet<>();
        List<Found> found = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(PARENTS)) {
                while (rows.next()) {
                    parents.put(rows.getLong(1), rows.getLong(2));
                }
            }
            try (ResultSet rows = statement.executeQuery(CASCADES)) {
                while (rows.next()) {
                    cascades.computeIfAbsent(rows.getLong(1), parent -> new HashSet<>())
                            .add(rows.getLong(2));
                }
            }
            try (ResultSet rows = statement.executeQuery(KEYS)) {
                while (rows.next()) {
                    Optional<KeyType> type = rows.getBoolean(4) ? keyType(rows.getString(3)) : Optional.empty();
                    if (type.isPresent()) {
                        keys.computeIfAbsent(rows.getLong(1), table -> new LinkedHashMap<>())
                                .put(rows.getString(2), type.get());
                    } else {
                        withoutKey.add(rows.getLong(1));
                    }
                }
            }
            try (ResultSet rows = statement.executeQuery(TABLES)) {
                while (rows.next()) {
                    found.add(new Found(
                            rows.getLong(1),
                            new Name(rows.getString(2), rows.getString(3)),
                            rows.getBoolean(4),
                            rows.getBoolean(5),
                            rows.getBoolean(6) || rows.getBoolean(7),
                            rows.getBoolean(8)));
                }
            }
        }
        withoutKey.forEach(keys::remove);
        return new Catalog(found, parents, cascades, keys, connection.getTransactionIsolation(), autoCommit);
    }

    private record Found(long id, Name name, boolean visible, boolean readable, boolean opaque, boolean notifying) {}

    private Catalog(
            List<Found> found,
            Map<Long, Long> parents,
            Map<Long, Set<Long>> cascades,
            Map<Long, Map<String, KeyType>> keys,
            int isolation,
            boolean autoCommit) {
        this(new HashMap<>(), new HashMap<>(), isolation, autoCommit);
        Map<Long, Name> names = new HashMap<>();
        Set<Long> opaque = new HashSet<>();
        Set<Long> silent = new HashSet<>();
        Set<Long> hidden = new HashSet<>();
        for (Found table : found) {
            names.put(table.id(), table.name());
            long root = root(table.id(), parents);
            // What one partition does, a write to any of them may do.
            if (table.opaque()) {
                opaque.add(root);
            }
            if (!table.readable()) {
                hidden.add(root);
            }
            if (!table.notifying()) {
                silent.add(root);
            }
        }
        Map<Long, Set<Long>> cascadesOfRoots = new HashMap<>();
        cascades.forEach((parent, children) -> children.forEach(child -> cascadesOfRoots
                .computeIfAbsent(root(parent, parents), first -> new HashSet<>())
                .add(root(child, parents))));
        for (Found table : found) {
            long root = root(table.id(), parents);
            Name rootName = names.getOrDefault(root, table.name());
            Set<Long> reached = reached(root, cascadesOfRoots);
            Table known = new Table(
                    rootName,
                    keys.getOrDefault(root, keys.getOrDefault(table.id(), Map.of())),
                    reached.stream().map(names::get).filter(Objects::nonNull).collect(Collectors.toSet()),
                    !hidden.contains(root),
                    opaque.contains(root) || !Collections.disjoint(opaque, reached),
                    !silent.contains(root));
            tables.put(table.name(), known);
            if (table.visible()) {
                visible.put(table.name().table(), known);
            }
        }
    }

    private static long root(long table, Map<Long, Long> parents) {
        long root = table;
        for (int depth = 0; depth < 100; depth++) {
            Long parent = parents.get(root);
            if (parent == null) {
                return root;
            }
            root = parent;
        }
        return root;
    }

    /** Returns the tables that a write to a table reaches by foreign keys, transitively; all tables are roots. */
    private static Set<Long> reached(long table, Map<Long, Set<Long>> cascades) {
        Set<Long> reached = new HashSet<>();
        List<Long> next = new ArrayList<>(List.of(table));
        while (!next.isEmpty()) {
            for (long child : cascades.getOrDefault(next.remove(next.size() - 1), Set.of())) {
                if (reached.add(child)) {
                    next.add(child);
                }
            }
        }
        return reached;
    }

    private static Optional<KeyType> keyType(String type) {
        return switch (type) {
            case "text", "varchar" -> Optional.of(KeyType.TEXT);
            case "uuid" -> Optional.of(KeyType.UUID);
            case "int2", "int4", "int8" -> Optional.of(KeyType.INTEGER);
            default -> Optional.empty();
        };
    }

    /** Returns the table that a statement names; empty if there is none, or if it is not a table, such as a view. */
    Optional<Table> find(Name name) {
        return Optional.ofNullable(name.schema().isEmpty() ? visible.get(name.table()) : tables.get(name));
    }
}
