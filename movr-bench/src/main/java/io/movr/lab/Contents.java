package io.movr.lab;

import io.movr.database.Gateway;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a database holds that a side runs on. Sides whose contents are equal share a database.
 *
 * @param source where the rows come from
 * @param changes what then changes the schema, empty if nothing does
 */
record Contents(Source source, Optional<? extends Change> changes) {

    /** What makes the schema of a side. */
    sealed interface Change permits SqlFile, Migrations {

        /** Where it is written, for messages. */
        Path file();

        /** What results call it. */
        String name();

        /**
         * Changes the schema of a database.
         *
         * @param asUser the same database, with the rights of the user of the cluster
         * @return the seconds that it took
         * @throws io.movr.UserError if it fails, naming where
         */
        double run(Gateway database, Gateway asUser);
    }

    /** Where rows come from. */
    sealed interface Source {

        /** In a few words. */
        String describe();
    }

    /**
     * MovR's rows, generated.
     *
     * @param scale how many times the rows of the run's dataset
     */
    record Movr(Stage stage, int scale) implements Source {

        @Override
        public String describe() {
            return "movr@" + stage;
        }
    }

    /**
     * Those that a script makes.
     *
     * @param schema what makes the tables for it, empty if the script does so itself
     */
    record Seeded(SqlFile script, Optional<Migrations> schema) implements Source {

        @Override
        public String describe() {
            return schema.map(change -> change.name() + ", ").orElse("") + script.name();
        }
    }

    /** Those of the database that is named, which is copied. */
    record Named() implements Source {

        @Override
        public String describe() {
            return "copy";
        }
    }

    static Contents at(Stage stage) {
        return new Contents(new Movr(stage, 1), Optional.empty());
    }

    /** Whether both databases have the same rows and schema: what changes them may be in two files. */
    boolean isLike(Contents other) {
        return source.equals(other.source) && statements(changes).equals(statements(other.changes));
    }

    private static Object statements(Optional<? extends Change> changes) {
        return changes.orElse(null) instanceof SqlFile script
                ? script.statements().stream().map(SqlStatement::text).toList()
                : changes;
    }

    /** The stage, where it is MovR's rows at a stage and nothing else; empty otherwise. */
    Optional<Stage> stage() {
        return source instanceof Movr movr && changes.isEmpty() ? Optional.of(movr.stage()) : Optional.empty();
    }

    /** Of a stage its name, otherwise what it was made of, in order. */
    String describe() {
        return stage().map(Stage::id)
                .orElseGet(() -> source.describe()
                        + changes.map(script -> ", " + script.name()).orElse(""));
    }
}
