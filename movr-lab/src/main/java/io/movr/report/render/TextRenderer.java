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
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import java.util.List;
import java.util.stream.Collectors;

/** The renderer for a terminal: the blocks of a report that are shown in text, without headings and charts. */
public final class TextRenderer {

    private final StringBuilder text = new StringBuilder();
    private final boolean isColoured;

    private TextRenderer(boolean isColoured) {
        this.isColoured = isColoured;
    }

    /**
     * Returns the report as lines.
     *
     * @param isColoured whether good and bad cells stand out by colour
     */
    public static String of(Report report, boolean isColoured) {
        TextRenderer renderer = new TextRenderer(isColoured);
        report.inText().forEach(renderer::add);
        return renderer.text.toString();
    }

    /** Returns the report as lines without colours. */
    public static String of(Report report) {
        return of(report, false);
    }

    private void add(Block block) {
        if (block instanceof Text paragraph) {
            String mark = paragraph.tone() == Tone.WARNING ? "Warning: " : paragraph.tone() == Tone.FAILURE ? "! " : "";
            paragraph.text().lines().forEach(line -> line(mark + PrintableText.ofLine(line)));
        } else if (block instanceof Bullets bullets) {
            bullets.items().forEach(item -> line("  " + PrintableText.ofLine(item.text())));
        } else if (block instanceof Pairs pairs) {
            pairs.pairs()
                    .forEach(pair -> line(PrintableText.ofLine(
                            pair.term() + ": " + pair.description().text())));
        } else if (block instanceof Code code) {
            code.text().lines().forEach(line -> line(PrintableText.ofLine(line)));
        } else if (block instanceof Group group) {
            if (!group.heading().isEmpty()) {
                line(PrintableText.ofLine(group.heading().text()));
            }
            group.blocks().stream().filter(part -> !part.isEmpty()).forEach(this::add);
        } else if (block instanceof Table table) {
            add(Tables.inText(table));
        } else if (!(block instanceof Figure)) {
            throw new IllegalArgumentException("A terminal cannot show " + block);
        }
    }

    private void add(Table table) {
        if (!text.isEmpty()) {
            line("");
        }
        List<Column> columns = table.columns();
        TextTable rows = new TextTable(
                columns.stream().map(column -> column.isNumber() ? "r" : "l").collect(Collectors.joining()));
        rows.row(columns.stream().map(Column::fullHeading).toList()).rule();
        table.rows().forEach(row -> rows.row(row.stream().map(this::cell).toList()));
        text.append(rows);
    }

    private String cell(Cell cell) {
        if (isColoured) {
            for (Cell.Part part : cell.parts()) {
                if (part.style() == Style.GOOD || part.style() == Style.BAD) {
                    return TextTable.coloured(cell.text(), part.style() == Style.GOOD);
                }
            }
        }
        return cell.text();
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }
}
