package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.RetryPolicy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.database.StatementWatchdog;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.BulkLoader.Result;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A load into PostgreSQL that commits all rows or none.
 *
 * <p>Into empty tables without foreign keys rows go over several connections at once, each in one transaction, and all of them
 * commit together at the end. A note in the table {@code movr_loads} records that the commits have begun, and the ids of their
 * transactions. If the program dies during the commits, the next load finds the note and removes the rows of these transactions.
 * Into tables with rows or foreign keys everything goes over one connection, in one transaction.
 */
final class AtomicLoad implements LoadStrategy {

    private static final long LOCK = 0x4D6F7652L;
    private static final RetryPolicy ASKING = new RetryPolicy(8, Duration.ofMillis(200), Duration.ofSeconds(5));

    private final Gateway gateway;
    private final LoadProgress progress;
    private final StatementWatchdog watch;

    AtomicLoad(Gateway gateway, LoadProgress progress, StatementWatchdog watch) {
        this.gateway = gateway;
        this.progress = progress;
        this.watch = watch;
    }

    @Override
    public Result load(Connection control, Load load) {
        DatasetSpec spec = load.spec();
        IfFilled ifFilled = load.ifFilled();
        try {
            lock(control);
            boolean filled = prepare(control, spec, ifFilled);
            if (filled && ifFilled == IfFilled.KEEP) {
                return BulkLoader.NOTHING;
            }
            if (filled || load.withForeignKeys()) {
                DatasetSpec rows = filled && ifFilled == IfFilled.APPEND ? spec.withoutPublishedRows() : spec;
                return loadInOneTransaction(rows, filled && ifFilled == IfFilled.REPLACE);
            }
            return loadInParallel(control, spec, load.connections());
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed, and none of its rows are in the tables: " + watch.reason(failed), failed);
        }
    }

