package io.movr.database;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs statements as the application does: prepared, with bound parameters, and reading every column. */
public final class Rows {

    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT);

    /** The text of a NULL, as COPY writes it. The same text is written with one more backslash, see {@link #cell}. */
    public static final String NOTHING = "\\N";

    private static final Pattern LIKE_NOTHING = Pattern.compile("\\\\+N");

    private Rows() {}

    /**
     * A value as text, whose type the server takes from where it stands.
     *
     * @param cell as {@link #cell} writes it
     */
    public record Untyped(String cell) {

        @Nullable
        String text() {
            if (cell.equals(NOTHING)) {
                return null;
            }
            return LIKE_NOTHING.matcher(cell).matches() ? cell.substring(1) : cell;
        }
    }

    /**
     * Writes a text or NULL, so that no text is written as NULL is: a text of backslashes and an N has one backslash more.
     *
     * @param text {@code null} for NULL
     */
    public static String cell(@Nullable String text) {
        if (text == null) {
            return NOTHING;
        }
        return LIKE_NOTHING.matcher(text).matches() ? "\\" + text : text;
    }

    /** Runs a query and reads all that it answers, every cell as text. */
    public static List<List<String>> query(Connection connection, String sql, List<?> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                return all(rows);
            }
        }
    }

    /** Runs any statement: reads all that it answers, or how many rows it wrote, in one cell. */
    public static List<List<String>> run(Connection connection, String sql, List<?> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            if (!statement.execute()) {
                return List.of(List.of(Integer.toString(statement.getUpdateCount())));
            }
            try (ResultSet rows = statement.getResultSet()) {
                return all(rows);
            }
        }
    }

    private static List<List<String>> all(ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        List<List<String>> all = new ArrayList<>();
        while (rows.next()) {
            List<String> row = new ArrayList<>(columns);
            for (int column = 1; column <= columns; column++) {
                row.add(text(rows.getObject(column)));
            }
            all.add(row);
        }
        return all;
    }

    /** Returns the first cell of the first row that a query answers, which must have one. */
    public static String one(Connection connection, String sql) throws SQLException {
        return query(connection, sql, List.of()).get(0).get(0);
    }

    /** Runs a statement that writes, and says how many rows it wrote. */
    public static int update(Connection connection, String sql, List<?> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /** Runs a statement without parameters. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Removes dead rows, where the engine does not do so by itself. */
    public static void vacuum(Connection connection, String table) throws SQLException {
        Optional<String> vacuum = Engine.of(connection).vacuum(table);
        if (vacuum.isPresent()) {
            execute(connection, vacuum.get());
        }
    }

    /** Sets the values of a statement's question marks. */
    public static void bind(PreparedStatement statement, List<?> parameters) throws SQLException {
        for (int index = 0; index < parameters.size(); index++) {
            Object value = parameters.get(index);
            if (value instanceof Untyped untyped) {
                statement.setObject(index + 1, untyped.text(), Types.OTHER);
            } else {
                statement.setObject(index + 1, value);
            }
        }
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Timestamp timestamp) {
            return TIME.format(timestamp.toLocalDateTime());
        }
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return cell(value == null ? null : value.toString());
    }
}
