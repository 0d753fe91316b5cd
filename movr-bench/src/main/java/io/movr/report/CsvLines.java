package io.movr.report;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;

/** CSV that grows line by line, for spreadsheets: text of others that begins as a formula does is kept from being one. */
final class CsvLines {

    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

    /** Also in the width of Chinese characters, which spreadsheets take for the same. */
    private static final String FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20";

    private final StringBuilder text = new StringBuilder();

    void line(List<String> values) {
        text.append(FORMAT.format(values.stream().map(CsvLines::cell).toArray()))
                .append('\n');
    }

    /** An apostrophe before a cell means text, and tabs and line ends could put a formula at a beginning. */
    private static String cell(String value) {
        String line = value.replaceAll("[\\t\\r\\n]+", " ");
        String visible = line.stripLeading();
        return visible.isEmpty()
                        || FORMULA.indexOf(visible.charAt(0)) < 0
                        || NUMBER.matcher(visible).matches()
                ? line
                : "'" + line;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
