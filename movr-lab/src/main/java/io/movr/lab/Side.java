package io.movr.lab;

import io.movr.schema.Stage;

/**
 * A side of an experiment.
 *
 * @param label what distinguishes it from the other side
 * @param contents the contents of the database that it runs on
 */
record Side(String label, Contents contents, Operation operation) {

    /** A side that runs on MovR's rows at a stage. */
    Side(String label, Stage stage, Operation operation) {
        this(label, Contents.at(stage), operation);
    }

    /** Returns the side with another operation on the same database. */
    Side with(Operation other) {
        return new Side(label, contents, other);
    }

    /** Returns the stage of a side that runs on a stage and nothing else. */
    Stage stage() {
        return contents.stage().orElseThrow();
    }
}
