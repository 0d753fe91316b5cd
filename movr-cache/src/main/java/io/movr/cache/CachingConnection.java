package io.movr.cache;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection that opens one of the underlying data source when it needs the database, and tracks the state of its session. */
final class CachingConnection implements InvocationHandler {

    private final CachingDataSource source;
    private final List<CachingStatement> statements = new ArrayList<>();
    private @Nullable Connection real;
    private @Nullable Session session;
    private @Nullable Integer isolation;
    private @Nullable Connection proxy;
    private boolean autoCommit = true;
    private boolean escaped;
    private boolean closed;

    private CachingConnection(CachingDataSource source) {
        this.source = source;
    }

    /**
     * Opens one.
     *
     * @param foreign a connection of another user; {@code null} to take one of the data source when needed
     */
    static Connection open(CachingDataSource source, @Nullable Connection foreign) {
        CachingConnection handler = new CachingConnection(source);
        Connection connection = (Connection) Proxy.newProxyInstance(
                CachingConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
        handler.proxy = connection;
        if (foreign != null) {
            Session stranger = new Session();
            stranger.change();
            handler.real = foreign;
            handler.session = stranger;
        }
        return connection;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return Forwarding.ofObject(this, self, method, arguments);
        }
        String name = method.getName();
        if (name.equals("close")) {
            close();
            return null;
        }
        if (name.equals("isClosed")) {
            return closed || (real != null && real.isClosed());
        }
        if (name.equals("abort")) {
            return abort(method, arguments);
        }
        if (closed && !name.equals("isValid")) {
            throw new SQLException("This connection has been closed.", "08003");
        }
        return switch (name) {
            case "isValid" -> !closed && real().isValid(((Number) first(arguments)).intValue());
            case "prepareStatement" -> statement(PreparedStatement.class, method, arguments);
            case "prepareCall" -> statement(CallableStatement.class, method, arguments);
            case "createStatement" -> statement(Statement.class, method, arguments);
            case "getAutoCommit" -> real == null ? autoCommit : real.getAutoCommit();
            case "setAutoCommit" -> {
                if (real != null || !Boolean.TRUE.equals(first(arguments))) {
                    // It commits what was open.
                    ending(() -> real().setAutoCommit((Boolean) first(arguments)));
                    autoCommit = real().getAutoCommit();
                }
                yield null;
            }
            case "commit" -> {
                ending(() -> real().commit());
                yield null;
            }
            case "rollback" -> {
                if (arguments != null) {
                    yield Forwarding.call(real(), method, arguments);
                }
                ending(() -> real().rollback());
                yield null;
            }
            case "setTransactionIsolation" -> {
                session().changeIsolation();
                Object nothing = Forwarding.call(real(), method, arguments);
                isolation = (Integer) first(arguments);
                yield nothing;
            }
            case "setSchema" -> {
                session().change();
                yield Forwarding.call(real(), method, arguments);
            }
            case "getMetaData" -> metaData(real().getMetaData());
            case "unwrap" -> unwrap(self, (Class<?>) first(arguments));
            case "isWrapperFor" ->
                ((Class<?>) first(arguments)).isInstance(self) || real().isWrapperFor((Class<?>) first(arguments));
            default -> Forwarding.call(real(), method, arguments);
        };
    }

    private @Nullable Object abort(Method method, Object @Nullable [] arguments) throws Throwable {
        closed = true;
        Connection connection = real;
        if (connection == null) {
            return null;
        }
        // A commit may be under way.
        source.outcomeUnknown();
        if (escaped) {
            source.returns();
        }
        return Forwarding.call(connection, method, arguments);
    }

    private static Object first(Object @Nullable [] arguments) {
        if (arguments == null || arguments[0] == null) {
            throw new IllegalArgumentException("A value is needed");
        }
        return arguments[0];
    }

    /** Returns the driver's connection. The caller can change anything through it, unseen by the cache. */
    private @Nullable Object unwrap(Object self, Class<?> type) throws SQLException {
        if (type.isInstance(self)) {
            return self;
        }
        escape();
        return real().unwrap(type);
    }

    void escape() throws SQLException {
        session().change();
        if (!escaped) {
            escaped = true;
            source.escapes();
        }
    }

