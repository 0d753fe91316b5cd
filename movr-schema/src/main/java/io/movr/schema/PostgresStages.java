package io.movr.schema;

import io.movr.UserError;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Stages 7 to 10 on one PostgreSQL server, each in one transaction: their changes to the schema, without distances. */
final class PostgresStages implements EngineStages {

    /** The partition of the cities that lie in no region. */
    static final String ELSEWHERE = "elsewhere";

    static final Map<String, String> KEYS = Map.of(
            "users", "city, id",
            "vehicles", "city, id",
            "rides", "city, id",
            "vehicle_location_histories", "city, ride_id, \"timestamp\"",
            "user_promo_codes", "city, user_id, code",
            "idempotency_keys", "city, key");

    static final List<String> INDEXES = List.of(
            "vehicles_auto_index_fk_city_ref_users ON vehicles (city, owner_id)",
            "rides_auto_index_fk_city_ref_users ON rides (city, rider_id)",
            "rides_auto_index_fk_vehicle_city_ref_vehicles ON rides (vehicle_city, vehicle_id)",
            "idempotency_keys_city_creation_time_idx ON idempotency_keys (city, creation_time)");

    static final Map<String, String> FOREIGN_KEYS = Map.of(
            "vehicles ADD CONSTRAINT fk_city_ref_users FOREIGN KEY (city, owner_id)", "users (city, id)",
            "rides ADD CONSTRAINT fk_city_ref_users FOREIGN KEY (city, rider_id)", "users (city, id)",
            "rides ADD CONSTRAINT fk_vehicle_city_ref_vehicles FOREIGN KEY (vehicle_city, vehicle_id)",
                    "vehicles (city, id)",
            "vehicle_location_histories ADD CONSTRAINT fk_city_ref_rides FOREIGN KEY (city, ride_id)",
                    "rides (city, id)",
            "user_promo_codes ADD CONSTRAINT fk_city_ref_users FOREIGN KEY (city, user_id)", "users (city, id)");

    private final RegionMap regions;

    PostgresStages(RegionMap regions) {
        this.regions = regions;
    }

    @Override
    public List<Change> changes(Stage stage) {
        List<String> statements = switch (stage) {
            case GEO_PARTITIONED -> geoPartitioned();
            case DATABASE_REGIONS -> databaseRegions();
            case GLOBAL_PROMO_CODES ->
                List.of("ALTER TABLE user_promo_codes ADD CONSTRAINT fk_code_ref_promo_codes"
                        + " FOREIGN KEY (code) REFERENCES promo_codes (code) ON UPDATE CASCADE");
            case REGIONAL_BY_ROW -> regionalByRow();
            default -> throw new IllegalArgumentException(stage + " is no stage of this engine");
        };
        return statements.stream().map(Change::of).toList();
    }

    /**
     * Returns the statements that move the rows to partitioned tables, because PostgreSQL cannot partition an existing table.
     * The tables are locked until then.
     */
    private List<String> geoPartitioned() {
        List<String> statements = new ArrayList<>();
        statements.add("LOCK TABLE " + String.join(", ", TABLES) + " IN ACCESS EXCLUSIVE MODE");
        FOREIGN_KEYS.keySet().stream().sorted().forEach(key -> {
            String[] words = key.split(" ", 5);
            statements.add("ALTER TABLE " + words[0] + " DROP CONSTRAINT " + words[3]);
        });
        for (String table : TABLES) {
            String before = table + "_before";
            statements.add("ALTER TABLE " + table + " RENAME TO " + before);
            statements.add("CREATE TABLE " + table + " (LIKE " + before
                    + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY LIST (city)");
            for (Region region : regions.cities().keySet()) {
                statements.add("CREATE TABLE " + table + "_" + EngineStages.partition(region) + " PARTITION OF " + table
                        + " FOR VALUES IN (" + Sql.texts(regions.citiesOf(region)) + ")");
            }
            statements.add("CREATE TABLE " + table + "_" + ELSEWHERE + " PARTITION OF " + table + " DEFAULT");
            statements.add("INSERT INTO " + table + " SELECT * FROM " + before);
            statements.add("DROP TABLE " + before);
            statements.add("ALTER TABLE " + table + " ADD CONSTRAINT " + table + "_pkey PRIMARY KEY (" + KEYS.get(table)
                    + ")");
        }
        INDEXES.forEach(index -> statements.add("CREATE INDEX " + index));
        FOREIGN_KEYS.entrySet().stream()
                .map(key -> "ALTER TABLE " + key.getKey() + " REFERENCES " + key.getValue())
                .sorted()
                .forEach(statements::add);
        TABLES.forEach(table -> statements.add("ANALYZE " + table));
        return statements;
    }

    @Override
    public String progress() {
        return """
                SELECT activity, (
                    SELECT max(CAST(blocks_done AS FLOAT) / nullif(blocks_total, 0))
                    FROM pg_stat_progress_create_index WHERE datname = current_database())
                FROM (%s) AS oldest""".formatted(Engine.POSTGRESQL.activity(MigrationWatch.MIGRATING));
    }

    /** Returns why stages that place rows are refused on one of several regional servers. */
    @Override
    public Optional<String> obstacle(Gateway gateway, Stage target) {
        if (!target.isRegional()) {
            return Optional.empty();
        }
        try (Connection connection = gateway.connect(MigrationWatch.MIGRATING)) {
            boolean links = !Rows.query(
                            connection, "SELECT 1 FROM pg_namespace WHERE nspname = ?", List.of(EmbeddedRegions.SCHEMA))
                    .isEmpty();
            return links
                    ? Optional.of(
                            "it is one server of regions that 'movr regions start' has started; leave out --url and"
                                    + " migrate while they run")
                    : Optional.empty();
        } catch (SQLException failed) {
            throw new UserError("Cannot ask " + gateway.shown() + ": " + UserError.firstLine(failed), failed);
        }
    }

    private List<String> databaseRegions() {
        String rows = regions.cities().keySet().stream()
                .map(region -> "(" + Sql.text(region.name()) + ", " + region.equals(regions.primary()) + ")")
                .collect(Collectors.joining(", "));
        return List.of(
                "CREATE TABLE regions (name VARCHAR PRIMARY KEY, is_primary BOOLEAN NOT NULL)",
                "CREATE UNIQUE INDEX regions_one_primary_idx ON regions (is_primary) WHERE is_primary",
                "INSERT INTO regions (name, is_primary) VALUES " + rows,
                // A server says where it stands by the setting movr.region; one that does not is in the primary region.
                "CREATE FUNCTION gateway_region() RETURNS VARCHAR LANGUAGE SQL STABLE RETURN coalesce("
                        + "nullif(current_setting('movr.region', true), ''),"
                        + " (SELECT name FROM regions WHERE is_primary))");
    }

    private List<String> regionalByRow() {
        return TABLES.stream()
                .map(table -> "ALTER TABLE " + table + " ADD COLUMN region VARCHAR NOT NULL GENERATED ALWAYS AS ("
                        + EngineStages.regionOfCity(regions, "") + ") STORED")
                .toList();
    }
}
