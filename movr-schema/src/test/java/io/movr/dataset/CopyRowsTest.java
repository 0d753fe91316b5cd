package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.TestDatabase;
import io.movr.database.Engine;
import io.movr.database.Rows;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.CopyRows.Format;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

class CopyRowsTest {

    private TestDatabase database;

    @BeforeEach
    void freshDatabase() throws Exception {
        database = TestDatabase.fresh();
    }

    @Test
    void theLoaderBringsTheRowsOfTheTextFormat(@TempDir Path folder) throws Exception {
        DatasetSpec spec = Scale.TINY.spec(1);
        new Schema(Engine.POSTGRESQL, database.gateway()).migrateTo(Stage.BASELINE);
        try (Connection connection = database.gateway().connect()) {
            for (Table table : Table.values()) {
                Rows.execute(connection, "CREATE TABLE text_" + table.sql() + " (LIKE " + table.sql() + ")");
            }
            for (Path file : BulkLoader.writeFiles(spec, folder)) {
                String name = String.valueOf(file.getFileName());
                Table table =
                        Table.valueOf(name.substring(name.indexOf('.') + 1).toUpperCase(Locale.ROOT));
                try (InputStream rows = Files.newInputStream(file)) {
                    copy(connection, table.copyStatement().replace("COPY ", "COPY text_"), rows);
                }
            }
        }
        new BulkLoader(Engine.POSTGRESQL, database.gateway(), new LoadProgress()).load(spec, 2, IfFilled.REFUSE);
        for (Table table : Table.values()) {
            assertThat(database.query("SELECT count(*) FROM " + table.sql()))
                    .containsExactly(String.valueOf(spec.count(table)));
            assertThat(database.query("TABLE " + table.sql() + " EXCEPT TABLE text_" + table.sql()))
                    .isEmpty();
        }
    }

    @Test
    void bothFormatsMeanTheSameValues() throws Exception {
        long[] numbers = {0, 1, 5, 99, 100, 101, -1, -12_345, 999_999, 1_000_000, 99_990_000, 9_999_999_999L};
        try (Connection connection = database.gateway().connect()) {
            Rows.execute(
                    connection,
                    "CREATE TABLE formats (format VARCHAR, place BIGINT, money DECIMAL(12, 2), degrees DOUBLE PRECISION,"
                            + " at TIMESTAMP, document JSONB, id UUID, nothing VARCHAR)");
            for (Format format : Format.values()) {
                write(connection, format, rows -> {
                    for (int place = 0; place < numbers.length; place++) {
                        long number = numbers[place];
                        rows.text(utf8(format.name()))
                                .integer(place)
                                .cents(number)
                                .microdegrees(number)
                                .timestamp(number)
                                .json(utf8("{\"n\": " + number + "}"))
                                .uuid(number * 0x9E3779B97F4A7C15L, ~number)
                                .nothing()
                                .endRow();
                    }
                });
            }
        }
        String columns = "SELECT place, money, degrees, at, document, id, nothing FROM formats WHERE format = ";
        List<String> text = database.query(columns + "'TEXT' ORDER BY place");
        assertThat(text).hasSize(numbers.length);
        assertThat(text.get(7)).startsWith("7|-123.45|-0.012345|1969-12-31 20:34:15");
        assertThat(database.query(columns + "'BINARY' ORDER BY place")).isEqualTo(text);
    }

    private static void write(Connection connection, Format format, Consumer<CopyRows> writer) throws Exception {
        // Smaller than a row: it has to grow.
        CopyRows rows = format.begin(16);
        writer.accept(rows);
        rows.end();
        String binary = format == Format.BINARY ? " BINARY" : "";
        copy(connection, "COPY formats FROM STDIN" + binary, new ByteArrayInputStream(rows.bytes(), 0, rows.length()));
    }

    private static void copy(Connection connection, String statement, InputStream rows) throws Exception {
        connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement, rows);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
