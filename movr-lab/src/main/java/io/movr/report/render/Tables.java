package io.movr.report.render;

import io.movr.report.model.Block.Table;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import io.movr.report.model.Where;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Tables without the columns that a renderer does not show. */
final class Tables {

    private Tables() {}

    /** Returns the table with the columns for a terminal and Markdown. */
    static Table inText(Table table) {
        return kept(table, Where::isInText, cell -> cell.isEmpty());
    }

    /** Returns the table with the columns for the page. */
    static Table onPage(Table table) {
        return kept(table, Where::isOnPage, cell -> cell.parts().isEmpty());
    }

    /** The first column stays; of the others, those that no row fills are left out. */
    private static Table kept(Table table, Predicate<Where> isShown, Predicate<Cell> isEmpty) {
        List<Column> columns = table.columns();
        List<Integer> kept = IntStream.range(0, columns.size())
                .filter(column -> isShown.test(columns.get(column).where())
                        && (column == 0 || !table.rows().stream().allMatch(row -> isEmpty.test(row.get(column)))))
                .boxed()
                .toList();
        return new Table(
                table.caption(),
                table.layout(),
                kept.stream().map(columns::get).toList(),
                table.rows().stream()
                        .map(row -> kept.stream().map(row::get).toList())
                        .toList());
    }
}
