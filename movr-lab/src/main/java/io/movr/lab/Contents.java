package io.movr.lab;

import io.movr.database.Gateway;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The contents of the database that a side runs on. Sides whose contents are equal share a database.
 *
 * @param source where the rows come from
 * @param changes what changes the schema after that, empty if nothing does
 */
record Contents(Source source, Optional<? extends Change> changes) {

    /** A change that makes the schema of a side. */
    sealed interface Change permits SqlFile, Migrations {

        /** Returns the file that holds the change, for messages. */
        Path file();

        /** Returns the name of the change in results. */
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

    /** The source of the rows. */
    sealed interface Source {

        /** Describes the source in a few words. */
        String describe();
    }

    /**
     * The generated rows of MovR.
     *
     * @param scale how many times the rows of the dataset of the run
     */
    record Movr(Stage stage, int scale) implements Source {

        @Override
        public String describe() {
            return "movr@" + stage;
        }
    }

    /**
     * Rows that a script makes.
     *
     * @param schema the migrations that make the tables, empty if the script makes them
     */
    record Seeded(SqlFile script, Optional<Migrations> schema) implements Source {

        @Override
        public String describe() {
            return schema.map(change -> change.name() + ", ").orElse("") + script.name();
        }
    }

    /** The rows of the database that the user names, which is copied. */
    record Named() implements Source {

        @Override
        public String describe() {
            return "copy";
        }
    }

    static Contents at(Stage stage) {
        return new Contents(new Movr(stage, 1), Optional.empty());
    }

    /** Returns whether both databases have the same rows and schema, even if two files make the change. */
    boolean isLike(Contents other) {
        return source.equals(other.source) && statements(changes).equals(statements(other.changes));
    }

    private static Object statements(Optional<? extends Change> changes) {
        return changes.orElse(null) instanceof SqlFile script
                ? script.statements().stream().map(SqlStatement::text).toList()
                : changes;
    }

    /** Returns the stage if the contents are MovR's rows at a stage and nothing else; empty otherwise. */
    Optional<Stage> stage() {
        return source instanceof Movr movr && changes.isEmpty() ? Optional.of(movr.stage()) : Optional.empty();
    }

    /** Describes the contents: the name of a stage, or else what the database is made of, in order. */
    String describe() {
        return stage().map(Stage::id)
                .orElseGet(() -> source.describe()
                        + changes.map(script -> ", " + script.name()).orElse(""));
    }
}
