package io.movr.lab;

import io.movr.schema.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A published comparison as it is measured here.
 *
 * @param id as in the published figures
 * @param title what is compared
 * @param lesson what it teaches
 * @param notes what a reader must know to judge it
 * @param city of several regions: that in whose region the statements are sent; nothing where one database will do
 */
record Experiment(
        String id,
        String title,
        String lesson,
        List<String> notes,
        @Nullable String city,
        Side before,
        Side after) {

    /** One that needs no regions. */
    Experiment(String id, String title, String lesson, List<String> notes, Side before, Side after) {
        this(id, title, lesson, notes, null, before, after);
    }

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
