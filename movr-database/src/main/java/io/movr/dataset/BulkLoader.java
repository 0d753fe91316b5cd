package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.AnswerWatch;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.RetryPolicy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads a dataset by COPY, or where CockroachDB can fetch it by {@link TableImport}; all of it or nothing.
 *
 * <p>Into empty tables without foreign keys rows go over several connections at once, each in one transaction, and all
 * of them commit together at the end. A note in the table {@code movr_loads} says when that moment has come, and of which
 * transactions: should the program die right in it, the next load finds the note and removes the rows that they wrote. Into
 * tables with rows or foreign keys everything goes over one connection, in one transaction.
 *
 * <p>CockroachDB wants small transactions and may ask for each again: there a load that was interrupted goes on with the
 * same command, see {@link ChunkedLoader}.
 */
public final class BulkLoader {

    /** What to do when the tables hold rows already. */
    public enum IfFilled {
        REFUSE,
        KEEP,
        APPEND,
        REPLACE
    }

    /**
     * What a load did.
     *
     * @param rows rows loaded
     * @param bytes bytes sent, in COPY's format
     * @param copySeconds time from the first row to the last commit
     * @param connections connections that carried rows
     */
    public record Result(long rows, long bytes, double copySeconds, int connections) {}

    /** Writes every row into files in COPY's text format, one for each piece that {@link #load} sends. */
    public static List<Path> writeFiles(DatasetSpec spec, Path folder) throws IOException {
        Dataset dataset = new Dataset(spec);
        List<Path> files = new ArrayList<>();
        for (Chunk chunk : Chunk.of(spec)) {
            Path file = folder.resolve(
                    String.format("%06d.%s", files.size(), chunk.table().sql()));
            try (OutputStream out = Files.newOutputStream(file)) {
                chunk.write(dataset, CopyRows.Format.TEXT, (bytes, length, rows) -> out.write(bytes, 0, length));
            }
            files.add(file);
        }
        return files;
    }

    private static final Result NOTHING = new Result(0, 0, 0, 0);
    private static final long LOCK = 0x4D6F7652L;
    /** The connection that holds the lock; those that carry rows have another name. */
    private static final String CONTROL = ChunkedLoader.NAME + "-control";

    private static final RetryPolicy ASKING = new RetryPolicy(8, Duration.ofMillis(200), Duration.ofSeconds(5));
    /** The keys of requests too, because their answers speak of rows that will be gone. */
    private static final String TABLES =
            Arrays.stream(Table.values()).map(Table::sql).collect(Collectors.joining(", ")) + ", idempotency_keys";

    private final Engine engine;
    private final Gateway gateway;
    private final Schema schema;
    private final LoadProgress progress;
    private final AnswerWatch.Limits limits;

    public BulkLoader(Engine engine, Gateway gateway, LoadProgress progress) {
        this(engine, gateway, progress, AnswerWatch.Limits.STANDARD);
    }

    /** With limits of its own for a server that does not answer. */
    BulkLoader(Engine engine, Gateway gateway, LoadProgress progress, AnswerWatch.Limits limits) {
        this.engine = engine;
        this.gateway = gateway;
        this.schema = new Schema(engine, gateway);
        this.progress = progress;
        this.limits = limits;
    }

