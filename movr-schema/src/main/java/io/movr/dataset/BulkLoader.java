package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.StatementWatchdog;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads a dataset completely or not at all: by COPY, or by {@link TableImport} if CockroachDB can fetch it.
 *
 * <p>A {@link LoadStrategy} decides how rows are committed.
 */
public final class BulkLoader {

    private static final int MAX_DEFAULT_CONNECTIONS = 8;

    /** The action if the tables already hold rows. */
    public enum IfFilled {
        REFUSE,
        KEEP,
        APPEND,
        REPLACE
    }

    /** The result of a load.
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

    static final Result NOTHING = new Result(0, 0, 0, 0);
    /** The connection that holds the lock; connections that carry rows have another name. */
    private static final String CONTROL = ChunkedLoader.NAME + "-control";

    /** The tables that are emptied: also the idempotency keys, because their answers refer to removed rows. */
    static final String TABLES =
            Arrays.stream(Table.values()).map(Table::sql).collect(Collectors.joining(", ")) + ", idempotency_keys";

    private final Engine engine;
    private final Gateway gateway;
    private final Schema schema;
    private final LoadProgress progress;
    private final StatementWatchdog.Limits limits;

    /** Returns the number of connections over which rows are loaded by default: one per core, at most 8. */
    public static int defaultConnections() {
        return Math.max(
                1, Math.min(MAX_DEFAULT_CONNECTIONS, Runtime.getRuntime().availableProcessors()));
    }

    public BulkLoader(Engine engine, Gateway gateway, LoadProgress progress) {
        this(engine, gateway, progress, StatementWatchdog.Limits.STANDARD);
    }

    /** With limits of its own for a server that does not answer. */
    BulkLoader(Engine engine, Gateway gateway, LoadProgress progress, StatementWatchdog.Limits limits) {
        this.engine = engine;
        this.gateway = gateway;
        this.schema = new Schema(engine, gateway);
        this.progress = progress;
        this.limits = limits;
    }

    /**
     * Returns whether a load into this schema is pending: it was interrupted, or the tables are empty and no load was ever
     * completed.
     *
     * @throws UserError when the database does not answer
     */
    public boolean isPending() {
        try (Connection connection = gateway.connect()) {
            createNotes(connection);
            boolean completed = exists(connection, "SELECT 1 FROM movr_loads WHERE state = 'complete'");
            return completed
                    ? Schema.readStage(connection).equals(Optional.of(Stage.BASELINE)) || !isOver(connection)
                    // In this order: what is being imported cannot be read.
                    : !isOver(connection) || !hasRows(connection);
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " whether it holds rows: " + UserError.firstLine(failed), failed);
        }
    }

    /** Returns whether there are rows in any of MovR's tables. */
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
     * @throws UserError if the tables are filled and may not be changed, or if the load fails; a failed load leaves none of its
     *     rows, or the message says that it may have left some
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
        try (StatementWatchdog watch = new StatementWatchdog(
                gateway, limits, StatementWatchdog.activity(engine, ChunkedLoader.NAME, progress::setTrouble))) {
            // It holds the lock until the load has ended.
            try (Connection control = watch.connect(CONTROL)) {
                Result result = ifFilled == IfFilled.KEEP && isWhole(control)
                        ? NOTHING
                        : strategy(watch)
                                .load(control, new LoadStrategy.Load(spec, connections, ifFilled, withForeignKeys));
                finish(watch, connections, !withForeignKeys && addForeignKeys);
                return result;
            } catch (SQLException failed) {
                throw new UserError("The load cannot begin: " + watch.reason(failed), failed);
            }
        }
    }

    private LoadStrategy strategy(StatementWatchdog watch) {
        return engine.hasLargeTransactions()
                ? new AtomicLoad(gateway, progress, watch)
                : new ResumableLoad(progress, watch);
    }

    private void finish(StatementWatchdog watch, int connections, boolean addForeignKeys) {
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

    private static void validateConstraints(StatementWatchdog watch) throws SQLException {
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

    private void gatherStatistics(StatementWatchdog watch, Queue<Table> waiting) throws SQLException {
        try (Connection connection = watch.connect(ChunkedLoader.NAME)) {
            for (Table table = waiting.poll(); table != null; table = waiting.poll()) {
                Rows.execute(connection, engine.statisticsOf(table.sql()));
            }
        }
    }

    /** Returns whether there are rows and no load is unfinished. */
    private static boolean isWhole(Connection control) throws SQLException {
        createNotes(control);
        return isOver(control) && hasRows(control);
    }

    private static boolean isOver(Connection connection) throws SQLException {
        return !exists(connection, "SELECT 1 FROM movr_loads WHERE state <> 'complete'");
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

    static boolean isFilled(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
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

    /** A listener for the rows and bytes that were sent. */
    interface Sent {
        void sent(long rows, long bytes);
    }

    static void copy(Connection connection, Dataset dataset, Chunk chunk, CopyRows.Format format, Sent listener)
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
                listener.sent(rows, length);
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

    static void note(Connection connection, DatasetSpec spec, String state) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO movr_loads (seed, state, loaded_rows) VALUES (?, ?, ?)")) {
            statement.setLong(1, spec.seed());
            statement.setString(2, state);
            statement.setLong(3, spec.totalRows());
            statement.executeUpdate();
        }
    }

    static boolean exists(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT EXISTS (" + query + ")")) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
