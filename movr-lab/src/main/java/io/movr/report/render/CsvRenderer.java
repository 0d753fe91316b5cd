package io.movr.report.render;

import io.movr.report.model.Block.Table;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;

/**
 * The renderer for spreadsheets and scripts: a table with all columns and numbers in full precision. Text of others that
 * begins as a formula does is kept from being one.
 */
public final class CsvRenderer {

    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

    /** Also in the width of Chinese characters, which spreadsheets read alike. */
    private static final String FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20";

    private CsvRenderer() {}

    /** Returns the lines of a table, its headings first. */
    public static String of(Table table) {
        StringBuilder text = new StringBuilder();
        append(text, table.columns().stream().map(Column::fullHeading).toArray());
        table.rows()
                .forEach(
                        row -> append(text, row.stream().map(CsvRenderer::value).toArray()));
        return text.toString();
    }

    private static void append(StringBuilder text, Object[] values) {
        text.append(FORMAT.format(values)).append('\n');
    }

    private static String value(Cell cell) {
        Double value = cell.value();
        if (value == null) {
            return safe(cell.text());
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? BigDecimal.valueOf(value).toBigInteger().toString()
                : Double.toString(value);
    }

    /** An apostrophe before a cell means text, and tabs and line ends could put a formula at a beginning. */
    private static String safe(String value) {
        String line = value.replaceAll("[\\t\\r\\n]+", " ");
        String visible = line.stripLeading();
        return visible.isEmpty()
                        || FORMULA.indexOf(visible.charAt(0)) < 0
                        || NUMBER.matcher(visible).matches()
                ? line
                : "'" + line;
    }
}
