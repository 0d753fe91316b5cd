package io.movr.lab;

import io.movr.published.PublishedFigures.Figure;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
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
     * @param words of all SQL of the folder, the names of tables among them
     * @param published ratios to compare with
     * @param writes whose latency is a part of the price of the change
     * @param multiple which of its scales this is, {@code null} if the folder has none
     */
    record Own(
            Path folder,
            List<String> tables,
            Set<String> words,
            List<Figure> published,
            List<Write> writes,
            @Nullable Multiple multiple) {}

    /**
     * One of the experiments of a folder that is repeated on multiples of its rows.
     *
     * @param of the name of the folder
     * @param scale how many times the rows there are
     * @param largest whether none of the others has more
     */
    record Multiple(String of, int scale, boolean largest) {

        /** What separates the name of the folder from the scale. */
        static final String AT = "@";

        String id() {
            return of + AT + scale;
        }
    }

    /**
     * A write that is measured beside an experiment, on the databases of its sides.
     *
     * @param maxSlowdownPercent by how much it may become slower, {@code null} if there is no bound
     */
    record Write(String name, @Nullable Double maxSlowdownPercent, Experiment experiment) {}

    boolean writes() {
        return before.operation().writes() || after.operation().writes();
    }

    /** The same as one of the laboratory's own: its published figures are known, and its rows are those of the run. */
    Experiment builtIn() {
        return new Experiment(id, title, lesson, notes, before, after);
    }

    /**
     * Whether it changes the schema of a database of its own, so that the price of the change is measured; of several scales at
     * the largest.
     */
    boolean isPriced() {
        return own != null
                && (own.multiple() == null || own.multiple().largest())
                && !before.contents().isLike(after.contents());
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

        /** The same databases with another operation. */
        Side with(Operation other) {
            return new Side(label, contents, other);
        }

        /** The stage of a side that runs on a stage and nothing else. */
        Stage stage() {
            return contents.stage().orElseThrow();
        }
    }
}
