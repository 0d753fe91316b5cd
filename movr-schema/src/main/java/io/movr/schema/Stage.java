package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationVersion;

/**
 * A named version of the schema: one Flyway migration, and one lesson of CockroachDB's tutorials. Each stage builds on the
 * stages before it.
 */
public enum Stage {
    BASELINE(1, "six tables, each primary key beginning with the city"),
    FOREIGN_KEYS(2, "five foreign keys that carry the city"),
    NAME_INDEX(3, "an index on users (name)"),
    COVERING_INDEX(4, "the index on users (name) also carries credit_card"),
    JOIN_INDEX(5, "an index on rides (start_time) that carries rider_id"),
    UNUSED_INDEX_DROPPED(6, "the index on users (name) goes again"),
    GEO_PARTITIONED(7, "the rows of each city lie in its region; the index on rides (start_time) goes"),
    DATABASE_REGIONS(8, "the database knows its regions"),
    GLOBAL_PROMO_CODES(9, "promo codes are read in every region without leaving it; a foreign key leads to them"),
    REGIONAL_BY_ROW(10, "every row has a region, that of its city, and is placed there"),
    REGION_SURVIVAL(11, "a whole region may fail");

    private final int version;
    private final String purpose;

    Stage(int version, String purpose) {
        this.version = version;
        this.purpose = purpose;
    }

    /** Returns the last stage that an engine has. */
    public static Stage latest(Engine engine) {
        return of(engine).get(of(engine).size() - 1);
    }

    /** Returns the stages that an engine has, in order. */
    public static List<Stage> of(Engine engine) {
        return Arrays.stream(values())
                .filter(stage -> engine.isMultiRegion() || stage != REGION_SURVIVAL)
                .toList();
    }

    /** Returns the stages that do not place rows in regions, in order. */
    public static List<Stage> ofOneRegion() {
        return Arrays.stream(values()).filter(stage -> !stage.isRegional()).toList();
    }

    /**
     * Finds a stage by its name or version.
     *
     * @throws UserError if there is none; the message lists the existing ones
     */
    public static Stage named(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(stage -> stage.id().equals(wanted)
                        || Integer.toString(stage.version).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no stage '" + text + "': choose one of "
                        + Arrays.stream(values()).map(Stage::id).collect(Collectors.joining(", "))));
    }

    /**
     * As {@link #named(String)}, and {@code latest} is the last stage of an engine.
     *
     * @throws UserError when there is none of that name
     */
    public static Stage named(String text, Engine engine) {
        return text.strip().equalsIgnoreCase("latest") ? latest(engine) : named(text);
    }

    static Optional<Stage> ofVersion(MigrationVersion version) {
        return Arrays.stream(values())
                .filter(stage -> version.equals(stage.flywayVersion()))
                .findFirst();
    }

    /** Finds a stage by the version that Flyway noted in its table. */
    public static Optional<Stage> ofVersion(String version) {
        return ofVersion(MigrationVersion.fromVersion(version));
    }

    /** Returns the name that every command, file and report uses. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the version of its Flyway migration. */
    public int version() {
        return version;
    }

    /** Returns what it changes, in a line. */
    public String purpose() {
        return purpose;
    }

    /** Returns whether it places rows in regions. */
    public boolean isRegional() {
        return version >= GEO_PARTITIONED.version;
    }

    /** Returns whether CockroachDB moves rows and leaseholders because of it, which continues after the stage is applied. */
    public boolean movesRows() {
        return this == GEO_PARTITIONED || version >= REGIONAL_BY_ROW.version;
    }

    public boolean isBefore(Stage other) {
        return version < other.version;
    }

    MigrationVersion flywayVersion() {
        return MigrationVersion.fromVersion(Integer.toString(version));
    }

    @Override
    public String toString() {
        return id();
    }
}
