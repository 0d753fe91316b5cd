package io.movr.cache;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a statement. Two are equal only if they were set by the same method.
 *
 * @param setter the method that set it
 * @param value a value that cannot be changed any more
 * @param further the further arguments of the method, such as the type
 */
record Parameter(String setter, @Nullable Object value, List<Object> further) {

    /** Creates a parameter; {@code null} if its value may change, or can be read only once. */
    static @Nullable Parameter of(String setter, Object[] arguments) {
        Object value = arguments[1];
        if (value instanceof byte[] bytes) {
            value = Arrays.toString(bytes);
        } else if (value instanceof Timestamp timestamp) {
            value = List.of(Timestamp.class, timestamp.toInstant());
        } else if (value instanceof Date || value instanceof Time) {
            value = List.of(value.getClass(), value.toString());
        } else if (!isConstant(value)) {
            return null;
        }
        Object[] further = Arrays.copyOfRange(arguments, 2, arguments.length);
        for (Object one : further) {
            // A calendar, for one.
            if (!isConstant(one)) {
                return null;
            }
        }
        boolean moving = value instanceof String text && SqlReader.isMovingTime(text);
        return moving ? null : new Parameter(setter, value, Arrays.asList(further));
    }

    private static boolean isConstant(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float
                || value instanceof java.math.BigDecimal
                || value instanceof java.math.BigInteger
                || value instanceof UUID
                || value instanceof Enum
                || (value instanceof Temporal && value.getClass().getName().startsWith("java.time."));
    }
}
