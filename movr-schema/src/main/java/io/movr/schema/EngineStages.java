package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The steps of a migration that an engine needs in addition to its scripts. The statements of stages that place rows name
 * regions and cities, so they are generated from the region map.
 */
interface EngineStages {

    /** The tables whose rows have a city, ordered so that every table follows the tables that its foreign keys reference. */
    List<String> TABLES =
            List.of("users", "vehicles", "rides", "vehicle_location_histories", "user_promo_codes", "idempotency_keys");

    /** Returns the stages of the given engine. */
    static EngineStages of(Engine engine, RegionMap regions) {
        return switch (engine) {
            case POSTGRESQL -> new PostgresStages(regions);
            case COCKROACHDB -> new CockroachStages(regions);
        };
    }

    /** Returns the statements of a stage that places rows, in order. */
    List<Change> changes(Stage stage);

    /**
     * Returns a query for what a migration is doing, in a row of text and fraction done, {@code null} where that is
     * unknown.
     */
    String progress();

    /** Returns why a stage cannot be applied to a database, and what to do; empty if it can. */
    Optional<String> obstacle(Gateway gateway, Stage target);

    /** Is called before the script of a stage runs on a connection. */
    default void beforeScript(Stage stage, Connection connection) throws SQLException {}

    /** Removes obstacles before the first stage is applied. */
    default void prepare(Gateway gateway, Optional<Stage> current, Stage target) {}

    /**
     * Waits for the jobs of a migration that failed or was killed, and removes its lock and notes.
     *
     * @throws UserError if another migration is running
     */
    default void clear(Gateway gateway, Consumer<MigrationProgress> progress) {}

    /** Returns the statements of a stage for people to read and for other programs to run. */
    default String script(Stage stage) {
        return "-- Stage " + stage.version() + ", " + stage + ": " + stage.purpose() + ".\n--\n" + lesson(stage) + "\n"
                + changes(stage).stream()
                        .map(change -> change.in("movr").script())
                        .collect(Collectors.joining());
    }

    private static String lesson(Stage stage) {
        return switch (stage) {
            case GEO_PARTITIONED -> """
                    -- What it teaches: rows that lie where they are asked for are read and written without leaving the region.
                    --   An index that no city begins can be placed nowhere, and goes.
                    -- Speeds up: SELECT id, ext FROM vehicles WHERE city = … AND type = 'bike' AND status = 'in_use'
                    --   from the city's region, and every write there
                    -- Published: geo-read-new-york, 10.80 (tuning-en) and 12.86 (tuning-zh) times faster; geo-write-new-york,
                    --   8.04 and 9.73; geo-write-los-angeles, 9.28 and 8.87.
                    """;
            case DATABASE_REGIONS -> """
                    -- What it teaches: a database that knows its regions places its tables by itself.
                    -- Speeds up: nothing; the next two stages need it.
                    -- Published: no ratio.
                    """;
            case GLOBAL_PROMO_CODES -> """
                    -- What it teaches: what is read everywhere and hardly written can be near everywhere, and its writes pay.
                    -- Speeds up: SELECT … FROM promo_codes WHERE code = … away from the primary region
                    -- Published: together with regional-by-row, multi-region-qps 1.89 and multi-region-p99 1.38 times better.
                    """;
            case REGIONAL_BY_ROW -> """
                    -- What it teaches: a row has its home region in a column; with the region computed from the city, keys stay
                    --   unique without asking other regions.
                    -- Speeds up: every statement on rows of the gateway's own region
                    -- Published: together with global-promo-codes, multi-region-qps 1.89 and multi-region-p99 1.38 times better.
                    """;
            case REGION_SURVIVAL -> """
                    -- What it teaches: what a whole region may cost: every write waits for a second one.
                    -- Speeds up: nothing.
                    -- Published: no ratio.
                    """;
            default -> throw new IllegalArgumentException(stage + " is a script");
        };
    }

    /** Returns the name of a region's partition. */
    static String partition(Region region) {
        return region.name().replace('-', '_');
    }

    /**
     * Returns the region of a row, as an expression on its city. The home region of a city that is
     * in none is the primary one.
     *
     * @param type what the region's name is cast to, as {@code ::type}, or nothing
     */
    static String regionOfCity(RegionMap regions, String type) {
        return regions.cities().entrySet().stream()
                .map(entry -> when(entry, type))
                .collect(Collectors.joining(
                        " ", "CASE ", " ELSE " + Sql.text(regions.primary().name()) + type + " END"));
    }

    private static String when(Map.Entry<Region, List<String>> entry, String type) {
        return "WHEN city IN (" + Sql.texts(entry.getValue()) + ") THEN "
                + Sql.text(entry.getKey().name()) + type;
    }
}
