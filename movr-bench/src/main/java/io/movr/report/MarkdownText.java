package io.movr.report;

import io.movr.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Markdown that grows line by line. */
final class MarkdownText {

    private static final Pattern TICKS = Pattern.compile("`+");

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

    /**
     * Names and values are kept from being read as Markdown or HTML: as emphasis, as a link, an image or a tag. An invisible space
     * keeps a name from being a mention, which escapes do not. A lone tilde is safe, two strike out.
     */
    static String escaped(String value) {
        return PrintableText.ofLine(value)
                .replaceAll("[\\\\`*_|<>~&]|\\](?=[(\\[:])", "\\\\$0")
                .replaceAll("(?i)(https?|ftp)://|mailto:", "$0\u200b")
                .replaceAll("(?i)www\\.", "$0\u200b")
                .replaceAll("([@#])(?=\\w)", "$1\u200b");
    }

    /** A value as code, such as a path. */
    static String code(String value) {
        String line = PrintableText.ofLine(value);
        int longest = 0;
        Matcher ticks = TICKS.matcher(line);
        while (ticks.find()) {
            longest = Math.max(longest, ticks.group().length());
        }
        String fence = "`".repeat(longest + 1);
        String space = longest == 0 ? "" : " ";
        return fence + space + line + space + fence;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
