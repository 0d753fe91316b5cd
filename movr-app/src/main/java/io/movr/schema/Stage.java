package io.movr.schema;

import io.movr.Refusal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationVersion;

/**
 * A version of the schema, named: one Flyway migration, one lesson of CockroachDB's tutorials. In their order each
 * builds on the ones before.
 */
public enum Stage {
    BASELINE(1, "six tables, each primary key beginning with the city"),
    FOREIGN_KEYS(2, "five foreign keys that carry the city"),
    NAME_INDEX(3, "an index on users (name)"),
    COVERING_INDEX(4, "the index on users (name) also carries credit_card"),
    JOIN_INDEX(5, "an index on rides (start_time) that carries rider_id"),
    UNUSED_INDEX_DROPPED(6, "the index on users (name) goes again");

    private final int version;
    private final String purpose;

    Stage(int version, String purpose) {
        this.version = version;
        this.purpose = purpose;
    }

    public static Stage latest() {
        return values()[values().length - 1];
    }

    /**
     * Finds a stage by its name or version, or {@code latest}.
     *
     * @throws Refusal when there is none, listing those that there are
     */
    public static Stage named(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        if (wanted.equals("latest")) {
            return latest();
        }
        return Arrays.stream(values())
                .filter(stage -> stage.id().equals(wanted)
                        || Integer.toString(stage.version).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new Refusal("There is no stage '" + text + "': choose one of "
                        + Arrays.stream(values()).map(Stage::id).collect(Collectors.joining(", ")) + ", latest"));
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

    /** The name that every command, file and report uses. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The version of its Flyway migration. */
    public int version() {
        return version;
    }

    /** What it changes, in a line. */
    public String purpose() {
        return purpose;
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
