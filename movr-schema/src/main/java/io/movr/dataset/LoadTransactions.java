package io.movr.dataset;

import io.movr.database.RetryPolicy;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The transactions of a load into PostgreSQL that commit one after the other, by their ids. The server reports whether each has
 * committed, and every row has the id of the transaction that wrote it, so the rows of a part of the load can be removed without
 * changing rows that other sessions wrote at the same time.
 *
 * @param ids in the order in which they commit; the last one also replaces the note of the load by one that it is complete
 */
record LoadTransactions(List<Long> ids) {

    private static final String COMMITTING = "committing";

    /** A query for the notes of loads that have begun to commit. */
    static final String NOTES = "SELECT state FROM movr_loads WHERE state LIKE '" + COMMITTING + "%'";

    private static final String IN_PROGRESS = "in progress";
    private static final String COMMITTED = "committed";
    private static final String UNKNOWN = "";
    /** The SQLSTATE for an id that has not been given yet, as in a copy of another server's database. */
    private static final String IN_THE_FUTURE = "22023";

    /** A transaction whose session was terminated ends within moments, also one that waits for a standby server. */
    private static final RetryPolicy ENDS = new RetryPolicy(40, Duration.ofMillis(100), Duration.ofSeconds(1));
    /** Rows have the lower half of an id. */
    private static final long WRITERS = 1L << 32;

    LoadTransactions {
        ids = List.copyOf(ids);
    }

    /** Returns the id of a connection's transaction, which is begun if there is none. */
    static long of(Connection connection) throws SQLException {
        return Long.parseLong(Rows.one(connection, "SELECT txid_current()"));
    }

    /** Returns what {@link #note} wrote; no ids if an earlier version of movr did. */
    static LoadTransactions noted(String note) {
        String ids = note.substring(COMMITTING.length()).strip();
        return new LoadTransactions(
                ids.isEmpty()
                        ? List.of()
                        : Arrays.stream(ids.split(",", -1)).map(Long::valueOf).toList());
    }

    /** Returns the state of a load that has begun to commit. */
    String note() {
        return COMMITTING + " " + ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /**
     * Returns whether a transaction has committed. An open transaction is terminated first, because its client no longer exists.
     *
     * @throws SQLException if the server does not answer, or no longer knows
     */
    static boolean isCommitted(Connection connection, long id) throws SQLException {
        return new LoadTransactions(List.of(id))
                .committed(connection)
                .orElseThrow(() -> new SQLException("the server no longer knows transaction " + id))
                .contains(id);
    }

    /**
     * Removes the rows of the committed transactions, and the note; does nothing if all have committed.
     *
     * @return whether none of their rows is left; empty if the server no longer knows the transactions
     */
    Optional<Boolean> remove(Connection connection) throws SQLException {
        Optional<List<Long>> known = ids.isEmpty() ? Optional.empty() : committed(connection);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        List<Long> committed = known.get();
        if (committed.contains(ids.get(ids.size() - 1))) {
            return Optional.of(false);
        }
        connection.setAutoCommit(false);
        // The note exists as long as the rows: the transaction that removes it also removes them.
        boolean mine = Rows.update(connection, "DELETE FROM movr_loads WHERE state = ?", List.of(note())) > 0;
        if (mine && !committed.isEmpty()) {
            String writers =
                    committed.stream().map(id -> "'" + id % WRITERS + "'::xid").collect(Collectors.joining(", "));
            List<Table> children = new ArrayList<>(List.of(Table.values()));
            Collections.reverse(children);
            for (Table table : children) {
                Rows.execute(connection, "DELETE FROM " + table.sql() + " WHERE xmin IN (" + writers + ")");
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        return Optional.of(true);
    }

    /** Returns the ids that have committed; empty if the server no longer knows. It knows at most the last 2^31 transactions. */
    private Optional<List<Long>> committed(Connection connection) throws SQLException {
        List<Long> committed = new ArrayList<>();
        for (long id : ids) {
            String outcome = ENDS.run(
                    "The load was interrupted",
                    SQLException.class,
                    attempt -> outcome(connection, id),
                    (failed, attempt) -> failed instanceof StillOpen);
            if (outcome.equals(UNKNOWN)) {
                return Optional.empty();
            }
            if (outcome.equals(COMMITTED)) {
                committed.add(id);
            }
        }
        return Optional.of(committed);
    }

    private static String outcome(Connection connection, long id) throws SQLException {
        String outcome;
        try {
            outcome = Rows.query(connection, "SELECT coalesce(txid_status(?), '" + UNKNOWN + "')", List.of(id))
                    .get(0)
                    .get(0);
        } catch (SQLException refused) {
            if (IN_THE_FUTURE.equals(refused.getSQLState())) {
                return UNKNOWN;
            }
            throw refused;
        }
        if (outcome.equals(IN_PROGRESS)) {
            Rows.query(
                    connection,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?"
                            + " AND backend_xid = CAST(CAST(? AS TEXT) AS XID)",
                    List.of(ChunkedLoader.NAME, id % WRITERS));
            throw new StillOpen("transaction " + id + " of the load does not end");
        }
        return outcome;
    }

    private static final class StillOpen extends SQLException {

        private static final long serialVersionUID = 1L;

        StillOpen(String message) {
            super(message);
        }
    }
}
