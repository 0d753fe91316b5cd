package io.movr.database;

/** A kind of database: which migrations, statements and plans are its own. */
public enum Engine {
    POSTGRESQL("PostgreSQL", "postgresql"),
    COCKROACHDB("CockroachDB", "cockroachdb");

    private final String title;
    private final String folder;

    Engine(String title, String folder) {
        this.title = title;
        this.folder = folder;
    }

    public String title() {
        return title;
    }

    /** The name that stands in paths: of its migrations, of run bundles. */
    public String folder() {
        return folder;
    }

    /** Reads an engine from what {@code SELECT version()} answers. */
    public static Engine ofVersion(String version) {
        return version.startsWith("CockroachDB") ? COCKROACHDB : POSTGRESQL;
    }
}
