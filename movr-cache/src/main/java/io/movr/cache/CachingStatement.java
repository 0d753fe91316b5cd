package io.movr.cache;

import io.movr.cache.ResultCache.Rows;
import io.movr.cache.ResultCache.Versions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A statement that is prepared on the server only if the cache has no answer. */
final class CachingStatement implements InvocationHandler, SnapshotResultSet.Origin {

    /** Makes the driver's statement. */
    interface Preparation {
        Statement on(Connection connection, boolean scrollable) throws Throwable;
    }

    /** A call that is repeated when the driver's statement is made. */
    private record Call(Method method, List<@Nullable Object> arguments) {
        void to(Statement statement) throws Throwable {
            Forwarding.call(statement, method, arguments.toArray());
        }
    }

    private static final Set<String> RESULT_CALLS = Set.of(
            "getResultSet", "getUpdateCount", "getLargeUpdateCount", "getMoreResults", "getWarnings", "clearWarnings");

    private final CachingDataSource source;
    private final CachingConnection connection;
    private final @Nullable String sql;
    private final boolean isPlain;
    private final Preparation preparation;
    private final Map<String, Call> settings = new HashMap<>();
    private final Map<Integer, Call> values = new TreeMap<>();
    private final Map<Integer, Parameter> parameters = new HashMap<>();
    private Effects batch = Effects.NONE;
    private Sql.@Nullable Other batchKind;
    private @Nullable Statement proxy;
    private @Nullable Statement real;
    private boolean scrollable;
    private @Nullable ResultSet answer;
    private boolean answered;
    private String executed = "";
    private boolean closed;

    /**
     * Makes one.
     *
     * @param sql its SQL; {@code null} if each execution gives it
     * @param isPlain whether it was created without options such as generated keys
     */
    CachingStatement(
            CachingDataSource source,
            CachingConnection connection,
            @Nullable String sql,
            boolean isPlain,
            Preparation preparation) {
        this.source = source;
        this.connection = connection;
        this.sql = sql;
        this.isPlain = isPlain;
        this.preparation = preparation;
    }

