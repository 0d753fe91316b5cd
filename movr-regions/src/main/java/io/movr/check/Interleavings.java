package io.movr.check;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.report.CheckResults;
import io.movr.workload.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * Fixed interleavings of the statements of two or three sessions, each of which shows an anomaly if the isolation
 * level does not prevent it. Method and names follow Hermitage (Kleppmann, 2014), which follows Adya's
 * definitions.
 */
final class Interleavings {

    private static final String TABLE = "movr_check_rows";
    private static final String ALL_ROWS = "SELECT id, value FROM " + TABLE + " ORDER BY id";
    private static final String FIRST = "SELECT id, value FROM " + TABLE + " WHERE id = 1";
    private static final String SECOND = "SELECT id, value FROM " + TABLE + " WHERE id = 2";
    private static final String MULTIPLES = "SELECT id, value FROM " + TABLE + " WHERE value % 3 = 0 ORDER BY id";
    private static final String COMMIT = "COMMIT";
    private static final String ROLLBACK = "ROLLBACK";

    /** The interval at which PostgreSQL is queried for blocked statements. */
    private static final Duration BLOCK_POLL = Duration.ofMillis(100);

    /** On other engines a statement that takes this long is taken for blocked. */
    private static final Duration ASSUMED_BLOCKED = Duration.ofMillis(1500);

    private static final Duration END_LIMIT = Duration.ofSeconds(60);
    private static final String SOCKET_TIMEOUT_SECONDS = "30";

