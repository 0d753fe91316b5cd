package io.movr.report;

import java.util.ArrayList;
import java.util.List;

/** Markdown that grows line by line. */
final class MarkdownText {

    private final StringBuilder text = new StringBuilder();

    /** A line as it is, its values escaped by the caller. */
    void line(String line) {
        text.append(line).append('\n');
    }

    /** The head of a table, its first columns to the left, the others, which hold numbers, to the right. */
    void head(List<String> cells, int leftColumns) {
        row(cells);
        List<String> marks = new ArrayList<>();
        for (int column = 0; column < cells.size(); column++) {
            marks.add(column < leftColumns ? "---" : "--:");
        }
        line("| " + String.join(" | ", marks) + " |");
    }

    void row(List<String> cells) {
        line("| " + String.join(" | ", cells.stream().map(MarkdownText::escaped).toList()) + " |");
    }

    /** A lone tilde is safe, two strike out: names and values are kept from being read as Markdown. */
    static String escaped(String value) {
        return value.replaceAll("[\\\\`*_|<>~]", "\\\\$0").replaceAll("\\R", " ");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