    private void lock(Connection control) throws SQLException {
        try (PreparedStatement statement = control.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
            statement.setLong(1, LOCK);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                if (!answer.getBoolean(1)) {
                    throw new UserError("Another load into " + gateway.shown() + " is running: wait for it to end");
                }
            }
        }
    }

    /** Cleans up after a load that was killed, and returns whether there are rows. */
    private boolean prepare(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        BulkLoader.createNotes(control);
        for (List<String> note : Rows.query(control, LoadTransactions.NOTES, List.of())) {
            progress.at("removing the rows of a load that was killed");
            boolean known =
                    LoadTransactions.noted(note.get(0)).remove(control).isPresent() || !BulkLoader.hasRows(control);
            if (!known && ifFilled != IfFilled.REPLACE) {
                throw new UserError("A load was killed while it committed, and which rows it has left is not known"
                        + " any more: load anew with --replace, which removes all rows");
            }
            if (known) {
                Rows.update(control, "DELETE FROM movr_loads WHERE state = ?", List.of(note.get(0)));
            }
        }
        return BulkLoader.isFilled(control, spec, ifFilled);
    }

    private Result loadInOneTransaction(DatasetSpec spec, boolean replace) throws SQLException, IOException {
        Dataset dataset = new Dataset(spec);
        long begun = System.nanoTime();
        try (Connection connection = watch.connect(ChunkedLoader.NAME)) {
            connection.setAutoCommit(false);
            long id = LoadTransactions.of(connection);
            if (replace) {
                Rows.execute(connection, "TRUNCATE movr_loads, " + BulkLoader.TABLES);
            }
            progress.at("loading over one connection, in one transaction");
            for (Chunk chunk : Chunk.of(spec)) {
                copy(connection, dataset, chunk);
                watch.heard();
            }
            BulkLoader.note(connection, spec, "complete");
            commit(connection, id);
        } catch (UnknownOutcome unknown) {
            throw new UserError(
                    "The load may have failed: all of its rows are in the tables, or none, because "
                            + UserError.firstLine(unknown),
                    unknown);
        }
        return new Result(spec.totalRows(), progress.bytes(), BulkLoader.secondsSince(begun), 1);
    }

    private Result loadInParallel(Connection control, DatasetSpec spec, int connections)
            throws SQLException, IOException {
        Dataset dataset = new Dataset(spec);
        Queue<Chunk> chunks = new ConcurrentLinkedQueue<>(Chunk.of(spec));
        progress.at("loading over " + connections + (connections == 1 ? " connection" : " connections"));
        long begun = System.nanoTime();
        List<Connection> open = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        List<LoadWorkers.Worker> workers = new ArrayList<>();
        try {
            for (int number = 0; number < connections; number++) {
                Connection connection = watch.connect(ChunkedLoader.NAME);
                open.add(connection);
                connection.setAutoCommit(false);
                // Whatever the server's default is: the last one has to see the note.
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                ids.add(LoadTransactions.of(connection));
                workers.add(() -> {
                    for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
                        copy(connection, dataset, chunk);
                        watch.heard();
                    }
                });
            }
            LoadWorkers.run(workers, chunks);
            commitTogether(control, open, new LoadTransactions(ids), spec);
        } catch (SQLException | IOException | RuntimeException failed) {
            abort(open);
            throw failed;
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        return new Result(spec.totalRows(), progress.bytes(), BulkLoader.secondsSince(begun), connections);
    }

    private void commitTogether(
            Connection control, List<Connection> open, LoadTransactions transactions, DatasetSpec spec)
            throws SQLException {
        try {
            BulkLoader.note(control, spec, transactions.note());
            Connection last = open.get(open.size() - 1);
            Rows.update(last, "DELETE FROM movr_loads WHERE state = ?", List.of(transactions.note()));
            BulkLoader.note(last, spec, "complete");
            for (int number = 0; number < open.size(); number++) {
                commit(open.get(number), transactions.ids().get(number));
            }
        } catch (SQLException failed) {
            abort(open);
            if (isUndone(transactions, failed)) {
                throw failed;
            }
        }
    }

    /** Unlike closing, this also ends a COPY that is still being sent. */
    private static void abort(List<Connection> open) throws SQLException {
        for (Connection connection : open) {
            connection.abort(Runnable::run);
        }
    }

    /** Removes the rows of committed transactions, unless all transactions have committed, which may be known only now. */
    private boolean isUndone(LoadTransactions transactions, SQLException failed) {
        try (Connection connection = reconnect()) {
            return transactions
                    .remove(connection)
                    .orElseThrow(() -> new SQLException("the server no longer knows the load's transactions"));
        } catch (SQLException | UserError notUndone) {
            failed.addSuppressed(notUndone);
            throw new UserError(
                    "The load failed while it committed, and removing what it had committed failed too: a part of its"
                            + " rows may be in the tables, and the next load removes them first. "
                            + reasons(failed, notUndone),
                    failed);
        }
    }

    /** Commits a transaction; if the answer is lost, asks the server for its outcome. */
    private void commit(Connection connection, long id) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException failed) {
            if (!SqlState.isConnectionLost(SqlState.of(failed))) {
                throw failed;
            }
            boolean committed;
            try (Connection asking = reconnect()) {
                committed = LoadTransactions.isCommitted(asking, id);
            } catch (SQLException | UserError unasked) {
                throw new UnknownOutcome(reasons(failed, unasked), failed);
            }
            if (!committed) {
                throw failed;
            }
        }
    }

    /** The unknown outcome of a commit: all of its rows are in the tables, or none. */
    private static final class UnknownOutcome extends SQLException {

        private static final long serialVersionUID = 1L;

        UnknownOutcome(String reasons, SQLException failed) {
            super("a commit was not answered, and its outcome is unknown: " + reasons, failed);
        }
    }

    private String reasons(Exception first, Exception second) {
        return watch.isSilent()
                ? watch.reason(first)
                : UserError.firstLine(first) + "; then: " + UserError.firstLine(second);
    }

    /** Connects, and retries while the server restarts. */
    private Connection reconnect() {
        return ASKING.run(
                "The load was interrupted",
                UserError.class,
                attempt -> watch.connect(ChunkedLoader.NAME),
                (unreachable, attempt) -> !watch.isSilent());
    }

    private void copy(Connection connection, Dataset dataset, Chunk chunk) throws SQLException, IOException {
        BulkLoader.copy(connection, dataset, chunk, CopyRows.Format.BINARY, progress::sent);
    }
}
