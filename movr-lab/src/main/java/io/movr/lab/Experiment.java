package io.movr.lab;

import io.movr.published.PublishedFigures.Figure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of two sides: a published one, or one that a user describes in a folder.
 *
 * @param id the name in the published figures, or the name of the folder
 * @param title what is compared
 * @param lesson what it teaches
 * @param notes what a reader must know to judge it
 * @param city the city in whose region the statements are sent; {@code null} if the experiment needs no regions
 * @param published the figures that its ratio is compared with
 * @param isBuiltIn whether it comes with this program: its statements are trusted, and its rows are those of the dataset
 * @param tables the tables that it uses, of an experiment that is not built in
 * @param pricedWrites the writes whose latency is a part of the price of the change
 * @param scale which multiple of its rows it has, {@code null} if its folder has no scales
 */
record Experiment(
        String id,
        String title,
        String lesson,
        List<String> notes,
        @Nullable String city,
        Side before,
        Side after,
        List<Figure> published,
        boolean isBuiltIn,
        TableNames tables,
        List<MeasuredWrite> pricedWrites,
        @Nullable DataScale scale) {

    /** A built-in experiment of one region. */
    Experiment(String id, String title, String lesson, List<String> notes, Side before, Side after) {
        this(id, title, lesson, notes, null, before, after);
    }

    /** A built-in experiment whose statements are sent in the region of a city. */
    Experiment(
            String id,
            String title,
            String lesson,
            List<String> notes,
            @Nullable String city,
            Side before,
            Side after) {
        this(id, title, lesson, notes, city, before, after, List.of(), true, TableNames.NONE, List.of(), null);
    }

    /** Returns the experiment as a built-in one. */
    Experiment builtIn(List<Figure> figures) {
        return new Experiment(
                id, title, lesson, notes, city, before, after, figures, true, TableNames.NONE, List.of(), null);
    }

    boolean writes() {
        return before.operation().writes() || after.operation().writes();
    }

    /** Returns whether the price of its change is measured: on databases of its own, at the largest scale. */
    boolean isPriced() {
        return !isBuiltIn
                && (scale == null || scale.isLargest())
                && !before.contents().isLike(after.contents());
    }
}
