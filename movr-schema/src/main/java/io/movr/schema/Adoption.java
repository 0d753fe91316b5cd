package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.StatementWatchdog;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adopts a CockroachDB database with MovR's tables that another program created, such as {@code cockroach workload init movr}:
 * it brings the schema to stage {@link Stage#FOREIGN_KEYS} without changing a row. To find what the schema lacks, it creates a
 * database for comparison, which it drops afterwards.
 */
public final class Adoption {

    /** Flyway's table, which no database of another program has. */
    private static final String FLYWAY = "flyway_schema_history";

    private static final String MADE_HERE = "idempotency_keys";
    private static final String NOT_VALID = " NOT VALID";

    private static final String COLUMNS = """
            SELECT table_name, column_name, crdb_sql_type || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
            FROM information_schema.columns WHERE table_schema = 'public' AND is_hidden = 'NO'
            ORDER BY table_name, ordinal_position""";
    private static final String CONSTRAINTS = """
            SELECT t.relname, c.conname, pg_get_constraintdef(c.oid)
            FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
            WHERE c.connamespace = 'public'::REGNAMESPACE ORDER BY t.relname, c.conname""";
    private static final String INDEXES = """
            SELECT table_name, index_name, CASE max(non_unique) WHEN 'YES' THEN '' ELSE 'UNIQUE ' END || 'INDEX ('
                || string_agg(CASE WHEN storing = 'NO' AND implicit = 'NO' THEN column_name || ' ' || direction END, ', '
                    ORDER BY seq_in_index) || ')'
                || COALESCE(' STORING (' || string_agg(CASE WHEN storing = 'YES' THEN column_name END, ', '
                    ORDER BY column_name) || ')', '')
            FROM information_schema.statistics
            WHERE table_schema = 'public' AND index_name NOT IN (
                SELECT conname FROM pg_constraint WHERE contype = 'p' AND connamespace = 'public'::REGNAMESPACE)
            GROUP BY table_name, index_name ORDER BY table_name, index_name""";

    private final Gateway gateway;
    private final Schema schema;
    private final List<String> differences = new ArrayList<>();
    private final List<String> obstacles = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();

    /** Definitions by table, then by name. */
    private record Structure(
            Map<String, Map<String, String>> columns,
            Map<String, Map<String, String>> constraints,
            Map<String, Map<String, String>> indexes) {

        static Structure of(Gateway gateway) throws SQLException {
            try (Connection connection = gateway.connect(MigrationWatch.MIGRATING);
                    Statement statement = connection.createStatement()) {
                return new Structure(
                        byTable(statement, COLUMNS), byTable(statement, CONSTRAINTS), byTable(statement, INDEXES));
            }
        }

        private static Map<String, Map<String, String>> byTable(Statement statement, String sql) throws SQLException {
            Map<String, Map<String, String>> byTable = new TreeMap<>();
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    byTable.computeIfAbsent(rows.getString(1), table -> new LinkedHashMap<>())
                            .put(rows.getString(2), rows.getString(3));
                }
            }
            return byTable;
        }
    }

    /**
     * Compares a database with what movr makes itself.
     *
     * @throws UserError if it is not a database of CockroachDB, has been migrated by movr, or does not answer
     */
    public Adoption(Cluster cluster, RegionMap regions) {
        if (cluster.engine() != Engine.COCKROACHDB) {
            throw new UserError(
                    "Only databases of CockroachDB can be adopted, such as 'cockroach workload init movr' makes;"
                            + " this is " + cluster.engine().title());
        }
        this.gateway = cluster.gateway();
        this.schema = new Schema(cluster.engine(), gateway, regions);
        schema.current().ifPresent(stage -> {
            throw new UserError(
                    gateway.shown() + " has been migrated by movr, to stage " + stage + ": leave out --adopt");
        });
        try (Databases databases = new Databases(cluster)) {
            Gateway model = databases.create("adopt");
            new Schema(cluster.engine(), model, regions).migrateTo(Stage.FOREIGN_KEYS);
            compare(Structure.of(model), Structure.of(gateway));
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot read the schema of " + gateway.shown() + ": " + UserError.firstLine(failed), failed);
        }
    }

    private void compare(Structure wanted, Structure found) {
        for (String table : wanted.columns().keySet()) {
            if (table.equals(FLYWAY)) {
                continue;
            }
            Map<String, String> columns = found.columns().get(table);
            if (columns == null) {
                (table.equals(MADE_HERE) ? differences : obstacles).add("table " + table + " is missing");
                continue;
            }
            compareColumns(table, of(wanted.columns(), table), columns);
            compare(table, "constraint", of(wanted.constraints(), table), of(found.constraints(), table));
            compare(table, "index", of(wanted.indexes(), table), of(found.indexes(), table));
        }
        found.columns().keySet().stream()
                .filter(table -> !wanted.columns().containsKey(table))
                .forEach(table -> differences.add("table " + table + " is not one of MovR's, and stays as it is"));
    }

    private static Map<String, String> of(Map<String, Map<String, String>> byTable, String table) {
        return byTable.getOrDefault(table, Map.of());
    }

    private void compareColumns(String table, Map<String, String> wanted, Map<String, String> found) {
        wanted.forEach((column, type) -> {
            String there = found.get(column);
            if (there == null) {
                obstacles.add("column " + table + "." + column + " is missing");
            } else if (!there.equals(type)) {
                obstacles.add("column " + table + "." + column + " is " + there + " instead of " + type);
            }
        });
        found.keySet().stream()
                .filter(column -> !wanted.containsKey(column))
                .forEach(column -> differences.add(
                        "column " + table + "." + column + " is not one of MovR's, and stays as it is"));
        List<String> common =
                found.keySet().stream().filter(wanted::containsKey).toList();
        if (!common.equals(wanted.keySet().stream().filter(common::contains).toList())) {
            differences.add("the columns of " + table + " are in another order, and stay in it");
        }
    }

    /** What is there under another name is renamed, because later stages name it. */
    private void compare(String table, String kind, Map<String, String> wanted, Map<String, String> found) {
        Map<String, String> others = new LinkedHashMap<>(found);
        wanted.keySet().forEach(others::remove);
        wanted.forEach((name, definition) -> {
            String there = found.get(name);
            String what = kind + " " + name + " of " + table;
            if (there == null) {
                String other = others.entrySet().stream()
                        .filter(candidate -> valid(candidate.getValue()).equals(definition))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(null);
                if (other != null) {
                    there = others.remove(other);
                    differences.add(kind + " " + other + " of " + table + " becomes " + name);
                    statements.add(rename(table, kind, other, name));
                }
            }
            if (there == null) {
                boolean made = definition.contains("FOREIGN KEY") || kind.equals("index");
                (made ? differences : obstacles).add(what + " is missing: " + definition);
            } else if (!valid(there).equals(definition)) {
                obstacles.add(what + " is " + there + " instead of " + definition);
            } else if (!there.equals(definition)) {
                differences.add(what + " has not been checked for the rows that are there, and is now");
                statements.add("ALTER TABLE " + table + " VALIDATE CONSTRAINT " + Sql.name(name));
            }
        });
        others.keySet()
                .forEach(name -> differences.add(
                        kind + " " + name + " of " + table + " is not one of MovR's, and stays as it is"));
    }

    private static String rename(String table, String kind, String from, String to) {
        return kind.equals("index")
                ? "ALTER INDEX " + table + "@" + Sql.name(from) + " RENAME TO " + Sql.name(to)
                : "ALTER TABLE " + table + " RENAME CONSTRAINT " + Sql.name(from) + " TO " + Sql.name(to);
    }

    /** Returns a constraint's definition, as it is when all rows have been checked. */
    private static String valid(String definition) {
        return definition.endsWith(NOT_VALID)
                ? definition.substring(0, definition.length() - NOT_VALID.length())
                : definition;
    }

    /** Returns the differences from the schema that movr creates, one line each; {@link #adopt} creates what is missing. */
    public List<String> differences() {
        return List.copyOf(differences);
    }

    /** Returns why it cannot be adopted, a line each; empty if it can. */
    public List<String> obstacles() {
        return List.copyOf(obstacles);
    }

    /**
     * Renames existing objects to the names that stages use, and creates the missing ones. It can be repeated when it was
     * interrupted.
     *
     * @throws UserError if there are {@link #obstacles}, or a statement fails
     */
    public void adopt() {
        if (!obstacles.isEmpty()) {
            throw new UserError(gateway.shown() + " cannot be adopted: " + String.join("; ", obstacles));
        }
        StatementWatchdog.Question question =
                StatementWatchdog.activity(Engine.COCKROACHDB, MigrationWatch.MIGRATING, trouble -> {});
        try (StatementWatchdog watch = new StatementWatchdog(gateway, StatementWatchdog.Limits.STANDARD, question)) {
            try (Connection connection = watch.connect(MigrationWatch.MIGRATING)) {
                for (String sql : statements) {
                    Rows.execute(connection, sql);
                }
            } catch (SQLException failed) {
                throw new UserError("Cannot adopt " + gateway.shown() + ": " + watch.reason(failed), failed);
            }
        }
        schema.adopt();
    }
}
