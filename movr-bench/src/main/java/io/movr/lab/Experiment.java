package io.movr.lab;

import io.movr.published.PublishedFigures.Figure;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as it is measured here: a published one, or one that a folder describes.
 *
 * @param id as in the published figures, or the name of the folder
 * @param title what is compared
 * @param lesson what it teaches
 * @param notes what a reader must know to judge it
 * @param city of several regions: that in whose region the statements are sent; {@code null} if one database will do
 * @param own what is known of an experiment of a folder, {@code null} for the others
 */
record Experiment(
        String id,
        String title,
        String lesson,
        List<String> notes,
        @Nullable String city,
        Side before,
        Side after,
        @Nullable Own own) {

    /** One that needs no regions. */
    Experiment(String id, String title, String lesson, List<String> notes, Side before, Side after) {
        this(id, title, lesson, notes, null, before, after, null);
    }

    /** One whose statements are sent in the region of a city. */
    Experiment(String id, String title, String lesson, List<String> notes, String city, Side before, Side after) {
        this(id, title, lesson, notes, city, before, after, null);
    }

    /**
     * What only a folder says.
     *
     * @param tables whose rows are counted; all of them where none is named
     * @param published ratios to compare with
     */
    record Own(Path folder, List<String> tables, List<Figure> published) {}

    boolean writes() {
        return before.operation().writes() || after.operation().writes();
    }

    /**
     * One of the two sides.
     *
     * @param label what distinguishes it from the other
     * @param contents of the database that it runs on
     */
    record Side(String label, Contents contents, Operation operation) {

        /** One that runs on MovR's rows at a stage. */
        Side(String label, Stage stage, Operation operation) {
            this(label, Contents.at(stage), operation);
        }

        /** The stage of a side that runs on a stage and nothing else. */
        Stage stage() {
            return contents.stage().orElseThrow();
        }
    }
}
