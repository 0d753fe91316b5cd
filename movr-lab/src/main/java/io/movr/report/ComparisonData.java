package io.movr.report;

import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The numbers of a comparison in full precision. */
public final class ComparisonData {

    private ComparisonData() {}

    /** Returns all numbers in full precision, a row for each benchmark and variant. */
    public static Table of(ComparisonResults results) {
        List<Column> columns =
                Column.list("benchmark | params | mode | unit | better | noise_floor | variant | iterations | forks"
                        + " | mean | median | median_low | median_high | improvement | improvement_low |"
                        + " improvement_high | p | p_adjusted"
                        + " | verdict | quotient");
        List<List<Cell>> rows = new ArrayList<>();
        for (Row row : results.rows()) {
            for (int place = 0; place < row.cells().size(); place++) {
                Measurement cell = row.cells().get(place);
                if (cell != null) {
                    rows.add(row(row, results.variants().get(place).name(), cell));
                }
            }
        }
        return new Table("All numbers", TableLayout.PLAIN, columns, rows);
    }

    private static List<Cell> row(Row row, String variant, Measurement cell) {
        Interval median = cell.median();
        Interval improvement = cell.improvement();
        List<Cell> values = new ArrayList<>(
                cells(row.benchmark(), ComparisonText.params(row.params()), row.mode(), row.unit(), row.better()));
        values.add(raw(row.noiseFloor()));
        values.add(Cell.of(variant));
        Stream.of((double) cell.n(), (double) cell.forks(), cell.mean(), median.estimate(), median.low(), median.high())
                .map(ComparisonData::raw)
                .forEach(values::add);
        values.add(raw(improvement == null ? null : improvement.estimate()));
        values.add(raw(improvement == null ? null : improvement.low()));
        values.add(raw(improvement == null ? null : improvement.high()));
        values.add(raw(cell.pValue()));
        values.add(raw(cell.pAdjusted()));
        values.add(Cell.of(cell.verdict()));
        values.add(raw(cell.quotient()));
        return values;
    }

    static Cell raw(@Nullable Double value) {
        return value == null ? Cell.EMPTY : Cell.of(value, "");
    }

    static List<Cell> cells(String... texts) {
        return Stream.of(texts).map(Cell::of).toList();
    }
}
