package io.movr.datasource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.movr.database.RetryPolicy;
import io.movr.database.SchemaStage;
import io.movr.database.SqlState;
import io.movr.datasource.Unavailable.Reason;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Runs transactions, and is the only place that retries them. A transaction may run several times, so it must have no effect
 * outside the database.
 *
 * <p>It retries serialization failures (SQLSTATE 40001), deadlocks (40P01), lock timeouts (55P03, from deadlocks between
 * transactions of two regions), unique violations (23505, which occur here only if two writers race or a write is repeated under
 * its key: the next attempt finds the row of the first writer) and lost connections. Attempts are bounded in number and in time,
 * with a random back-off between them.
 *
 * <p>If a connection is lost while committing, the outcome of the transaction is unknown. Retrying is safe, because the next
 * attempt first looks for the idempotency key of the previous attempt, see {@code IdempotentWrites}. If the lost transaction is
 * committed later, the two conflict in that key and one fails.
 */
public final class Transactions {

    /** The reason why an attempt failed. */
    enum Cause {
        SERIALIZATION,
        DEADLOCK,
        LOCK_NOT_AVAILABLE,
        DUPLICATE,
        CONNECTION_LOST,
        COMMIT_UNKNOWN
    }

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
    private static final String IDLE_IN_TRANSACTION = "25P03";
    private static final String STATEMENT_TIMEOUT = "57014";

    private final PlatformTransactionManager manager;
    private final MeterRegistry meters;
    private final SchemaStage stage;
    private final RetryPolicy retries;
    private final Duration limit;

    public Transactions(
            PlatformTransactionManager manager,
            MeterRegistry meters,
            SchemaStage stage,
            DatabaseProperties properties) {
        this.manager = manager;
        this.meters = meters;
        this.stage = stage;
        this.retries = properties.retries().policy();
        this.limit = properties.timeouts().transaction();
    }

    /**
     * Runs a transaction that writes.
     *
     * @param operation its name in the domain, for metrics
     * @throws Unavailable if the database is not available
     */
    public <T> T write(String operation, Supplier<T> work) {
        return run(operation, () -> {
            TransactionStatus transaction = manager.getTransaction(new DefaultTransactionDefinition());
            T result;
            try {
                result = work.get();
            } catch (RuntimeException | Error failed) {
                rollback(transaction, failed);
                throw failed;
            }
            try {
                manager.commit(transaction);
            } catch (DataAccessException | TransactionException failed) {
                throw new CommitFailed(failed);
            }
            return result;
        });
    }

    /**
     * Runs one statement that only reads, which is a transaction by itself.
     *
     * @throws Unavailable if the database is not available
     */
    public <T> T read(String operation, Supplier<T> statement) {
        return run(operation, statement);
    }

    private <T> T run(String operation, Supplier<T> attempt) {
        long begun = System.nanoTime();
        String outcome = "failed";
        try {
            T result = repeat(operation, attempt, begun);
            outcome = "done";
            return result;
        } catch (Unavailable unavailable) {
            outcome = unavailable.reason().name().toLowerCase(Locale.ROOT);
            throw unavailable;
        } catch (DataAccessException | TransactionException failed) {
            throw failed;
        } catch (RuntimeException | Error thrown) {
            outcome = thrown instanceof RejectedRequest ? "refused" : "defect";
            throw thrown;
        } finally {
            Timer.builder("movr.transactions")
                    .description("Transactions by operation and outcome, all attempts together")
                    .tag("operation", operation)
                    .tag("outcome", outcome)
                    .tag("stage", stage.name())
                    .register(meters)
                    .record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
        }
    }

