package io.movr.report.render;

import io.movr.PrintableText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table for a terminal, each column as wide as its widest cell. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final String GOOD = "\u001b[32m";
    private static final String BAD = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";
    private static final Pattern COLOURED = Pattern.compile("\u001b\\[3[12]m([^\\p{Cntrl}]*)\u001b\\[0m");

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

    /** Adds a row; what it lacks of cells is empty. A whole cell may be {@linkplain #coloured coloured}. */
    public TextTable row(String... cells) {
        return row(Arrays.asList(cells));
    }

    /** As {@link #row(String...)}. */
    public TextTable row(List<String> cells) {
        if (cells.isEmpty() || cells.size() > alignment.length()) {
            throw new IllegalArgumentException(cells + " do not fit into the columns " + alignment);
        }
        List<String> all = new ArrayList<>();
        cells.forEach(cell -> all.add(printable(cell)));
        all.addAll(Collections.nCopies(alignment.length() - cells.size(), ""));
        rows.add(all);
        return this;
    }

    /** A cell in green, or else in red. */
    public static String coloured(String cell, boolean good) {
        return (good ? GOOD : BAD) + PrintableText.ofLine(cell) + PLAIN;
    }

    private static String printable(String cell) {
        return COLOURED.matcher(cell).matches() ? cell : PrintableText.ofLine(cell);
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
        Matcher coloured = COLOURED.matcher(cell);
        return coloured.matches() ? coloured.group(1).length() : cell.length();
    }
}
