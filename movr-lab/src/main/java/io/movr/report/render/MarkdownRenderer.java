package io.movr.report.render;

import io.movr.PrintableText;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.Pairs;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The renderer for Markdown, such as a comment on a pull request: the blocks that are shown in text. */
public final class MarkdownRenderer {

    private static final Pattern TICKS = Pattern.compile("`+");

    private final StringBuilder text = new StringBuilder();

    private MarkdownRenderer() {}

    /** Returns the report, its heading first. */
    public static String of(Report report) {
        MarkdownRenderer renderer = new MarkdownRenderer();
        renderer.line("### " + escaped(report.heading()));
        renderer.line("");
        report.inText().forEach(renderer::add);
        return renderer.text.toString();
    }

    private void add(Block block) {
        if (block instanceof Figure) {
            return;
        }
        if (block instanceof Text paragraph) {
            boolean isWarning = paragraph.tone() == Tone.WARNING || paragraph.tone() == Tone.FAILURE;
            line((isWarning ? "**Warning:** " : "") + escaped(paragraph.text()));
        } else if (block instanceof Bullets bullets) {
            bullets.items().forEach(item -> line("- " + inline(item)));
        } else if (block instanceof Pairs pairs) {
            pairs.pairs().forEach(pair -> line("- " + escaped(pair.term()) + ": " + inline(pair.description())));
        } else if (block instanceof Code code) {
            String fence = fence(code.text(), 3);
            line(fence);
            code.text().lines().forEach(line -> line(PrintableText.ofLine(line)));
            line(fence);
        } else if (block instanceof Group group) {
            if (!group.heading().isEmpty()) {
                line(inline(group.heading()));
                line("");
            }
            group.blocks().stream().filter(part -> !part.isEmpty()).forEach(this::add);
            return;
        } else if (block instanceof Table table) {
            add(Tables.inText(table));
        }
        line("");
    }

    private void add(Table table) {
        row(table.columns().stream()
                .map(column -> escaped(column.fullHeading()))
                .toList());
        row(table.columns().stream()
                .map((Column column) -> column.isNumber() ? "--:" : "---")
                .toList());
        table.rows()
                .forEach(row -> row(row.stream().map(MarkdownRenderer::inline).toList()));
    }

    private void row(List<String> cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private static String inline(Cell cell) {
        boolean isCode =
                !cell.parts().isEmpty() && cell.parts().stream().allMatch(part -> part.style() == Cell.Style.CODE);
        if (isCode) {
            return cell.parts().stream().map(part -> code(part.text())).collect(Collectors.joining(" "));
        }
        String text = escaped(cell.text());
        if (cell.isEmpty() || cell.value() != null || cell.parts().get(0).style() != Cell.Style.STRONG) {
            return text;
        }
        int end = escaped(cell.parts().get(0).text()).length();
        return "**" + text.substring(0, end) + "**" + text.substring(end);
    }

    /**
     * Escapes a value, which is then not read as Markdown or HTML: as emphasis, a link, an image or a tag. An invisible space
     * keeps a name from being a mention, which escapes do not. A single tilde is safe, two strike out.
     */
    static String escaped(String value) {
        return PrintableText.ofLine(value)
                .replaceAll("[\\\\`*_|<>~&]|\\](?=[(\\[:])", "\\\\$0")
                .replaceAll("(?i)(https?|ftp)://|mailto:", "$0\u200b")
                .replaceAll("(?i)www\\.", "$0\u200b")
                .replaceAll("([@#])(?=\\w)", "$1\u200b");
    }

    private static String code(String value) {
        String line = PrintableText.ofLine(value);
        String fence = fence(line, 1);
        String space = line.contains("`") ? " " : "";
        return fence + space + line + space + fence;
    }

    private static String fence(String value, int least) {
        int longest = least - 1;
        Matcher ticks = TICKS.matcher(value);
        while (ticks.find()) {
            longest = Math.max(longest, ticks.group().length());
        }
        return "`".repeat(longest + 1);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
