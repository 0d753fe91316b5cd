package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TableLockTest {

    private static final String WAITING =
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'rides'::regclass";

    @Test
    void aRequestThatHoldsWhatTheLockWaitsForGivesWay() throws Exception {
        Gateway gateway = TestDatabase.fresh().gateway();
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.FOREIGN_KEYS);
        try (Connection request = gateway.connect();
                Connection migration = gateway.connect();
                Connection looking = gateway.connect();
                Statement statement = request.createStatement()) {
            request.setAutoCommit(false);
            migration.setAutoCommit(false);
            // Long before the lock gives up, also on a busy machine. That the lock looks for no deadlock is asserted
            // below.
            statement.execute("SET LOCAL deadlock_timeout = 100");
            // As where a ride ends: rides first, which the lock takes after users and vehicles.
            statement.execute("UPDATE rides SET revenue = 1");
            CompletableFuture<Void> locked = CompletableFuture.runAsync(() -> lock(migration));
            for (int look = 0; look < 3_000 && Rows.one(looking, WAITING).equals("0"); look++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThatThrownBy(() -> statement.execute("UPDATE vehicles SET status = 'available'"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo(SqlState.DEADLOCK));
            request.rollback();
            locked.get(1, TimeUnit.MINUTES);
            assertThat(milliseconds(migration, "deadlock_timeout"))
                    .as("the lock gives up before it would look for a deadlock")
                    .isGreaterThan(milliseconds(migration, "lock_timeout"));
            migration.rollback();
        }
    }

    private static long milliseconds(Connection connection, String setting) throws SQLException {
        return Long.parseLong(Rows.one(connection, "SELECT setting FROM pg_settings WHERE name = '" + setting + "'"));
    }

    private static void lock(Connection migration) {
        try {
            new TableLock().on(List.of(migration));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
