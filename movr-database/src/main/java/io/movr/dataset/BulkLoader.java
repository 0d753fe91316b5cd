package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads a dataset by COPY, all of it or nothing.
 *
 * <p>Into empty tables without foreign keys rows go over several connections at once, each in one transaction, and all
 * of them commit together at the end. A note in the table {@code movr_loads} says when that moment has come: should the
 * program die right in it, the next load finds the note and empties the tables again. Into tables with rows or foreign
 * keys everything goes over one connection, in one transaction.
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
     * @param bytes bytes sent, in COPY's text format
     * @param copySeconds time from the first row to the last commit
     * @param connections connections that carried rows
     */
    public record Result(long rows, long bytes, double copySeconds, int connections) {}

    /** Writes every row into files as COPY takes them, one for each piece that {@link #load} sends. */
    public static List<Path> writeFiles(DatasetSpec spec, Path folder) throws IOException {
        Dataset dataset = new Dataset(spec);
        List<Path> files = new ArrayList<>();
        for (Chunk chunk : Chunk.of(spec)) {
            Path file = folder.resolve(
                    String.format("%06d.%s", files.size(), chunk.table().sql()));
            try (OutputStream out = Files.newOutputStream(file)) {
                chunk.write(dataset, (bytes, length, rows) -> out.write(bytes, 0, length));
            }
            files.add(file);
        }
        return files;
    }

    private static final long LOCK = 0x4D6F7652L;
    /** The keys of requests too, because their answers speak of rows that will be gone. */
    private static final String TABLES =
            Arrays.stream(Table.values()).map(Table::sql).collect(Collectors.joining(", ")) + ", idempotency_keys";

    private final Engine engine;
    private final Gateway gateway;
    private final Schema schema;
    private final LoadProgress progress;

    public BulkLoader(Engine engine, Gateway gateway, LoadProgress progress) {
        this.engine = engine;
        this.gateway = gateway;
        this.schema = new Schema(engine, gateway);
        this.progress = progress;
    }

    /**
     * Loads the rows, then the foreign keys if they are not there yet, then the statistics that plans depend on.
     *
     * @param connections how many carry rows at once, at least 1
     * @throws UserError when the tables are filled and may not be touched, or when the load fails, which leaves them as
     *     they were
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
        try (Connection control = gateway.connect()) {
            Result result;
            if (ifFilled == IfFilled.KEEP && isWhole(control)) {
                result = new Result(0, 0, 0, 0);
            } else if (engine.hasLargeTransactions()) {
                result = loadRows(control, spec, connections, ifFilled, withForeignKeys);
            } else {
                result = loadInChunks(control, spec, connections, ifFilled);
            }
            if (!withForeignKeys && addForeignKeys) {
                progress.at("checking and adding the foreign keys");
                schema.migrateTo(Stage.FOREIGN_KEYS);
            }
            progress.at("gathering statistics");
            for (Table table : Table.values()) {
                execute(control, engine.statisticsOf(table.sql()));
            }
            return result;
        } catch (SQLException failed) {
            throw new UserError(
                    "The rows are loaded, but gathering statistics failed: " + UserError.firstLine(failed)
                            + ". Run ANALYZE on them",
                    failed);
        }
    }

    /** Whether there are rows, and no load that was begun is not over. */
    private static boolean isWhole(Connection control) throws SQLException {
        createNotes(control);
        return isFilled(control) && !exists(control, "SELECT 1 FROM movr_loads WHERE state <> 'complete'");
    }

    private Result loadRows(
            Connection control, DatasetSpec spec, int connections, IfFilled ifFilled, boolean withForeignKeys) {
        try {
            lock(control);
            boolean filled = prepare(control, spec, ifFilled);
            if (filled || withForeignKeys) {
                DatasetSpec rows = filled && ifFilled == IfFilled.APPEND ? spec.withoutPublishedRows() : spec;
                return loadInOneTransaction(rows, filled && ifFilled == IfFilled.REPLACE);
            }
            return loadInParallel(control, spec, connections);
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed, and the tables are as they were before: " + UserError.firstLine(failed), failed);
        }
    }

    private Result loadInChunks(Connection control, DatasetSpec spec, int connections, IfFilled ifFilled) {
        long begun = System.nanoTime();
        try {
            DatasetSpec rows = prepareChunks(control, spec, ifFilled);
            new ChunkedLoader(gateway, progress, rows).load(connections);
            control.setAutoCommit(false);
            execute(control, "DELETE FROM movr_load_chunks WHERE seed = " + spec.seed());
            execute(control, "DELETE FROM movr_loads WHERE state <> 'complete'");
            note(control, spec, "complete");
            control.commit();
            control.setAutoCommit(true);
            return new Result(rows.totalRows(), progress.bytes(), secondsSince(begun), connections);
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed: " + UserError.firstLine(failed)
                            + ". The same command goes on with it; --replace begins anew",
                    failed);
        }
    }

    /** Notes what is going to be loaded, unless it is what was interrupted. */
    private DatasetSpec prepareChunks(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        if (exists(
                control,
                "SELECT 1 FROM " + Engine.of(control).sessions() + " WHERE application_name = '" + ChunkedLoader.NAME
                        + "'")) {
            throw new UserError("Another load into this cluster is going on: wait for it to end");
        }
        createNotes(control);
        ChunkedLoader.createNotes(control);
        String same = ChunkedLoader.fingerprint(spec);
        String interrupted = "SELECT 1 FROM movr_loads WHERE state ";
        if (ifFilled != IfFilled.REPLACE && exists(control, interrupted + "<> 'complete'")) {
            if (exists(control, interrupted + "= 'loading " + same + "'")) {
                return spec;
            }
            if (exists(control, interrupted + "= 'appending " + same + "'")) {
                return spec.withoutPublishedRows();
            }
            throw new UserError(
                    "A load of other rows was interrupted: run its command again and it goes on, or load anew"
                            + " with --replace");
        }
        if (ifFilled == IfFilled.REPLACE) {
            execute(control, "TRUNCATE movr_loads, movr_load_chunks, " + TABLES);
        }
        boolean filled = isFilled(control, spec, ifFilled);
        note(control, spec, (filled ? "appending " : "loading ") + same);
        return filled ? spec.withoutPublishedRows() : spec;
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
        if (exists(control, "SELECT 1 FROM movr_loads WHERE state = 'committing'")) {
            progress.at("removing the rows of a load that was killed");
            emptyTables(control);
        }
        return isFilled(control, spec, ifFilled);
    }

    private static void createNotes(Connection control) throws SQLException {
        execute(control, """
                CREATE TABLE IF NOT EXISTS movr_loads (
                    seed BIGINT NOT NULL,
                    state VARCHAR NOT NULL,
                    loaded_rows BIGINT NOT NULL,
                    at TIMESTAMPTZ NOT NULL DEFAULT now()
                )""");
    }

    private static boolean isFilled(Connection control) throws SQLException {
        for (Table table : Table.values()) {
            if (exists(control, "SELECT 1 FROM " + table.sql())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFilled(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        boolean filled = isFilled(control);
        if (filled && (ifFilled == IfFilled.REFUSE || ifFilled == IfFilled.KEEP)) {
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

    private Result loadInOneTransaction(DatasetSpec spec, boolean replace) throws SQLException, IOException {
        Dataset dataset = new Dataset(spec);
        long begun = System.nanoTime();
        try (Connection connection = gateway.connect()) {
            connection.setAutoCommit(false);
            if (replace) {
                execute(connection, "TRUNCATE movr_loads, " + TABLES);
            }
            progress.at("loading over one connection, in one transaction");
            for (Chunk chunk : Chunk.of(spec)) {
                copy(connection, dataset, chunk);
            }
            note(connection, spec, "complete");
            connection.commit();
        }
        return new Result(spec.totalRows(), progress.bytes(), secondsSince(begun), 1);
    }

    private Result loadInParallel(Connection control, DatasetSpec spec, int connections)
            throws SQLException, IOException {
        Dataset dataset = new Dataset(spec);
        Queue<Chunk> chunks = new ConcurrentLinkedQueue<>(Chunk.of(spec));
        progress.at("loading over " + connections + (connections == 1 ? " connection" : " connections"));
        long begun = System.nanoTime();
        List<Connection> open = new ArrayList<>();
        List<LoadWorkers.Worker> workers = new ArrayList<>();
        try {
            for (int number = 0; number < connections; number++) {
                Connection connection = gateway.connect();
                open.add(connection);
                connection.setAutoCommit(false);
                workers.add(() -> {
                    for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
                        copy(connection, dataset, chunk);
                    }
                });
            }
            LoadWorkers.run(workers, chunks);
            commitTogether(control, open, spec);
        } catch (SQLException | IOException | RuntimeException failed) {
            for (Connection connection : open) {
                // Aborting, unlike closing, also ends a COPY that is still being sent.
                connection.abort(Runnable::run);
            }
            undo(control, failed);
            throw failed;
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        return new Result(spec.totalRows(), progress.bytes(), secondsSince(begun), connections);
    }

    private static void commitTogether(Connection control, List<Connection> open, DatasetSpec spec)
            throws SQLException {
        note(control, spec, "committing");
        Connection last = open.get(0);
        for (Connection connection : open.subList(1, open.size())) {
            connection.commit();
        }
        execute(last, "DELETE FROM movr_loads WHERE state = 'committing'");
        note(last, spec, "complete");
        last.commit();
    }

    /** Nothing was in the tables before, so emptying them undoes whatever part was committed. */
    private static void undo(Connection control, Exception failed) {
        try {
            emptyTables(control);
        } catch (SQLException unreachable) {
            failed.addSuppressed(unreachable);
        }
    }

    private static void emptyTables(Connection control) throws SQLException {
        execute(control, "TRUNCATE movr_loads, " + TABLES);
    }

    private void copy(Connection connection, Dataset dataset, Chunk chunk) throws SQLException, IOException {
        copy(connection, dataset, chunk, progress::sent);
    }

    /** Is told of rows and bytes that were sent. */
    interface Sent {
        void sent(long rows, long bytes);
    }

    static void copy(Connection connection, Dataset dataset, Chunk chunk, Sent told) throws SQLException, IOException {
        CopyIn copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(chunk.table().copyStatement());
        try {
            chunk.write(dataset, (bytes, length, rows) -> {
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

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
