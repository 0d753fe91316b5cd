package io.movr.schema;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stages 7 to 11 in CockroachDB's words, in the order that was seen to work. They run outside transactions, each statement
 * by itself, and each can be repeated. Where a region has fewer than {@value RegionMap#SAFE_NODES} nodes, its rows have one
 * voting replica until the last stage, because more of them could not all be in the region.
 */
final class CockroachStages implements EngineStages {

    /** A secondary index, with the column that holds the city. */
    private record CityIndex(String name, String column) {}

    private static final Map<String, List<CityIndex>> INDEXES = Map.of(
            "vehicles", List.of(new CityIndex("vehicles_auto_index_fk_city_ref_users", "city")),
            "rides",
                    List.of(
                            new CityIndex("rides_auto_index_fk_city_ref_users", "city"),
                            new CityIndex("rides_auto_index_fk_vehicle_city_ref_vehicles", "vehicle_city")),
            "idempotency_keys", List.of(new CityIndex("idempotency_keys_city_creation_time_idx", "city")));

    /** The tables that have most of MovR's rows. */
    private static final List<String> LARGE_TABLES = List.of("rides", "vehicle_location_histories");

    private static final Pattern ADDITION = Pattern.compile("ALTER TABLE (\\w+)\\s+(ADD CONSTRAINT [^;]+);");

    private final RegionMap regions;

    CockroachStages(RegionMap regions) {
        this.regions = regions;
    }

    @Override
    public List<Change> changes(Stage stage) {
        return switch (stage) {
            case GEO_PARTITIONED -> geoPartitioned();
            case DATABASE_REGIONS -> databaseRegions();
            case GLOBAL_PROMO_CODES -> globalPromoCodes();
            case REGIONAL_BY_ROW -> regionalByRow();
            case REGION_SURVIVAL -> regionSurvival();
            default -> throw new IllegalArgumentException(stage + " is a script");
        };
    }

    @Override
    public String progress() {
        return """
                SELECT description, fraction_completed FROM [SHOW JOBS]
                WHERE status = 'running' AND job_type IN ('SCHEMA CHANGE', 'NEW SCHEMA CHANGE')
                ORDER BY created DESC LIMIT 1""";
    }

    /**
     * Does what a script does in fewer jobs of the server, each of which takes 0.2 s on one node and seconds over distances;
     * the script then finds it done. Flyway's scripts run outside transactions, where each index on a table that is there and
     * each foreign key is a job. MovR's tables with their indexes are made in one transaction, where there are none, and the
     * foreign keys of a table in one statement.
     */
    @Override
    public void beforeScript(Stage stage, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (stage == Stage.BASELINE && !hasTables(connection)) {
                // Otherwise a transaction ends before the next DDL.
                statement.execute(off("autocommit_before_ddl"));
                ServerSql.transaction(statement, all -> all.execute(Schema.file(Engine.COCKROACHDB, stage)));
            } else if (stage == Stage.FOREIGN_KEYS) {
                Map<String, String> additions = new LinkedHashMap<>();
                Matcher script = ADDITION.matcher(Schema.file(Engine.COCKROACHDB, stage));
                while (script.find()) {
                    additions.merge(script.group(1), script.group(2), (one, other) -> one + ", " + other);
                }
                for (Map.Entry<String, String> table : additions.entrySet()) {
                    statement.execute("ALTER TABLE " + table.getKey() + " " + table.getValue());
                }
            }
        }
    }

    /** Returns the statement that switches a setting off for a session, on servers that have it. */
    private static String off(String setting) {
        return "SELECT set_config(variable, 'off', false) FROM [SHOW ALL] WHERE variable = " + Sql.text(setting);
    }

    private static boolean hasTables(Connection connection) throws SQLException {
        return !Rows.query(
                        connection,
                        "SELECT table_name FROM [SHOW TABLES] WHERE table_name IN (" + Sql.texts(TABLES)
                                + ", 'promo_codes')",
                        List.of())
                .isEmpty();
    }

    @Override
    public Optional<String> obstacle(Gateway gateway, Stage target) {
        return new FailedMigrationCleanup(gateway)
                .missingRegions(regions, target)
                .map(why -> why + "; start nodes with --locality=region=…, or name their regions with --home");
    }

    /** Removes the lease preference, which partitions would inherit. */
    @Override
    public void prepare(Gateway gateway, Optional<Stage> current, Stage target) {
        if (!target.isBefore(Stage.GEO_PARTITIONED)
                && (current.isEmpty() || current.get().isBefore(Stage.GEO_PARTITIONED))) {
            CockroachPlacement.preferNone(gateway);
        }
    }

    @Override
    public void clear(Gateway gateway, Consumer<MigrationProgress> progress) {
        new FailedMigrationCleanup(gateway).clear(progress);
    }

    private List<Change> geoPartitioned() {
        List<Change> changes = new ArrayList<>();
        changes.add(Change.of("DROP INDEX IF EXISTS rides@rides_start_time_idx"));
        for (String table : TABLES) {
            changes.add(Change.of("ALTER TABLE " + table + " PARTITION BY LIST (city) (" + partitions() + ")"));
            indexes(table)
                    .forEach(index -> changes.add(Change.of("ALTER INDEX " + table + "@" + index.name()
                            + " PARTITION BY LIST (" + index.column() + ") (" + partitions() + ")")));
            for (Region region : regions.cities().keySet()) {
                changes.add(Change.of("ALTER PARTITION " + EngineStages.partition(region) + " OF INDEX " + table
                        + "@* CONFIGURE ZONE USING " + (regions.survivesLossOfNode() ? "" : "num_replicas = 1, ")
                        + "constraints = '[+region="
                        + region + "]'"));
            }
        }
        return changes;
    }

    private String partitions() {
        return regions.cities().entrySet().stream()
                .map(entry -> "PARTITION " + EngineStages.partition(entry.getKey()) + " VALUES IN ("
                        + Sql.texts(entry.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    private List<Change> databaseRegions() {
        List<Change> changes = changes();
        for (String table : TABLES) {
            indexes(table)
                    .forEach(index -> changes.add(Change.conditional(
                            "ALTER INDEX " + table + "@" + index.name() + " PARTITION BY NOTHING",
                            partitioned(table, index.name()))));
            changes.add(Change.conditional(
                    "ALTER TABLE " + table + " PARTITION BY NOTHING", partitioned(table, table + "_pkey")));
        }
        changes.add(Change.of("ALTER DATABASE " + Change.DATABASE + " SET PRIMARY REGION "
                + Sql.name(regions.primary().name())));
        for (Region region : regions.cities().keySet()) {
            if (!region.equals(regions.primary())) {
                changes.add(Change.of(
                        "ALTER DATABASE " + Change.DATABASE + " ADD REGION IF NOT EXISTS " + Sql.name(region.name())));
            }
        }
        if (!regions.survivesLossOfNode()) {
            changes.add(oneVoter("DATABASE " + Change.DATABASE));
        }
        return changes;
    }

    private static Change oneVoter(String what) {
        return Change.of("ALTER " + what + " CONFIGURE ZONE USING num_voters = 1");
    }

    private List<Change> regionSurvival() {
        List<Change> changes = changes();
        changes.add(Change.of("ALTER DATABASE " + Change.DATABASE + " SURVIVE REGION FAILURE"));
        return changes;
    }

    /** Returns the changes that precede the changes of a stage. */
    private List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        if (!regions.survivesLossOfNode()) {
            // Without it, a zone that a database with regions has set up can be changed neither by us nor again by
            // itself.
            changes.add(Change.of("SET override_multi_region_zone_config = true"));
        }
        return changes;
    }

    /** Returns the condition for an index that has partitions. A database with regions allows no partitions. */
    private static String partitioned(String table, String index) {
        return "SELECT 1 FROM [SHOW PARTITIONS FROM TABLE " + table + "] WHERE index_name = "
                + Sql.text(table + "@" + index);
    }

    private List<Change> globalPromoCodes() {
        List<Change> changes = changes();
        changes.add(unlock("promo_codes"));
        changes.add(Change.of("ALTER TABLE promo_codes SET LOCALITY GLOBAL"));
        changes.add(lock("promo_codes"));
        if (!regions.survivesLossOfNode()) {
            changes.add(oneVoter("TABLE promo_codes"));
        }
        changes.add(Change.of("ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_code_ref_promo_codes"
                + " FOREIGN KEY (code) REFERENCES promo_codes (code) ON UPDATE CASCADE"));
        return changes;
    }

    private List<Change> regionalByRow() {
        List<Change> changes = changes();
        // Fills the columns in place, in seconds also over distances. The declarative schema changer makes a second
        // primary index for each, which takes half a minute, and SET LOCALITY makes another one anyway. Several tables
        // at once take little longer than one, because each change waits for all nodes a dozen times. Localities write
        // all rows and their indexes again: of the large tables all at once, that stalls the traffic of others.
        changes.add(Change.of(off("use_declarative_schema_changer")));
        changes.add(Change.of(off("autocommit_before_ddl")));
        TABLES.forEach(table -> changes.add(unlock(table)));
        changes.add(Change.of(TABLES.stream()
                .map(table -> "ALTER TABLE " + table
                        + " ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS ("
                        + EngineStages.regionOfCity(regions, "::crdb_internal_region") + ") STORED")
                .toList()));
        List<String> small =
                TABLES.stream().filter(table -> !LARGE_TABLES.contains(table)).toList();
        Stream.concat(Stream.of(small), LARGE_TABLES.stream().map(List::of))
                .forEach(tables -> changes.add(Change.of(tables.stream()
                        .map(table -> "ALTER TABLE " + table + " SET LOCALITY REGIONAL BY ROW AS region")
                        .toList())));
        TABLES.forEach(table -> changes.add(lock(table)));
        if (!regions.survivesLossOfNode()) {
            TABLES.forEach(table -> regions.cities()
                    .keySet()
                    .forEach(region -> changes.add(
                            oneVoter("PARTITION " + Sql.name(region.name()) + " OF INDEX " + table + "@*"))));
        }
        return changes;
    }

    /** Returns the change that unlocks a table. Only setting a locality does not unlock it implicitly. */
    private static Change unlock(String table) {
        return Change.of("ALTER TABLE " + table + " SET (schema_locked = false)");
    }

    private static Change lock(String table) {
        return Change.of("ALTER TABLE " + table + " RESET (schema_locked)");
    }

    private static List<CityIndex> indexes(String table) {
        return INDEXES.getOrDefault(table, List.of());
    }
}
