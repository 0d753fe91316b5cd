package io.movr.study;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The network between a client and a point of presence: it delays each call by a round trip. It represents a server that speaks
 * the database's protocol without overhead, which favours the point of presence: a real one adds the time to read and write
 * messages.
 */
final class Hop extends DelegatingDataSource {

    private final long roundTripNanos;
    private final long openingNanos;

    /**
     * Puts one before a data source.
     *
     * @param roundTrip what an execution, a commit and a rollback take longer
     * @param opening what a new connection takes longer
     */
    Hop(DataSource target, Duration roundTrip, Duration opening) {
        super(target);
        this.roundTripNanos = roundTrip.toNanos();
        this.openingNanos = opening.toNanos();
    }

    @Override
    public Connection getConnection() throws SQLException {
        await(openingNanos);
        return delayed(Connection.class, super.getConnection());
    }

    private <T> T delayed(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                Hop.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    if (name.startsWith("execute")
                            || name.equals("commit")
                            || name.equals("rollback")
                            || name.equals("isValid")) {
                        await(roundTripNanos);
                    }
                    try {
                        Object answer = method.invoke(target, arguments);
                        if (answer instanceof CallableStatement statement) {
                            return delayed(CallableStatement.class, statement);
                        }
                        if (answer instanceof PreparedStatement statement) {
                            return delayed(PreparedStatement.class, statement);
                        }
                        return answer instanceof Statement statement && type == Connection.class
                                ? delayed(Statement.class, statement)
                                : answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause() == null ? failed : failed.getCause();
                    }
                }));
    }

    private static void await(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }
}