    /** All interleavings, in the order of the printed table. */
    static final List<Script> SCRIPTS = List.of(
            new Script("G0", "dirty write")
                    .step(1, set(1, 11))
                    .step(2, set(1, 12))
                    .step(1, set(2, 21))
                    .step(1, COMMIT)
                    .step(2, set(2, 22))
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && !observation.atEnd().equals(Map.of(1, 11, 2, 21))
                            && !observation.atEnd().equals(Map.of(1, 12, 2, 22))),
            new Script("G1a", "aborted read")
                    .step(1, set(1, 101))
                    .step(2, ALL_ROWS)
                    .step(1, ROLLBACK)
                    .step(2, ALL_ROWS)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(2) && observation.everRead(2, 1, 101)),
            new Script("G1b", "intermediate read")
                    .step(1, set(1, 101))
                    .step(2, ALL_ROWS)
                    .step(1, set(1, 11))
                    .step(1, COMMIT)
                    .step(2, ALL_ROWS)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2) && observation.everRead(2, 1, 101)),
            new Script("G1c", "circular information flow")
                    .step(1, set(1, 11))
                    .step(2, set(2, 22))
                    .step(1, SECOND)
                    .step(2, FIRST)
                    .step(1, COMMIT)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && observation.everRead(1, 2, 22)
                            && observation.everRead(2, 1, 11)),
            new Script("OTV", "observed transaction vanishes")
                    .step(1, set(1, 11))
                    .step(1, set(2, 19))
                    .step(2, set(1, 12))
                    .step(1, COMMIT)
                    .step(3, FIRST)
                    .step(2, set(2, 18))
                    .step(3, SECOND)
                    .step(2, COMMIT)
                    .step(3, SECOND)
                    .step(3, FIRST)
                    .step(3, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2, 3)
                            && (observation.readBefore(3, 1, 12, 2, 19) || observation.readBefore(3, 2, 18, 1, 11))),
            new Script("PMP", "predicate-many-preceders")
                    .step(1, MULTIPLES)
                    .step(2, "INSERT INTO " + TABLE + " (id, value) VALUES (3, 30)")
                    .step(2, COMMIT)
                    .step(1, MULTIPLES)
                    .step(1, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2) && observation.everRead(1, 3, 30)),
            new Script("P4", "lost update")
                    .step(1, FIRST)
                    .step(2, FIRST)
                    .step(1, set(1, 11))
                    .step(2, set(1, 12))
                    .step(1, COMMIT)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && observation.everRead(1, 1, 10)
                            && observation.everRead(2, 1, 10)),
            new Script("G-single", "read skew")
                    .step(1, FIRST)
                    .step(2, FIRST)
                    .step(2, SECOND)
                    .step(2, set(1, 12))
                    .step(2, set(2, 18))
                    .step(2, COMMIT)
                    .step(1, SECOND)
                    .step(1, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && observation.everRead(1, 1, 10)
                            && observation.everRead(1, 2, 18)),
            new Script("G2-item", "write skew")
                    .step(1, ALL_ROWS)
                    .step(2, ALL_ROWS)
                    .step(1, set(1, 11))
                    .step(2, set(2, 21))
                    .step(1, COMMIT)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && observation.everRead(1, 2, 20)
                            && observation.everRead(2, 1, 10)),
            new Script("G2", "write skew by a predicate")
                    .step(1, MULTIPLES)
                    .step(2, MULTIPLES)
                    .step(1, "INSERT INTO " + TABLE + " (id, value) VALUES (3, 30)")
                    .step(2, "INSERT INTO " + TABLE + " (id, value) VALUES (4, 42)")
                    .step(1, COMMIT)
                    .step(2, COMMIT)
                    .showsAnomalyIf(observation -> observation.committed(1, 2)
                            && !observation.everRead(1, 4, 42)
                            && !observation.everRead(2, 3, 30)));

    private static String set(int id, int value) {
        return "UPDATE " + TABLE + " SET value = " + value + " WHERE id = " + id;
    }

    private record Step(int session, String sql) {}

    /** An interleaving, with the condition under which it shows the anomaly. */
    static final class Script {

        private final String anomaly;
        private final String title;
        private final List<Step> steps = new ArrayList<>();
        private Predicate<Observation> anomalyShown = observation -> false;

        Script(String anomaly, String title) {
            this.anomaly = anomaly;
            this.title = title;
        }

        private Script step(int session, String sql) {
            steps.add(new Step(session, sql));
            return this;
        }

        private Script showsAnomalyIf(Predicate<Observation> condition) {
            anomalyShown = condition;
            return this;
        }
    }

    /** The reads, commits and failures of the sessions of a script. */
    private static final class Observation {

        private record Read(int session, int id, int value) {}

        private final List<Read> reads = new ArrayList<>();
        private final Set<Integer> committed = new TreeSet<>();
        private final Map<Integer, Integer> atEnd = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();
        private boolean blocked;

        boolean committed(int... sessions) {
            for (int session : sessions) {
                if (!committed.contains(session)) {
                    return false;
                }
            }
            return true;
        }

        Map<Integer, Integer> atEnd() {
            return atEnd;
        }

        boolean everRead(int session, int id, int value) {
            return reads.contains(new Read(session, id, value));
        }

        /** Returns whether a session read one value and later another one. */
        boolean readBefore(int session, int id, int value, int laterId, int laterValue) {
            int first = reads.indexOf(new Read(session, id, value));
            return first >= 0 && reads.lastIndexOf(new Read(session, laterId, laterValue)) > first;
        }

        synchronized void read(int session, List<List<String>> rows) {
            rows.forEach(
                    row -> reads.add(new Read(session, Integer.parseInt(row.get(0)), Integer.parseInt(row.get(1)))));
        }

        synchronized void addCommit(int session) {
            committed.add(session);
        }

        synchronized void addFailure(SQLException failed) {
            String state = SqlState.of(failed);
            failures.add(state == null ? "no answer" : state);
        }
    }

    private Interleavings() {}

    /**
     * Runs each interleaving at each isolation level, in a table of its own.
     *
     * @param progress receives the interleaving and the level that run
     * @throws UserError if the server cannot be reached, or a session does not end within a minute
     */
    public static List<CheckResults.Interleaving> run(Gateway database, Consumer<String> progress)
            throws InterruptedException {
        Gateway bounded = database.with(PGProperty.SOCKET_TIMEOUT, SOCKET_TIMEOUT_SECONDS);
        List<CheckResults.Interleaving> found = new ArrayList<>();
        try (Connection control = bounded.connect("movr-check")) {
            Rows.execute(control, "DROP TABLE IF EXISTS " + TABLE);
            Rows.execute(control, "CREATE TABLE " + TABLE + " (id INT PRIMARY KEY, value INT NOT NULL)");
            for (Script script : SCRIPTS) {
                Map<String, String> outcome = new LinkedHashMap<>();
                for (Isolation isolation : Isolation.values()) {
                    progress.accept(script.anomaly + " at " + isolation.id() + "…");
                    outcome.put(isolation.id(), outcome(bounded, control, script, isolation));
                }
                found.add(new CheckResults.Interleaving(script.anomaly, script.title, outcome));
            }
            Rows.execute(control, "DROP TABLE " + TABLE);
        } catch (SQLException failed) {
            throw new UserError("Cannot run the interleavings: " + UserError.firstLine(failed), failed);
        }
        return found;
    }

    private static String outcome(Gateway gateway, Connection control, Script script, Isolation isolation)
            throws SQLException, InterruptedException {
        Rows.execute(control, "DELETE FROM " + TABLE);
        Rows.execute(control, "INSERT INTO " + TABLE + " (id, value) VALUES (1, 10), (2, 20)");
        Observation observation = new Observation();
        Map<Integer, Session> sessions = new TreeMap<>();
        try {
            for (Step step : script.steps) {
                if (!sessions.containsKey(step.session())) {
                    sessions.put(step.session(), new Session(gateway, isolation, step.session(), observation));
                }
            }
            List<Future<?>> steps = new ArrayList<>();
            for (Step step : script.steps) {
                Future<?> future =
                        Objects.requireNonNull(sessions.get(step.session())).run(step.sql());
                steps.add(future);
                observation.blocked |= isBlocked(control, Objects.requireNonNull(sessions.get(step.session())), future);
            }
            for (Future<?> step : steps) {
                if (!endsWithin(step, END_LIMIT)) {
                    throw new UserError("A session of " + script.anomaly + " at " + isolation.id() + " does not end");
                }
            }
        } finally {
            for (Session session : sessions.values()) {
                session.close();
            }
        }
        Rows.query(control, ALL_ROWS, List.of())
                .forEach(row -> observation.atEnd.put(Integer.parseInt(row.get(0)), Integer.parseInt(row.get(1))));
        if (script.anomalyShown.test(observation)) {
            return "possible";
        }
        return observation.failures.isEmpty()
                ? observation.blocked ? "prevented, waits" : "prevented"
                : "prevented, " + observation.failures.get(0);
    }

    /** Waits until a statement is blocked by another session or has ended, and returns whether it is blocked. */
    private static boolean isBlocked(Connection control, Session session, Future<?> statement)
            throws SQLException, InterruptedException {
        if (Engine.of(control) != Engine.POSTGRESQL) {
            return !endsWithin(statement, ASSUMED_BLOCKED);
        }
        while (!endsWithin(statement, BLOCK_POLL)) {
            String sql = "SELECT cardinality(pg_blocking_pids(" + session.pid + ")) > 0";
            if (Rows.one(control, sql).equals("true")) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsWithin(Future<?> step, Duration limit) throws InterruptedException {
        try {
            step.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException waiting) {
            return false;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new UserError("A session of an interleaving failed: " + UserError.firstLine(cause), failed);
        }
    }

    /** A connection with its own thread, so that other sessions continue while it is blocked. */
    private static final class Session {

        private final int number;
        private final Observation observation;
        private final Connection connection;
        private final int pid;
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private boolean failed;

        Session(Gateway gateway, Isolation isolation, int number, Observation observation) throws SQLException {
            this.number = number;
            this.observation = observation;
            this.connection = gateway.connect("movr-check-session-" + number);
            this.pid = connection.unwrap(PGConnection.class).getBackendPID();
            connection.setTransactionIsolation(isolation.jdbc());
            connection.setAutoCommit(false);
        }

        Future<?> run(String sql) {
            return thread.submit(() -> {
                if (failed) {
                    return;
                }
                try {
                    execute(sql);
                } catch (SQLException refused) {
                    failed = true;
                    if (!SqlState.isRetryable(refused)) {
                        throw new IllegalStateException(refused);
                    }
                    observation.addFailure(refused);
                    rollback(refused);
                }
            });
        }

        private void execute(String sql) throws SQLException {
            switch (sql) {
                case COMMIT -> {
                    connection.commit();
                    observation.addCommit(number);
                }
                case ROLLBACK -> connection.rollback();
                default -> {
                    if (sql.startsWith("SELECT")) {
                        observation.read(number, Rows.query(connection, sql, List.of()));
                    } else {
                        Rows.execute(connection, sql);
                    }
                }
            }
        }

        private void rollback(SQLException because) {
            try {
                connection.rollback();
            } catch (SQLException lost) {
                because.addSuppressed(lost);
            }
        }

        void close() throws SQLException, InterruptedException {
            thread.shutdown();
            connection.abort(Runnable::run);
            thread.awaitTermination(1, TimeUnit.SECONDS);
        }
    }
}