    private Object statement(Class<?> type, Method method, Object @Nullable [] arguments) throws SQLException {
        boolean isPlain = arguments == null || (arguments.length == 1 && type == PreparedStatement.class);
        for (int index = 1; arguments != null && index < arguments.length; index++) {
            if (Integer.valueOf(ResultSet.CONCUR_UPDATABLE).equals(arguments[index])) {
                escape();
            }
        }
        String sql = type == Statement.class || arguments == null ? null : (String) arguments[0];
        CachingStatement statement = new CachingStatement(source, this, sql, isPlain, (connection, scrollable) -> {
            if (scrollable) {
                return sql == null
                        ? connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
                        : connection.prepareStatement(
                                sql, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
            }
            return (Statement) Objects.requireNonNull(Forwarding.call(connection, method, arguments));
        });
        statements.add(statement);
        return statement.as(type);
    }

    void forget(CachingStatement statement) {
        statements.remove(statement);
    }

    /** Returns the connection to the database. */
    Connection real() throws SQLException {
        Connection connection = real;
        if (connection == null) {
            connection = source.targetOf().getConnection();
            real = connection;
            autoCommit = connection.getAutoCommit();
            session = source.session(connection);
        }
        return connection;
    }

    Session session() throws SQLException {
        real();
        Session known = session;
        if (known == null) {
            throw new IllegalStateException("A connection without its session");
        }
        return known;
    }

    Connection proxy() {
        if (proxy == null) {
            throw new IllegalStateException("A connection before it was opened");
        }
        return proxy;
    }

    /** Returns whether a statement that runs now is a transaction by itself. */
    private boolean isAlone() {
        return autoCommit && (session == null || !session.hasBegun());
    }

    /** Returns whether a read may be answered from the cache, and its answer be kept. */
    boolean mayUseCache(Catalog catalog) {
        if (session == null) {
            return autoCommit && catalog.autoCommit();
        }
        if (escaped || session.isChanged() || session.hasWritten()) {
            return false;
        }
        if (isAlone()) {
            return true;
        }
        int level = isolation != null
                ? isolation
                : session.isIsolationChanged() ? Connection.TRANSACTION_SERIALIZABLE : catalog.isolation();
        return level == Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Executes a statement, and records or applies what it may have written. */
    @Nullable
    Object executing(Sql sql, Effects effects, Execution execution) throws Throwable {
        Session mine = session();
        if (sql instanceof Sql.Other other) {
            switch (other) {
                case BEGIN -> {
                    mine.begin();
                    mine.change();
                }
                case SESSION, UNKNOWN -> mine.change();
                case END, UNCACHED_READ -> {}
            }
        }
        mine.write(effects);
        boolean ends = isAlone() || sql == Sql.Other.END;
        if (!ends || (!mine.hasWritten() && !mine.hasBegun())) {
            return execution.run();
        }
        try {
            return execution.run();
        } catch (SQLException failed) {
            ended(failed);
            throw failed;
        } finally {
            source.apply(mine.end());
        }
    }

    interface Execution {
        @Nullable
        Object run() throws Throwable;
    }

    private interface Ending {
        void run() throws SQLException;
    }

    private void ending(Ending ending) throws SQLException {
        Session mine = session();
        try {
            ending.run();
        } catch (SQLException failed) {
            if (mine.hasWritten()) {
                ended(failed);
            }
            throw failed;
        } finally {
            source.apply(mine.end());
        }
    }

    /** Ends the transaction. If the connection was lost, its writes may be committed later, or not at all. */
    private void ended(SQLException failed) {
        String state = failed.getSQLState();
        if (state == null || state.startsWith("08") || state.startsWith("57") || state.equals("40003")) {
            source.outcomeUnknown();
        }
    }

    private void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        for (CachingStatement statement : List.copyOf(statements)) {
            statement.abandon();
        }
        Session mine = session;
        Connection connection = real;
        if (connection == null || mine == null) {
            return;
        }
        // Before it is closed: the next borrower writes in the same session.
        boolean begun = mine.hasBegun();
        Effects effects = mine.end();
        if (begun) {
            mine.begin();
            mine.write(effects);
        }
        try {
            // Which closes its statements.
            connection.close();
        } finally {
            // Some pools commit what is open, others roll it back.
            source.apply(effects);
            if (escaped) {
                source.returns();
            }
        }
    }

    /** Wraps the metadata, because its {@code getConnection} would return the driver's connection. */
    private DatabaseMetaData metaData(DatabaseMetaData real) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                CachingConnection.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return Forwarding.ofObject(this, self, method, arguments);
                    }
                    return method.getName().equals("getConnection")
                            ? proxy()
                            : Forwarding.call(real, method, arguments);
                });
    }
}
