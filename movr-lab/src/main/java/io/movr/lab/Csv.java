package io.movr.lab;

import io.movr.TextInput;
import io.movr.UserError;
import io.movr.database.Rows;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A CSV file of rows. The first line has the names, {@code \N} means NULL, and {@code \\N} is the text {@code \N}.
 *
 * @param rows every cell as {@link Rows#cell} writes it
 */
record Csv(List<String> names, List<List<String>> rows) {

    private static final int MAX_ROWS = 1_000_000;

    /**
     * Reads a file.
     *
     * @throws UserError if it cannot be read, or a line has another number of values than the first
     */
    static Csv read(Path file) {
        try (Reader reader = TextInput.open(file);
                CSVParser parser = CSVFormat.RFC4180
                        .builder()
                        .setHeader()
                        .setSkipHeaderRecord(true)
                        .get()
                        .parse(reader)) {
            List<List<String>> rows = new ArrayList<>();
            for (CSVRecord row : parser) {
                if (!row.isConsistent()) {
                    throw new UserError(file + ", row " + row.getRecordNumber() + ": " + row.size()
                            + " values, and the first line has "
                            + parser.getHeaderNames().size() + " names");
                }
                if (rows.size() == MAX_ROWS) {
                    throw new UserError(String.format(
                            Locale.ROOT, "%s has more than %,d rows: keep a part of them", file, MAX_ROWS));
                }
                rows.add(row.toList());
            }
            return new Csv(List.copyOf(parser.getHeaderNames()), List.copyOf(rows));
        } catch (UncheckedIOException | IOException | IllegalArgumentException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }
}
