package io.movr.schema;

import io.movr.database.EmbeddedRegions;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A lock on all tables whose rows have a city, on one server or several, that keeps everybody else waiting. */
final class TableLock {

    /** Several times as long as another region's statement waits for a lock, so that it is never this one that gives way. */
    private static final Duration LIMIT = EmbeddedRegions.REMOTE_LOCK_LIMIT.multipliedBy(4);

    private static final int TRIES = 10;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);

    private long lockedAt;
    private Duration waited = Duration.ZERO;

    /** Locks the tables on several servers, all or none: who waits for another one would never be found otherwise. */
    void on(List<Connection> connections) throws SQLException {
        waited = Duration.ZERO;
        for (int attempt = 1; ; attempt++) {
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
                                    "LOCK TABLE " + String.join(", ", EngineStages.TABLES)
                                            + " IN ACCESS EXCLUSIVE MODE"));
                }
                return;
            } catch (SQLException refused) {
                String state = Objects.requireNonNullElse(refused.getSQLState(), "");
                for (int number = 0; number < savepoints.size(); number++) {
                    connections.get(number).rollback(savepoints.get(number));
                }
                waited = waited.plusNanos(System.nanoTime() - lockedAt);
                if (attempt == TRIES
                        || !(state.equals(SqlState.LOCK_NOT_AVAILABLE) || state.equals(SqlState.DEADLOCK))) {
                    throw refused;
                }
                ServerSql.pause(BETWEEN_TRIES.toMillis());
            }
        }
    }

    /** How long others have had to wait for it until now, attempts that were given up included. */
    Duration held() {
        return waited.plusNanos(System.nanoTime() - lockedAt);
    }
}
