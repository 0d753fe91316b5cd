package io.movr.check;

import io.movr.check.MicroOp.Kind;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.workload.Isolation;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Runs transactions on lists, each a row of one table, over JDBC. */
final class AppendClient {

    /** The table of the lists. */
    static final String TABLE = "movr_check_lists";

    private static final String APPEND = "INSERT INTO " + TABLE + " AS list (id, elements) VALUES (?, ARRAY[?::INT8])"
            + " ON CONFLICT (id) DO UPDATE SET elements = array_append(list.elements, excluded.elements[1])";
    private static final String READ = "SELECT elements FROM " + TABLE + " WHERE id = ?";
    private static final int COMMITS_PER_RETRY = 100;
    /** The SQLSTATE classes of constraint violations, invalid transaction states and rollbacks. */
    private static final List<String> ROLLBACK_CLASSES = List.of("23", "25", "40");

    private final Isolation isolation;
    private final @Nullable ClientDefect defect;
    private final SplittableRandom random;
    /** The last read of each list by any client of a run, used by {@link ClientDefect#CACHE}. */
    private final ConcurrentMap<Long, List<Long>> cache;

    /**
     * The outcome of a transaction.
     *
     * @param operations its steps, with the results that the client received
     * @param failure {@code null} if there was none
     */
    record Result(
            Outcome outcome,
            List<MicroOp> operations,
            @Nullable SQLException failure) {}

    AppendClient(Isolation isolation, @Nullable ClientDefect defect, long seed, ConcurrentMap<Long, List<Long>> cache) {
        this.isolation = isolation;
        this.defect = defect;
        this.random = new SplittableRandom(seed);
        this.cache = cache;
    }

    /** Returns an empty cache for the clients of a run. */
    static ConcurrentMap<Long, List<Long>> cache() {
        return new ConcurrentHashMap<>();
    }

    /** Drops the table if it exists, and creates it. */
    static void createTable(Connection connection) throws SQLException {
        Rows.execute(connection, "DROP TABLE IF EXISTS " + TABLE);
        Rows.execute(connection, "CREATE TABLE " + TABLE + " (id INT8 PRIMARY KEY, elements INT8[] NOT NULL)");
    }

    /** Writes a row that is not a list, to test whether the database accepts writes. */
    static void writeProbe(Connection connection) throws SQLException {
        Rows.execute(
                connection,
                "INSERT INTO " + TABLE + " (id, elements) VALUES (-1, '{}')"
                        + " ON CONFLICT (id) DO UPDATE SET elements = excluded.elements");
    }

    /** Returns all lists by key. */
    static Map<Long, List<Long>> lists(Connection connection) throws SQLException {
        Map<Long, List<Long>> lists = new TreeMap<>();
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT id, elements FROM " + TABLE + " WHERE id >= 0");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                lists.put(rows.getLong(1), elements(rows.getArray(2)));
            }
        }
        return lists;
    }

    /** Runs a transaction. The caller closes the connection after a failure. */
    Result run(Connection connection, List<MicroOp> operations) {
        Result result = attempt(connection, operations);
        if (defect == ClientDefect.RETRY && result.outcome() == Outcome.OK && random.nextInt(COMMITS_PER_RETRY) == 0) {
            return attempt(connection, operations);
        }
        return result;
    }

    private Result attempt(Connection connection, List<MicroOp> operations) {
        List<MicroOp> executed = new ArrayList<>(operations.size());
        Set<Long> written = new HashSet<>();
        try {
            begin(connection);
            for (MicroOp operation : operations) {
                executed.add(step(connection, operation, written));
            }
        } catch (SQLException failed) {
            // The client sent no COMMIT, so the transaction has no effect even if the server does not receive the
            // rollback.
            rollback(connection, failed);
            executed.addAll(operations.subList(executed.size(), operations.size()));
            return new Result(Outcome.FAIL, executed, failed);
        }
        try {
            connection.commit();
        } catch (SQLException failed) {
            boolean rolledBack = isRolledBack(failed);
            rollback(connection, failed);
            return new Result(rolledBack ? Outcome.FAIL : Outcome.INFO, executed, failed);
        }
        if (defect == ClientDefect.CACHE) {
            executed.stream()
                    .filter(operation -> operation.read() != null && !written.contains(operation.key()))
                    .forEach(operation -> cache.put(operation.key(), List.copyOf(operation.read())));
        }
        return new Result(Outcome.OK, executed, null);
    }

    /** Sets the isolation level per transaction, because a pooled session may have another default. */
    private void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL " + isolation.sql() + "; SHOW transaction_isolation");
            statement.getMoreResults();
            try (ResultSet answer = statement.getResultSet()) {
                answer.next();
                Isolation actual = Isolation.named(answer.getString(1));
                if (actual.compareTo(isolation) < 0) {
                    throw new SQLException(
                            "A transaction runs at " + actual.id() + ", which is below " + isolation.id(),
                            SqlState.INVALID_TRANSACTION_STATE);
                }
            }
        }
    }

    private MicroOp step(Connection connection, MicroOp operation, Set<Long> written) throws SQLException {
        if (operation.kind() == Kind.APPEND) {
            written.add(operation.key());
            Rows.update(connection, APPEND, List.of(operation.key(), operation.value()));
            return operation;
        }
        if (defect == ClientDefect.CACHE && !written.contains(operation.key()) && random.nextBoolean()) {
            List<Long> remembered = cache.get(operation.key());
            if (remembered != null) {
                return MicroOp.read(operation.key(), remembered);
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setLong(1, operation.key());
            try (ResultSet rows = statement.executeQuery()) {
                return MicroOp.read(operation.key(), rows.next() ? elements(rows.getArray(1)) : List.of());
            }
        }
    }

    /**
     * Returns whether a failed COMMIT certainly had no effect, because the server rolled the transaction back. After
     * any other failure, such as a lost connection, the outcome is unknown.
     */
    static boolean isRolledBack(SQLException failed) {
        String state = SqlState.of(failed);
        return state != null
                && !SqlState.UNKNOWN_OUTCOME.equals(state)
                && ROLLBACK_CLASSES.stream().anyMatch(state::startsWith);
    }

    private static void rollback(Connection connection, SQLException because) {
        try {
            connection.rollback();
        } catch (SQLException lost) {
            because.addSuppressed(lost);
        }
    }

    private static List<Long> elements(Array array) throws SQLException {
        return List.copyOf(Arrays.asList((Long[]) array.getArray()));
    }
}