    Object as(Class<?> type) {
        Object made = Proxy.newProxyInstance(CachingStatement.class.getClassLoader(), new Class<?>[] {type}, this);
        proxy = (Statement) made;
        return made;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return Forwarding.ofObject(this, self, method, arguments);
        }
        String name = method.getName();
        switch (name) {
            case "close" -> {
                close();
                return null;
            }
            case "isClosed" -> {
                return closed;
            }
            case "getConnection" -> {
                return connection.proxy();
            }
            default -> {}
        }
        if (closed) {
            throw new SQLException("This statement has been closed.", "55000");
        }
        if (name.startsWith("execute")) {
            return execute(method, arguments);
        }
        if (answered && RESULT_CALLS.contains(name)) {
            return cachedResult(name);
        }
        switch (name) {
            case "addBatch" -> {
                addToBatch(arguments == null ? sqlOf(null) : (String) arguments[0]);
                return Forwarding.call(real(false), method, arguments);
            }
            case "clearBatch" -> {
                batch = Effects.NONE;
                batchKind = null;
            }
            case "clearParameters" -> {
                values.clear();
                parameters.clear();
            }
            case "unwrap", "isWrapperFor" -> {
                return unwrap(self, method, arguments);
            }
            default -> {
                if (name.startsWith("set") && arguments != null) {
                    remember(method, arguments);
                    if (real == null) {
                        return null;
                    }
                }
            }
        }
        if (real == null && name.startsWith("clear")) {
            return null;
        }
        return Forwarding.call(real(scrollable), method, arguments);
    }

    /** Returns what the driver would say of the last execution, which the database has not seen. */
    private @Nullable Object cachedResult(String name) throws SQLException {
        return switch (name) {
            case "getResultSet" -> answer;
            case "getUpdateCount" -> -1;
            case "getLargeUpdateCount" -> -1L;
            case "getMoreResults" -> {
                closeAnswer();
                yield false;
            }
            default -> null;
        };
    }

    private @Nullable Object unwrap(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        Class<?> type = (Class<?>) Objects.requireNonNull(arguments)[0];
        if (type.isInstance(self)) {
            return method.getName().equals("unwrap") ? self : (Object) true;
        }
        if (method.getName().equals("unwrap")) {
            connection.escape();
        }
        return Forwarding.call(real(scrollable), method, arguments);
    }

    private void remember(Method method, Object[] arguments) {
        if (sql != null && arguments.length > 1 && arguments[0] instanceof Integer index) {
            values.put(index, new Call(method, Arrays.asList(arguments)));
            Parameter parameter = Parameter.of(method.getName(), nullAsValue(method, arguments));
            if (parameter == null) {
                parameters.remove(index);
            } else {
                parameters.put(index, parameter);
            }
        } else {
            settings.put(method.getName(), new Call(method, Arrays.asList(arguments)));
        }
    }

    /** Returns the arguments of a call with a null value in place of the type of {@code setNull}. */
    private static Object[] nullAsValue(Method method, Object[] arguments) {
        if (!method.getName().equals("setNull")) {
            return arguments;
        }
        return arguments.length == 2
                ? new Object[] {arguments[0], null, arguments[1]}
                : new Object[] {arguments[0], null, arguments[1], arguments[2]};
    }

    private String sqlOf(Object @Nullable [] arguments) throws SQLException {
        if (sql != null) {
            return sql;
        }
        if (arguments == null || !(arguments[0] instanceof String text)) {
            throw new SQLException("A statement is needed", "42601");
        }
        return text;
    }

    private void addToBatch(String text) {
        Sql parsed = source.read(text);
        batch = batch.and(source.effects(parsed, parameters));
        if (parsed instanceof Sql.Other other && (batchKind == null || other == Sql.Other.UNKNOWN)) {
            batchKind = other;
        }
    }

    private @Nullable Object execute(Method method, Object @Nullable [] arguments) throws Throwable {
        closeAnswer();
        answered = false;
        if (method.getName().endsWith("Batch")) {
            Effects effects = batch;
            Sql kind = batchKind == null ? Sql.Other.UNCACHED_READ : batchKind;
            batch = Effects.NONE;
            batchKind = null;
            return connection.executing(kind, effects, () -> Forwarding.call(real(false), method, arguments));
        }
        executed = sqlOf(arguments);
        Sql parsed = source.read(executed);
        boolean wantsRows =
                method.getName().equals("executeQuery") || method.getName().equals("execute");
        if (parsed instanceof Sql.Read read) {
            Catalog catalog = source.catalogForReading();
            if (catalog != null
                    && wantsRows
                    && isPlain
                    && (arguments == null || arguments.length == (sql == null ? 1 : 0))
                    && isOfUsualSize()
                    && parameters.size() == values.size()
                    && connection.mayUseCache(catalog)) {
                List<Rows> rows = source.rows(executed, read, catalog, parameters);
                if (rows != null) {
                    return method.getName().equals("execute") ? isAnswered(catalog, rows) : answer(catalog, rows);
                }
            }
            source.results().bypassed();
        } else if (parsed == Sql.Other.UNCACHED_READ) {
            source.results().bypassed();
        }
        Effects effects = source.effects(parsed, parameters);
        return connection.executing(parsed, effects, () -> Forwarding.call(real(false), method, arguments));
    }

    private boolean isAnswered(Catalog catalog, List<Rows> rows) throws Throwable {
        answer = answer(catalog, rows);
        answered = true;
        return true;
    }

    /** Returns whether all rows are fetched at once, without a fetch size or a maximum of rows. */
    private boolean isOfUsualSize() {
        return !settings.containsKey("setFetchSize")
                && !settings.containsKey("setMaxRows")
                && !settings.containsKey("setLargeMaxRows")
                && !settings.containsKey("setMaxFieldSize")
                && !settings.containsKey("setCursorName")
                && !settings.containsKey("setFetchDirection");
    }

    private ResultSet answer(Catalog catalog, List<Rows> rows) throws Throwable {
        List<Parameter> inOrder = new ArrayList<>(parameters.size());
        for (Integer index : values.keySet()) {
            inOrder.add(Objects.requireNonNull(parameters.get(index)));
        }
        ResultCache.Key key = new ResultCache.Key(executed, inOrder);
        Snapshot kept = source.results().find(key);
        if (kept != null) {
            answered = true;
            answer = SnapshotResultSet.of(kept, this);
            return answer;
        }
        Versions before = source.results().versions(rows);
        ResultSet result = query();
        // The session is known only now; and tables may have become others since.
        if (!catalog.equals(source.catalogForReading()) || !connection.mayUseCache(catalog)) {
            return result;
        }
        Optional<Snapshot> snapshot = Snapshot.of(result, source.largestResultBytes());
        result.beforeFirst();
        if (snapshot.isPresent()) {
            source.results().keep(key, before, snapshot.get());
        }
        return result;
    }

    private ResultSet query() throws Throwable {
        Statement statement = real(true);
        return sql == null ? statement.executeQuery(executed) : ((PreparedStatement) statement).executeQuery();
    }

    @Override
    public ResultSet again() throws SQLException {
        source.excludeFromCache(executed);
        try {
            return query();
        } catch (SQLException | RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Statement statement() {
        return Objects.requireNonNull(proxy);
    }

    /** Returns the driver's statement, after repeating all calls on this one. */
    private Statement real(boolean scroll) throws Throwable {
        Statement statement = real;
        if (statement != null && scrollable == scroll) {
            return statement;
        }
        if (statement != null) {
            statement.close();
        }
        statement = preparation.on(connection.real(), scroll);
        real = statement;
        scrollable = scroll;
        for (Call call : settings.values()) {
            call.to(statement);
        }
        for (Call call : values.values()) {
            call.to(statement);
        }
        return statement;
    }

    private void closeAnswer() throws SQLException {
        if (answer != null) {
            answer.close();
            answer = null;
        }
    }

    /** Releases the driver's statement when its connection is closed. */
    void abandon() {
        closed = true;
    }

    void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        connection.forget(this);
        closeAnswer();
        if (real != null) {
            real.close();
        }
    }
}