    /**
     * Whether a load into tables of this schema is not over: it was interrupted, or there are no rows and none was ever
     * completed.
     *
     * @throws UserError when the database does not answer
     */
    public boolean isPending() {
        try (Connection connection = gateway.connect()) {
            createNotes(connection);
            boolean completed = exists(connection, "SELECT 1 FROM movr_loads WHERE state = 'complete'");
            return completed
                    ? Schema.seenBy(connection).equals(Optional.of(Stage.BASELINE)) || !isOver(connection)
                    // In this order: what is being imported cannot be read.
                    : !isOver(connection) || !hasRows(connection);
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " whether it holds rows: " + UserError.firstLine(failed), failed);
        }
    }

    /** Whether there are rows in any of MovR's tables. */
    public static boolean hasRows(Connection connection) throws SQLException {
        for (Table table : Table.values()) {
            if (hasRows(connection, table)) {
                return true;
            }
        }
        return false;
    }

    static boolean hasRows(Connection connection, Table table) throws SQLException {
        return exists(connection, "SELECT 1 FROM " + table.sql());
    }

    /**
     * Loads the rows, then the foreign keys if they are not there yet, then the statistics that plans depend on.
     *
     * @param connections how many carry rows at once, at least 1
     * @throws UserError when the tables are filled and may not be touched, or when the load fails, which leaves none of its
     *     rows, or says that it may have
     */
    public Result load(DatasetSpec spec, int connections, IfFilled ifFilled) {
        return load(spec, connections, ifFilled, true);
    }

    /**
     * Loads the rows into empty tables that keep having no foreign keys, then gathers statistics.
     *
     * @throws UserError as {@link #load(DatasetSpec, int, IfFilled)}
     */
    public Result loadWithoutForeignKeys(DatasetSpec spec, int connections) {
        return load(spec, connections, IfFilled.REFUSE, false);
    }

    private Result load(DatasetSpec spec, int connections, IfFilled ifFilled, boolean addForeignKeys) {
        if (connections < 1) {
            throw new UserError("--connections " + connections + " is out of range: at least 1");
        }
        Optional<Stage> stage = schema.current();
        boolean withForeignKeys = stage.map(Stage.BASELINE::isBefore).orElse(false);
        if (stage.isEmpty()) {
            schema.migrateTo(Stage.BASELINE);
        }
        try (AnswerWatch watch = new AnswerWatch(
                gateway, limits, AnswerWatch.activity(engine, ChunkedLoader.NAME, progress::troubledBy))) {
            // It holds the lock until all is over.
            try (Connection control = watch.connect(CONTROL)) {
                Result result = loadRows(watch, control, spec, connections, ifFilled, withForeignKeys);
                finish(watch, connections, !withForeignKeys && addForeignKeys);
                return result;
            } catch (SQLException failed) {
                throw new UserError("The load cannot begin: " + watch.reason(failed), failed);
            }
        }
    }

    private Result loadRows(
            AnswerWatch watch,
            Connection control,
            DatasetSpec spec,
            int connections,
            IfFilled ifFilled,
            boolean withForeignKeys)
            throws SQLException {
        if (ifFilled == IfFilled.KEEP && isWhole(control)) {
            return NOTHING;
        }
        return engine.hasLargeTransactions()
                ? loadAtOnce(watch, control, spec, connections, ifFilled, withForeignKeys)
                : loadInChunks(watch, control, spec, connections, ifFilled, withForeignKeys);
    }

    private void finish(AnswerWatch watch, int connections, boolean addForeignKeys) {
        Queue<Table> waiting = new ConcurrentLinkedQueue<>(Arrays.asList(Table.values()));
        List<LoadWorkers.Worker> workers = new ArrayList<>();
        if (!engine.hasTransactionalDdl()) {
            // The first that is waited for: statistics that fail do not break it off.
            workers.add(() -> {
                validateConstraints(watch);
                if (addForeignKeys) {
                    addForeignKeys();
                }
            });
        } else if (addForeignKeys) {
            // Which locks the tables.
            addForeignKeys();
        }
        int others = Math.max(1, Math.min(connections, waiting.size()) - workers.size());
        workers.addAll(Collections.nCopies(others, () -> gatherStatistics(watch, waiting)));
        progress.at("gathering statistics");
        try {
            LoadWorkers.run(workers, waiting);
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The rows are loaded, but gathering statistics failed: " + watch.reason(failed)
                            + ". Run ANALYZE on them",
                    failed);
        }
    }

    private static void validateConstraints(AnswerWatch watch) throws SQLException {
        try (Connection connection = watch.connect(ChunkedLoader.NAME)) {
            TableImport.validateConstraints(connection);
        } catch (SQLException failed) {
            throw new UserError(
                    "The rows are loaded, but validating their constraints failed: " + watch.reason(failed)
                            + ". Run ALTER TABLE … VALIDATE CONSTRAINT on what SHOW CONSTRAINTS says is not validated",
                    failed);
        }
    }

    private void addForeignKeys() {
        progress.at("checking and adding the foreign keys");
        schema.migrateTo(Stage.FOREIGN_KEYS, now -> progress.at("adding the foreign keys: " + now.what()));
    }

    private void gatherStatistics(AnswerWatch watch, Queue<Table> waiting) throws SQLException {
        try (Connection connection = watch.connect(ChunkedLoader.NAME)) {
            for (Table table = waiting.poll(); table != null; table = waiting.poll()) {
                Rows.execute(connection, engine.statisticsOf(table.sql()));
            }
        }
    }

    /** Whether there are rows, and no load that was begun is not over. */
    private static boolean isWhole(Connection control) throws SQLException {
        createNotes(control);
        return isOver(control) && hasRows(control);
    }

    private static boolean isOver(Connection connection) throws SQLException {
        return !exists(connection, "SELECT 1 FROM movr_loads WHERE state <> 'complete'");
    }

    private Result loadAtOnce(
            AnswerWatch watch,
            Connection control,
            DatasetSpec spec,
            int connections,
            IfFilled ifFilled,
            boolean withForeignKeys) {
        try {
            lock(control);
            boolean filled = prepare(control, spec, ifFilled);
            if (filled && ifFilled == IfFilled.KEEP) {
                return NOTHING;
            }
            if (filled || withForeignKeys) {
                DatasetSpec rows = filled && ifFilled == IfFilled.APPEND ? spec.withoutPublishedRows() : spec;
                return loadInOneTransaction(watch, rows, filled && ifFilled == IfFilled.REPLACE);
            }
            return loadInParallel(watch, control, spec, connections);
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed, and none of its rows are in the tables: " + watch.reason(failed), failed);
        }
    }

    private Result loadInChunks(
            AnswerWatch watch,
            Connection control,
            DatasetSpec spec,
            int connections,
            IfFilled ifFilled,
            boolean withForeignKeys) {
        long begun = System.nanoTime();
        try {
            boolean fromEmpty = prepareChunks(control, spec, ifFilled);
            DatasetSpec rows = fromEmpty ? spec : spec.withoutPublishedRows();
            new ChunkedLoader(watch, progress, rows).load(connections, fromEmpty && !withForeignKeys);
            control.setAutoCommit(false);
            Rows.execute(control, "DELETE FROM movr_load_chunks WHERE seed = " + spec.seed());
            Rows.execute(control, "DELETE FROM movr_loads WHERE state <> 'complete'");
            note(control, spec, "complete");
            control.commit();
            control.setAutoCommit(true);
            return new Result(rows.totalRows(), progress.bytes(), secondsSince(begun), connections);
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed: " + watch.reason(failed)
                            + ". The same command goes on with it; --replace begins anew",
                    failed);
        }
    }

    /**
     * Notes what is going to be loaded, unless it is what was interrupted.
     *
     * @return whether the tables were empty when the load began
     */
    private boolean prepareChunks(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        if (exists(
                control,
                "SELECT 1 FROM " + Engine.of(control).sessions() + " WHERE application_name = '" + ChunkedLoader.NAME
                        + "'")) {
            throw new UserError("Another load into this cluster is going on: wait for it to end");
        }
        createNotes(control);
        ChunkedLoader.createNotes(control);
        ChunkedLoader.endImports(control, progress);
        String same = ChunkedLoader.fingerprint(spec);
        String interrupted = "SELECT 1 FROM movr_loads WHERE state ";
        if (ifFilled != IfFilled.REPLACE && exists(control, interrupted + "<> 'complete'")) {
            if (exists(control, interrupted + "= 'loading " + same + "'")) {
                return true;
            }
            if (exists(control, interrupted + "= 'appending " + same + "'")) {
                return false;
            }
            throw new UserError(
                    "A load of other rows was interrupted: run its command again and it goes on, or load anew"
                            + " with --replace");
        }
        if (ifFilled == IfFilled.REPLACE) {
            Rows.execute(control, "TRUNCATE movr_loads, movr_load_chunks, " + TABLES);
        }
        boolean filled = isFilled(control, spec, ifFilled);
        note(control, spec, (filled ? "appending " : "loading ") + same);
        return !filled;
    }

    private void lock(Connection control) throws SQLException {
        try (PreparedStatement statement = control.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
            statement.setLong(1, LOCK);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                if (!answer.getBoolean(1)) {
                    throw new UserError("Another load into " + gateway.shown() + " is going on: wait for it to end");
                }
            }
        }
    }

    /** Cleans up after a load that was killed, and says whether there are rows. */
    private boolean prepare(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        createNotes(control);
        for (List<String> note : Rows.query(control, LoadTransactions.NOTES, List.of())) {
            progress.at("removing the rows of a load that was killed");
            boolean known = LoadTransactions.noted(note.get(0)).remove(control).isPresent() || !hasRows(control);
            if (!known && ifFilled != IfFilled.REPLACE) {
                throw new UserError("A load was killed while it committed, and which rows it has left is not known"
                        + " any more: load anew with --replace, which removes all rows");
            }
            if (known) {
                Rows.update(control, "DELETE FROM movr_loads WHERE state = ?", List.of(note.get(0)));
            }
        }
        return isFilled(control, spec, ifFilled);
    }

    static void createNotes(Connection control) throws SQLException {
        Rows.execute(control, """
                CREATE TABLE IF NOT EXISTS movr_loads (
                    seed BIGINT NOT NULL,
                    state VARCHAR NOT NULL,
                    loaded_rows BIGINT NOT NULL,
                    at TIMESTAMPTZ NOT NULL DEFAULT now()
                )""");
    }

    private static boolean isFilled(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        boolean filled = hasRows(control);
        if (filled && ifFilled == IfFilled.REFUSE) {
            throw new UserError("The tables hold rows already: add to them with --append and another --seed, or load"
                    + " them anew with --replace");
        }
        if (filled
                && ifFilled == IfFilled.APPEND
                && exists(control, "SELECT 1 FROM movr_loads WHERE seed = " + spec.seed())) {
            throw new UserError(
                    "The rows of seed " + spec.seed() + " are in the tables already: append another --seed");
        }
        return filled;
    }

    private Result loadInOneTransaction(AnswerWatch watch, DatasetSpec spec, boolean replace)
            throws SQLException, IOException {
        Dataset dataset = new Dataset(spec);
        long begun = System.nanoTime();
        try (Connection connection = watch.connect(ChunkedLoader.NAME)) {
            connection.setAutoCommit(false);
            long id = LoadTransactions.of(connection);
            if (replace) {
                Rows.execute(connection, "TRUNCATE movr_loads, " + TABLES);
            }
            progress.at("loading over one connection, in one transaction");
            for (Chunk chunk : Chunk.of(spec)) {
                copy(connection, dataset, chunk);
                watch.heard();
            }
            note(connection, spec, "complete");
            commit(watch, connection, id);
        } catch (UnknownOutcome unknown) {
            throw new UserError(
                    "The load may have failed: all of its rows are in the tables, or none, because "
                            + UserError.firstLine(unknown),
                    unknown);
        }
        return new Result(spec.totalRows(), progress.bytes(), secondsSince(begun), 1);
    }

    private Result loadInParallel(AnswerWatch watch, Connection control, DatasetSpec spec, int connections)
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
            commitTogether(watch, control, open, new LoadTransactions(ids), spec);
        } catch (SQLException | IOException | RuntimeException failed) {
            abort(open);
            throw failed;
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        return new Result(spec.totalRows(), progress.bytes(), secondsSince(begun), connections);
    }

    private void commitTogether(
            AnswerWatch watch,
            Connection control,
            List<Connection> open,
            LoadTransactions transactions,
            DatasetSpec spec)
            throws SQLException {
        try {
            note(control, spec, transactions.note());
            Connection last = open.get(open.size() - 1);
            Rows.update(last, "DELETE FROM movr_loads WHERE state = ?", List.of(transactions.note()));
            note(last, spec, "complete");
            for (int number = 0; number < open.size(); number++) {
                commit(watch, open.get(number), transactions.ids().get(number));
            }
        } catch (SQLException failed) {
            abort(open);
            if (isUndone(watch, transactions, failed)) {
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

    /** Removes what a part of the transactions has committed, unless all have, as may turn out only now. */
    private static boolean isUndone(AnswerWatch watch, LoadTransactions transactions, SQLException failed) {
        try (Connection connection = reconnect(watch)) {
            return transactions
                    .remove(connection)
                    .orElseThrow(() -> new SQLException("the server no longer knows the load's transactions"));
        } catch (SQLException | UserError notUndone) {
            failed.addSuppressed(notUndone);
            throw new UserError(
                    "The load failed while it committed, and removing what it had committed failed too: a part of its"
                            + " rows may be in the tables, and the next load removes them first. "
                            + reasons(watch, failed, notUndone),
                    failed);
        }
    }

    /** Commits; of a commit whose answer was lost the server is asked what became of it. */
    private static void commit(AnswerWatch watch, Connection connection, long id) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException failed) {
            if (!SqlState.isConnectionLost(SqlState.of(failed))) {
                throw failed;
            }
            boolean committed;
            try (Connection asking = reconnect(watch)) {
                committed = LoadTransactions.isCommitted(asking, id);
            } catch (SQLException | UserError unasked) {
                throw new UnknownOutcome(reasons(watch, failed, unasked), failed);
            }
            if (!committed) {
                throw failed;
            }
        }
    }

    /** Of a commit; all of its rows are in the tables, or none. */
    private static final class UnknownOutcome extends SQLException {

        private static final long serialVersionUID = 1L;

        UnknownOutcome(String reasons, SQLException failed) {
            super("a commit was not answered, and what became of it cannot be asked: " + reasons, failed);
        }
    }

    private static String reasons(AnswerWatch watch, Exception first, Exception second) {
        return watch.isSilent()
                ? watch.reason(first)
                : UserError.firstLine(first) + "; then: " + UserError.firstLine(second);
    }

    /** Connects, also when the server comes back only after a while. */
    private static Connection reconnect(AnswerWatch watch) {
        return ASKING.run(
                "The load was interrupted",
                UserError.class,
                attempt -> watch.connect(ChunkedLoader.NAME),
                (unreachable, attempt) -> !watch.isSilent());
    }

    private void copy(Connection connection, Dataset dataset, Chunk chunk) throws SQLException, IOException {
        copy(connection, dataset, chunk, CopyRows.Format.BINARY, progress::sent);
    }

    /** Is told of rows and bytes that were sent. */
    interface Sent {
        void sent(long rows, long bytes);
    }

    static void copy(Connection connection, Dataset dataset, Chunk chunk, CopyRows.Format format, Sent told)
            throws SQLException, IOException {
        CopyIn copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(chunk.table().copyStatement(format));
        try {
            chunk.write(dataset, format, (bytes, length, rows) -> {
                try {
                    copy.writeToCopy(bytes, 0, length);
                } catch (SQLException failed) {
                    throw new IOException(failed);
                }
                told.sent(rows, length);
            });
            copy.endCopy();
        } catch (IOException failed) {
            if (failed.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw failed;
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private static void note(Connection connection, DatasetSpec spec, String state) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO movr_loads (seed, state, loaded_rows) VALUES (?, ?, ?)")) {
            statement.setLong(1, spec.seed());
            statement.setString(2, state);
            statement.setLong(3, spec.totalRows());
            statement.executeUpdate();
        }
    }

    private static boolean exists(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT EXISTS (" + query + ")")) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
