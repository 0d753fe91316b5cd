package io.movr.schema;

import io.movr.database.EmbeddedRegions;
import io.movr.database.RetryPolicy;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lock on all tables whose rows have a city, on one server or several, that keeps everybody else waiting. A transaction that
 * would wait for it while it waits for that transaction is refused as a deadlock, and is run again by the service.
 */
final class TableLock {

    /** Several times as long as another region's statement waits for a lock, so that it is never this one that gives way. */
    private static final Duration LIMIT = EmbeddedRegions.REMOTE_LOCK_LIMIT.multipliedBy(4);

    private static final RetryPolicy RETRIES = new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofSeconds(1));

    private long lockedAt;
    private Duration waited = Duration.ZERO;

    /** Locks the tables on several servers, all or none: who waits for another one would never be found otherwise. */
    void on(List<Connection> connections) throws SQLException {
        waited = Duration.ZERO;
        RETRIES.run(
                "The migration was interrupted",
                SQLException.class,
                attempt -> once(connections),
                (refused, attempt) -> SqlState.LOCK_NOT_AVAILABLE.equals(refused.getSQLState()));
    }

    private boolean once(List<Connection> connections) throws SQLException {
        List<Savepoint> savepoints = new ArrayList<>();
        // Also while it waits: everybody else queues behind it.
        lockedAt = System.nanoTime();
        try {
            for (Connection connection : connections) {
                savepoints.add(connection.setSavepoint());
                ServerSql.executeAll(
                        connection,
                        List.of(
                                "SET LOCAL lock_timeout = " + LIMIT.toMillis(),
                                // Requests take their locks in orders of their own. Who looks for a deadlock first
                                // gives way.
                                "SET LOCAL deadlock_timeout = " + 2 * LIMIT.toMillis(),
                                "LOCK TABLE " + String.join(", ", EngineStages.TABLES) + " IN ACCESS EXCLUSIVE MODE"));
            }
            return true;
        } catch (SQLException refused) {
            for (int number = 0; number < savepoints.size(); number++) {
                connections.get(number).rollback(savepoints.get(number));
            }
            waited = waited.plusNanos(System.nanoTime() - lockedAt);
            throw refused;
        }
    }

    /** Returns how long others have had to wait for it until now, attempts that were given up included. */
    Duration held() {
        return waited.plusNanos(System.nanoTime() - lockedAt);
    }
}
