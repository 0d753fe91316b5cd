package io.movr.cache;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of all rows of a result set. For each value it keeps the driver's text, its object and, for dates and times,
 * the {@code java.time} object.
 */
final class Snapshot {

    /** A column, as the driver describes it without asking the server. */
    record Column(
            String label,
            String typeName,
            int type,
            String className,
            int precision,
            int scale,
            int displaySize,
            boolean signed) {}

    /**
     * A value.
     *
     * @param object what {@code getObject} gives
     * @param time what it gives when asked for a class of {@code java.time}; {@code null} for other types
     */
    record Cell(
            @Nullable String text,
            @Nullable Object object,
            @Nullable Object time) {}

    private static final Cell NULL = new Cell(null, null, null);

    private static final Map<String, Class<?>> TYPES = new HashMap<>();

    static {
        TYPES.put("bool", Boolean.class);
        TYPES.put("int2", Integer.class);
        TYPES.put("int4", Integer.class);
        TYPES.put("int8", Long.class);
        TYPES.put("float4", Float.class);
        TYPES.put("float8", Double.class);
        TYPES.put("numeric", BigDecimal.class);
        TYPES.put("text", String.class);
        TYPES.put("varchar", String.class);
        TYPES.put("bpchar", String.class);
        TYPES.put("uuid", UUID.class);
        TYPES.put("bytea", byte[].class);
        TYPES.put("date", Date.class);
        TYPES.put("time", Time.class);
        TYPES.put("timestamp", Timestamp.class);
        TYPES.put("timestamptz", Timestamp.class);
    }

    private final List<Column> columns;
    private final List<Cell[]> rows;
    private final Map<String, Integer> byLabel = new HashMap<>();
    private final long bytes;

    private Snapshot(List<Column> columns, List<Cell[]> rows, long bytes) {
        this.columns = columns;
        this.rows = rows;
        this.bytes = bytes;
        for (int index = columns.size(); index > 0; index--) {
            byLabel.put(columns.get(index - 1).label().toLowerCase(Locale.ROOT), index);
        }
    }

    /**
     * Copies a result set that is positioned before its first row.
     *
     * @return empty if a column has an unsupported type, or if it is too large
     */
    static Optional<Snapshot> of(ResultSet answer, long maxBytes) throws SQLException {
        ResultSetMetaData description = answer.getMetaData();
        List<Column> columns = new ArrayList<>();
        for (int index = 1; index <= description.getColumnCount(); index++) {
            String type = description.getColumnTypeName(index);
            if (!TYPES.containsKey(type)) {
                return Optional.empty();
            }
            columns.add(new Column(
                    description.getColumnLabel(index),
                    type,
                    description.getColumnType(index),
                    description.getColumnClassName(index),
                    description.getPrecision(index),
                    description.getScale(index),
                    description.getColumnDisplaySize(index),
                    description.isSigned(index)));
        }
        List<Cell[]> rows = new ArrayList<>();
        long bytes = 100L * columns.size();
        while (answer.next()) {
            Cell[] row = new Cell[columns.size()];
            bytes += 32 + 8L * row.length;
            for (int index = 0; index < row.length; index++) {
                Cell cell = cell(answer, index + 1, columns.get(index).typeName());
                if (cell == null) {
                    return Optional.empty();
                }
                row[index] = cell;
                bytes += cell.text() == null ? 0 : 150 + 2L * cell.text().length();
            }
            if (bytes > maxBytes) {
                return Optional.empty();
            }
            rows.add(row);
        }
        return Optional.of(new Snapshot(List.copyOf(columns), rows, bytes));
    }

    /** Returns a value; {@code null} if it is one that only the driver can handle, such as a NaN among decimals. */
    private static @Nullable Cell cell(ResultSet answer, int index, String type) throws SQLException {
        String text = answer.getString(index);
        if (text == null) {
            return NULL;
        }
        Object object = answer.getObject(index);
        Class<?> expected = TYPES.get(type);
        if (expected == null || !expected.isInstance(object)) {
            return null;
        }
        Object time = switch (type) {
            case "date" -> answer.getObject(index, LocalDate.class);
            case "time" -> answer.getObject(index, LocalTime.class);
            case "timestamp" -> answer.getObject(index, LocalDateTime.class);
            case "timestamptz" -> answer.getObject(index, OffsetDateTime.class);
            default -> null;
        };
        return new Cell(text, object instanceof String ? text : object, time);
    }

    List<Column> columns() {
        return columns;
    }

    int size() {
        return rows.size();
    }

    Cell cell(int row, int column) {
        return rows.get(row)[column];
    }

    /** Returns the first column that is called so, from 1; 0 when there is none. */
    int find(String label) {
        return byLabel.getOrDefault(label.toLowerCase(Locale.ROOT), 0);
    }

    /** Returns its estimated size. */
    long bytes() {
        return bytes;
    }

    /** Returns whether another one has the same columns, and the same texts in them. */
    boolean isSameAs(Snapshot other) {
        if (!columns.equals(other.columns) || rows.size() != other.rows.size()) {
            return false;
        }
        for (int index = 0; index < rows.size(); index++) {
            String[] mine = texts(rows.get(index));
            if (!Arrays.equals(mine, texts(other.rows.get(index)))) {
                return false;
            }
        }
        return true;
    }

    private static String[] texts(Cell[] row) {
        return Arrays.stream(row).map(Cell::text).toArray(String[]::new);
    }
}
