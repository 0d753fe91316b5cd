package io.movr.cache;

import io.movr.cache.Snapshot.Cell;
import io.movr.cache.Snapshot.Column;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result set over a {@link Snapshot}. It answers what it can answer exactly as the driver does. At the first call of any other
 * method it repeats the query. If the answer is the same, it continues with the driver's result set; otherwise it fails with a
 * serialization failure.
 */
final class SnapshotResultSet implements InvocationHandler {

    /** The statement and the database behind a result set. */
    interface Origin {

        /** Returns the statement that was executed. */
        Statement statement();

        /** Queries the database, and caches no further answers of this statement. */
        ResultSet again() throws SQLException;
    }

    /** The marker of a method that the snapshot cannot answer. */
    private static final Object NOT_HERE = new Object();

    private final Snapshot snapshot;
    private final Origin origin;
    private int row = -1;
    private boolean wasNull;
    private boolean closed;
    private @Nullable ResultSet again;

    private SnapshotResultSet(Snapshot snapshot, Origin origin) {
        this.snapshot = snapshot;
        this.origin = origin;
    }

    static ResultSet of(Snapshot snapshot, Origin origin) {
        return (ResultSet) Proxy.newProxyInstance(
                SnapshotResultSet.class.getClassLoader(),
                new Class<?>[] {ResultSet.class},
                new SnapshotResultSet(snapshot, origin));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return Forwarding.ofObject(this, proxy, method, arguments);
        }
        switch (method.getName()) {
            case "close" -> {
                closed = true;
                if (again != null) {
                    again.close();
                }
                return null;
            }
            case "isClosed" -> {
                return closed;
            }
            case "getStatement" -> {
                return origin.statement();
            }
            default -> {}
        }
        if (closed) {
            throw new SQLException("This ResultSet is closed.", "55000");
        }
        if (again == null) {
            Object answer = answer(method.getName(), arguments == null ? new Object[0] : arguments);
            if (answer != NOT_HERE) {
                return answer;
            }
            again = again();
        }
        return Forwarding.call(again, method, arguments);
    }

    private ResultSet again() throws SQLException {
        ResultSet answer = origin.again();
        Optional<Snapshot> fresh = Snapshot.of(answer, Long.MAX_VALUE);
        if (fresh.isEmpty() || !fresh.get().isSameAs(snapshot)) {
            answer.close();
            throw new SQLException("Rows changed between the cache's answer and the database's", "40001");
        }
        if (row < 0) {
            answer.beforeFirst();
        } else if (row >= snapshot.size()) {
            answer.afterLast();
        } else {
            answer.absolute(row + 1);
        }
        return answer;
    }

    private @Nullable Object answer(String method, Object[] arguments) {
        int size = snapshot.size();
        return switch (method) {
            case "next" -> {
                row = Math.min(row + 1, size);
                yield row < size;
            }
            case "wasNull" -> wasNull;
            case "getRow" -> row >= 0 && row < size ? row + 1 : 0;
            case "isBeforeFirst" -> row < 0 && size > 0;
            case "isAfterLast" -> row >= size && size > 0;
            case "isFirst" -> row == 0 && size > 0;
            case "isLast" -> row == size - 1 && size > 0;
            case "getType" -> ResultSet.TYPE_FORWARD_ONLY;
            case "getConcurrency" -> ResultSet.CONCUR_READ_ONLY;
            case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
            case "getFetchSize" -> 0;
            case "getWarnings", "clearWarnings" -> null;
            case "getMetaData" -> metaData();
            case "findColumn" ->
                snapshot.find((String) arguments[0]) == 0 ? NOT_HERE : snapshot.find((String) arguments[0]);
            default -> method.startsWith("get") ? value(method, arguments) : NOT_HERE;
        };
    }

    private @Nullable Object value(String method, Object[] arguments) {
        if (arguments.length == 0 || arguments.length > 2 || row < 0 || row >= snapshot.size()) {
            return NOT_HERE;
        }
        int column = arguments[0] instanceof Integer index
                ? index
                : arguments[0] instanceof String label ? snapshot.find(label) : 0;
        if (column < 1 || column > snapshot.columns().size()) {
            return NOT_HERE;
        }
        Cell cell = snapshot.cell(row, column - 1);
        Object value = arguments.length == 2
                ? (method.equals("getObject") && arguments[1] instanceof Class<?> type ? as(type, cell) : NOT_HERE)
                : plain(method, cell);
        if (value != NOT_HERE) {
            wasNull = cell.text() == null;
        }
        return value;
    }

    private static @Nullable Object plain(String method, Cell cell) {
        Object object = cell.object();
        boolean isNull = cell.text() == null;
        return switch (method) {
            case "getString" -> cell.text();
            case "getObject" -> copy(object);
            case "getBoolean" -> isNull ? (Object) false : object instanceof Boolean ? object : NOT_HERE;
            case "getShort" -> isNull ? (Object) (short) 0 : whole(object, Short.MIN_VALUE, Short.MAX_VALUE, method);
            case "getInt" -> isNull ? (Object) 0 : whole(object, Integer.MIN_VALUE, Integer.MAX_VALUE, method);
            case "getLong" -> isNull ? (Object) 0L : whole(object, Long.MIN_VALUE, Long.MAX_VALUE, method);
            case "getDouble" ->
                isNull
                        ? (Object) 0d
                        : isDouble(object) && object instanceof Number number ? number.doubleValue() : NOT_HERE;
            case "getFloat" -> isNull ? (Object) 0f : object instanceof Float ? object : NOT_HERE;
            case "getBigDecimal" -> isNull || object instanceof BigDecimal ? object : NOT_HERE;
            case "getBytes" -> isNull || object instanceof byte[] ? copy(object) : NOT_HERE;
            case "getDate" -> isNull || object instanceof Date ? copy(object) : NOT_HERE;
            case "getTime" -> isNull || object instanceof Time ? copy(object) : NOT_HERE;
            case "getTimestamp" -> isNull || object instanceof Timestamp ? copy(object) : NOT_HERE;
            default -> NOT_HERE;
        };
    }

    /** Returns an integer that was an integer in the database too; only the driver converts others. */
    private static Object whole(@Nullable Object object, long least, long most, String method) {
        if (!(object instanceof Integer) && !(object instanceof Long)) {
            return NOT_HERE;
        }
        long value = ((Number) object).longValue();
        if (value < least || value > most) {
            return NOT_HERE;
        }
        return switch (method) {
            case "getShort" -> (Object) (short) value;
            case "getInt" -> (Object) (int) value;
            default -> (Object) value;
        };
    }

    private static boolean isDouble(@Nullable Object object) {
        return object instanceof Double || object instanceof Integer || object instanceof BigDecimal;
    }

    private static @Nullable Object as(Class<?> type, Cell cell) {
        if (cell.text() == null) {
            // The driver has an opinion on classes, which only shows with a value.
            return type == String.class || type.getName().startsWith("java.time.") ? null : NOT_HERE;
        }
        if (type == String.class) {
            return cell.object() instanceof String ? cell.text() : NOT_HERE;
        }
        if (cell.time() != null && type.isInstance(cell.time()) && type != Object.class) {
            return cell.time();
        }
        Object object = cell.object();
        return object != null && object.getClass() == type ? copy(object) : NOT_HERE;
    }

    private static @Nullable Object copy(@Nullable Object object) {
        if (object instanceof Timestamp timestamp) {
            return timestamp.clone();
        }
        if (object instanceof Date date) {
            return date.clone();
        }
        if (object instanceof Time time) {
            return time.clone();
        }
        return object instanceof byte[] bytes ? bytes.clone() : object;
    }

    private ResultSetMetaData metaData() {
        return (ResultSetMetaData) Proxy.newProxyInstance(
                SnapshotResultSet.class.getClassLoader(),
                new Class<?>[] {ResultSetMetaData.class},
                (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return Forwarding.ofObject(this, proxy, method, arguments);
                    }
                    if (again == null) {
                        Object answer = describe(method.getName(), arguments);
                        if (answer != NOT_HERE) {
                            return answer;
                        }
                        again = again();
                    }
                    return Forwarding.call(again.getMetaData(), method, arguments);
                });
    }

    private Object describe(String method, Object @Nullable [] arguments) {
        if (method.equals("getColumnCount")) {
            return snapshot.columns().size();
        }
        if (arguments == null
                || !(arguments[0] instanceof Integer index)
                || index < 1
                || index > snapshot.columns().size()) {
            return NOT_HERE;
        }
        Column column = snapshot.columns().get(index - 1);
        return switch (method) {
            case "getColumnLabel", "getColumnName" -> column.label();
            case "getColumnTypeName" -> column.typeName();
            case "getColumnType" -> column.type();
            case "getColumnClassName" -> column.className();
            case "getPrecision" -> column.precision();
            case "getScale" -> column.scale();
            case "getColumnDisplaySize" -> column.displaySize();
            case "isSigned" -> column.signed();
            default -> NOT_HERE;
        };
    }
}
