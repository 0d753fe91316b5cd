package io.movr.report.model;

import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cell of a table.
 *
 * @param parts in reading order
 * @param value what it is sorted by, and what CSV holds; {@code null} for text
 * @param heat how strongly it is coloured, {@code null} for not at all
 */
public record Cell(
        List<Part> parts, @Nullable Double value, @Nullable Heat heat) {

    /** A cell without text. */
    public static final Cell EMPTY = new Cell(List.of(), null, null);

    /** What stands where there is no value. */
    private static final String NONE = "–";

    /** How a part is set. */
    public enum Style {
        PLAIN,
        STRONG,
        GOOD,
        BAD,
        MUTED,
        CODE,
        /** A word in a frame, such as a verdict. */
        BADGE,
        /** Small and below the part before it on the page; behind it in text. */
        RANGE,
        /** Small and below the part before it on the page; left out of text. */
        NOTE,
        /** Begins a line on the page; a slash in text. */
        BREAK
    }

    /**
     * A part of a cell.
     *
     * @param href the target of a link, empty for none
     * @param meaning an explanation, empty for none
     */
    public record Part(String text, Style style, String href, String meaning) {}

    /**
     * The colour of a cell.
     *
     * @param kind {@code better}, {@code worse} or {@code neutral}, or {@code scale} for a value between two ends
     * @param percent strength, 0 to 100
     */
    public record Heat(String kind, double percent) {}

    /** Returns a cell of text. */
    public static Cell of(String text) {
        return EMPTY.with(text, Style.PLAIN);
    }

    /** Returns a cell with a number, or a dash if there is none. */
    public static Cell of(@Nullable Double value, String shown) {
        return value == null ? of(NONE) : new Cell(of(shown).parts, value, null);
    }

    /** Returns a cell with an estimate and its interval, or a dash if there is none. */
    public static Cell of(@Nullable Interval interval, int decimals) {
        if (interval == null) {
            return of(NONE);
        }
        String text = interval.text(decimals);
        int space = text.indexOf(' ');
        return new Cell(
                EMPTY.with(text.substring(0, space), Style.STRONG).with(text.substring(space + 1), Style.RANGE).parts,
                interval.estimate(),
                null);
    }

    /** Returns a cell of a word in a frame. */
    public static Cell badge(String word, String meaning) {
        return EMPTY.with(new Part(word, Style.BADGE, "", meaning));
    }

    /** Returns a cell of a link. */
    public static Cell link(String text, String href) {
        return EMPTY.with(new Part(text, Style.PLAIN, href, ""));
    }

    /** Returns this cell with another part behind its parts. */
    public Cell with(String text, Style style) {
        return text.isEmpty() && style != Style.BREAK ? this : with(new Part(text, style, "", ""));
    }

    /** Returns this cell with another part behind its parts. */
    public Cell with(Part part) {
        List<Part> all = new ArrayList<>(parts);
        all.add(part);
        return new Cell(List.copyOf(all), value, heat);
    }

    /** Returns this cell with a small line below it, on the page only. */
    public Cell note(String text) {
        return with(text, Style.NOTE);
    }

    /** Returns this cell with its value. */
    public Cell valued(double number) {
        return new Cell(parts, number, heat);
    }

    /** Returns this cell in a colour. */
    public Cell heated(String kind, double percent) {
        return new Cell(parts, value, new Heat(kind, percent));
    }

    /** Returns whether there is nothing to show in text. */
    public boolean isEmpty() {
        return text().isEmpty();
    }

    /** Returns the cell in a line of plain text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            if (part.style() == Style.BREAK) {
                text.append(" / ");
            } else if (part.style() != Style.NOTE) {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ' ') {
                    text.append(' ');
                }
                text.append(part.text());
            }
        }
        return text.toString();
    }
}
