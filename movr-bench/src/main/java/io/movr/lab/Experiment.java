package io.movr.lab;

import io.movr.schema.Stage;
import java.util.List;

/**
 * A published comparison as it is measured here.
 *
 * @param id as in the published figures
 * @param title what is compared
 * @param lesson what it teaches
 * @param notes what a reader must know to judge it
 */
record Experiment(String id, String title, String lesson, List<String> notes, Side before, Side after) {

    boolean writes() {
        return before.operation().writes() || after.operation().writes();
    }

    /**
     * One of the two sides.
     *
     * @param label what distinguishes it from the other
     * @param stage of the schema that it runs on
     */
    record Side(String label, Stage stage, Operation operation) {}
}