    private <T> T repeat(String operation, Supplier<T> work, long begun) {
        if (Deadline.isPassedAfter(Duration.ZERO)) {
            throw new Unavailable(
                    Reason.TIMEOUT, "The time limit of the request passed before the operation: " + operation);
        }
        boolean unknown = false;
        boolean lost = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (CommitFailed | DataAccessException | TransactionException failed) {
                Cause cause = causeOf(failed);
                if (cause == null && lost && isPoolEmpty(failed)) {
                    // Only a transaction whose connection was lost waits for the pool to find another connection.
                    cause = Cause.CONNECTION_LOST;
                }
                if (cause == null) {
                    throw giveUp(operation, failed, unknown, attempt);
                }
                unknown |= cause == Cause.COMMIT_UNKNOWN;
                lost |= cause == Cause.COMMIT_UNKNOWN || cause == Cause.CONNECTION_LOST;
                meters.counter(
                                "movr.transactions.retries",
                                "operation",
                                operation,
                                "cause",
                                cause.name().toLowerCase(Locale.ROOT),
                                "stage",
                                stage.name())
                        .increment();
                Duration wait = retries.pause(attempt);
                boolean timeIsUp =
                        System.nanoTime() - begun + wait.toNanos() > limit.toNanos() || Deadline.isPassedAfter(wait);
                if (retries.isLast(attempt) || timeIsUp) {
                    throw giveUp(operation, failed, unknown, attempt);
                }
                if (!pause(wait)) {
                    throw giveUp(operation, failed, unknown, attempt);
                }
            }
        }
    }

    /** Returns why a failed attempt can be retried; {@code null} if it cannot. */
    private static @Nullable Cause causeOf(RuntimeException failed) {
        String state = SqlState.of(failed);
        boolean committing = failed instanceof CommitFailed;
        if (state == null) {
            return committing ? Cause.COMMIT_UNKNOWN : null;
        }
        if (state.equals(SqlState.SERIALIZATION_FAILURE)) {
            return Cause.SERIALIZATION;
        }
        if (state.equals(SqlState.DEADLOCK)) {
            return Cause.DEADLOCK;
        }
        if (state.equals(SqlState.LOCK_NOT_AVAILABLE)) {
            return Cause.LOCK_NOT_AVAILABLE;
        }
        if (state.equals(SqlState.UNIQUE_VIOLATION)) {
            return Cause.DUPLICATE;
        }
        // A commit that timed out, or whose server failed, may have been executed nevertheless.
        if (state.equals(SqlState.UNKNOWN_OUTCOME)
                || (committing && (state.equals(STATEMENT_TIMEOUT) || SqlState.isServerFailure(state)))) {
            return Cause.COMMIT_UNKNOWN;
        }
        if (isConnectionLoss(state)) {
            if (committing) {
                return Cause.COMMIT_UNKNOWN;
            }
            // Without a connection no transaction was started, and the pool has waited for one.
            return isPoolEmpty(failed) ? null : Cause.CONNECTION_LOST;
        }
        return null;
    }

    private static RuntimeException giveUp(String operation, RuntimeException failed, boolean unknown, int attempts) {
        String state = SqlState.of(failed);
        if (unknown) {
            LOG.warn("The outcome of '{}' is unknown after {} attempts", operation, attempts, failed);
            return new Unavailable(
                    Reason.UNKNOWN_OUTCOME,
                    "The connection to the database was lost during the write, which may have been committed",
                    failed);
        }
        if (isPoolEmpty(failed) || (state != null && isConnectionLoss(state))) {
            return new Unavailable(Reason.GATEWAY, "The database cannot be reached", failed);
        }
        if (SqlState.isServerFailure(state)) {
            return new Unavailable(Reason.GATEWAY, "The database has failed", failed);
        }
        if (SqlState.isAccessDenied(state)) {
            return new Unavailable(
                    Reason.ACCESS, "The database is read-only, or the service's role lacks a privilege", failed);
        }
        if (STATEMENT_TIMEOUT.equals(state)) {
            return new Unavailable(Reason.TIMEOUT, "The database took too long", failed);
        }
        if (state != null && causeOf(failed) != null) {
            return new Unavailable(
                    Reason.CONTENTION,
                    "The request conflicted with other requests for the same rows, " + attempts + " times",
                    failed);
        }
        return failed instanceof CommitFailed commit ? commit.why() : failed;
    }

    private static boolean isPoolEmpty(RuntimeException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof java.sql.SQLTransientConnectionException) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConnectionLoss(String state) {
        return SqlState.isConnectionLost(state) || state.equals(IDLE_IN_TRANSACTION);
    }

    /** Returns whether the whole wait elapsed. */
    private static boolean pause(Duration wait) {
        try {
            TimeUnit.NANOSECONDS.sleep(wait.toNanos());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void rollback(TransactionStatus transaction, Throwable failed) {
        try {
            manager.rollback(transaction);
        } catch (DataAccessException | TransactionException lost) {
            // The server rolls back what belonged to a connection that is gone.
            failed.addSuppressed(lost);
        }
    }

    /** The marker of an exception of the commit itself. */
    private static final class CommitFailed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final RuntimeException why;

        CommitFailed(RuntimeException why) {
            super(why);
            this.why = why;
        }

        RuntimeException why() {
            return why;
        }
    }
}
