package io.movr.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A table for a terminal, each column as wide as its widest cell. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    /** Of a line across the table; no row of cells is empty. */
    private static final List<String> RULE = List.of();

    private final String alignment;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A table without rows.
     *
     * @param alignment a letter a column, {@code l} for text, which begins at the left, {@code r} for numbers, which end at
     *     the right
     */
    public TextTable(String alignment) {
        this.alignment = alignment;
    }

    /** A number as a cell shows it. */
    public static String number(int decimals, double value) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Adds a row; what it lacks of cells is empty. A cell may have colours, by ANSI escape sequences. */
    public TextTable row(String... cells) {
        return row(Arrays.asList(cells));
    }

    /** As {@link #row(String...)}. */
    public TextTable row(List<String> cells) {
        if (cells.isEmpty() || cells.size() > alignment.length()) {
            throw new IllegalArgumentException(cells + " do not fit into the columns " + alignment);
        }
        List<String> all = new ArrayList<>(cells);
        all.addAll(Collections.nCopies(alignment.length() - cells.size(), ""));
        rows.add(all);
        return this;
    }

    /** Adds a line across the table. */
    public TextTable rule() {
        rows.add(RULE);
        return this;
    }

    /** The table, lines ended. */
    @Override
    public String toString() {
        int[] widths = new int[alignment.length()];
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        int whole = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append(row == RULE ? "-".repeat(whole) : line(row, widths)).append(System.lineSeparator());
        }
        return text.toString();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            String padding = " ".repeat(widths[column] - width(cell));
            line.append(alignment.charAt(column) == 'l' ? cell + padding : padding + cell)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return COLOUR.matcher(cell).replaceAll("").length();
    }
}
