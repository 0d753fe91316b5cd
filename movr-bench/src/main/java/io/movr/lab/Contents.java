package io.movr.lab;

import io.movr.schema.Stage;
import java.util.Optional;

/**
 * What a database holds that a side runs on. Sides whose contents are equal share a database.
 *
 * @param source where the rows come from
 * @param changes script that then changes the schema, empty if there is none
 */
record Contents(Source source, Optional<SqlFile> changes) {

    /** Where rows come from. */
    sealed interface Source {

        /** In a few words. */
        String describe();
    }

    /** MovR's rows, generated. */
    record Movr(Stage stage) implements Source {

        @Override
        public String describe() {
            return "movr@" + stage;
        }
    }

    /** Those that a script makes. */
    record Seeded(SqlFile script) implements Source {

        @Override
        public String describe() {
            return script.name();
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
        return new Contents(new Movr(stage), Optional.empty());
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
