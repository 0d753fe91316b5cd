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
 * A data source that simulates the network between a client and a point of presence by delaying each call by a round
 * trip. It represents a server with no overhead of its own. This favours the point of presence, because a real server
 * also needs time to read and write messages.
 */
final class DelayedDataSource extends DelegatingDataSource {

    private final long roundTripNanos;
    private final long connectDelayNanos;

    /**
     * Delays a data source.
     *
     * @param roundTrip the delay of each execution, commit, rollback and validity check
     * @param connectDelay the delay of each new connection
     */
    DelayedDataSource(DataSource target, Duration roundTrip, Duration connectDelay) {
        super(target);
        this.roundTripNanos = roundTrip.toNanos();
        this.connectDelayNanos = connectDelay.toNanos();
    }

    @Override
    public Connection getConnection() throws SQLException {
        await(connectDelayNanos);
        return delayed(Connection.class, super.getConnection());
    }

    private <T> T delayed(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                DelayedDataSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
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
