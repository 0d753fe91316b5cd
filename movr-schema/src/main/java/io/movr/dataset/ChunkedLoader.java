package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.RetryPolicy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.database.StatementWatchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * Loads a dataset in many small transactions, for a database whose transactions may have to be retried. Each transaction writes
 * a piece of a table and a note of that piece. An interrupted load continues after the noted pieces, and the note shows whether
 * a commit with a lost answer took effect. No row is lost or duplicated.
 */
final class ChunkedLoader {

    /** The application name of the connections that carry rows. */
    static final String NAME = "movr-load";

    private static final long ROWS = 5_000;
    private static final RetryPolicy RETRIES = new RetryPolicy(16, Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final String INTERRUPTED = "The load was interrupted; the same command continues it";

    private final StatementWatchdog watch;
    private final LoadProgress progress;
    private final DatasetSpec spec;
    private final Dataset dataset;
    private final List<Piece> pieces = new ArrayList<>();
    /** A remark on how the rows are sent. */
    private volatile String manner = "";

    ChunkedLoader(StatementWatchdog watch, LoadProgress progress, DatasetSpec spec) {
        this.watch = watch;
        this.progress = progress;
        this.spec = spec;
        this.dataset = new Dataset(spec);
        for (Chunk chunk : Chunk.of(spec, ROWS)) {
            pieces.add(new Piece(pieces.size(), chunk));
        }
    }

    /** A piece of a table, by its place among all of them. */
    private record Piece(int number, Chunk chunk) {}

    /** Returns the values that decide every row and every piece: only a load with the same fingerprint can continue another. */
    static String fingerprint(DatasetSpec spec) {
        CRC32 sum = new CRC32();
        sum.update((spec + " " + ROWS).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    /** Creates the table of notes of pieces. */
    static void createNotes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS movr_load_chunks (
                        seed BIGINT NOT NULL,
                        chunk BIGINT NOT NULL,
                        PRIMARY KEY (seed, chunk)
                    )""");
        }
    }

    /** A step of one connection. It returns the connection for the next step, and leaves none open if it fails. */
    private interface Step {
        Connection on(Connection connection) throws SQLException, IOException;
    }

    /**
     * Loads the pieces that are not noted yet: by COPY one table after the other, with imports small tables at the same time.
     *
     * @param connections that carry rows at once
     * @param importing whether the tables were empty before the load and have no foreign keys, so that large ones may be
     *     imported
     */
    void load(int connections, boolean importing) throws SQLException, IOException {
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        done.addAll(noted());
        manner = done.isEmpty() ? "" : ", continuing an interrupted load";
        if (importing) {
            importTables(done, connections);
        }
        for (Table table : Table.values()) {
            List<Step> steps = copies(table, done);
            if (!steps.isEmpty()) {
                progress.at(
                        "loading over " + connections + (connections == 1 ? " connection" : " connections") + manner);
                take(steps, connections);
            }
        }
    }

    private List<Step> copies(Table table, Set<Integer> done) {
        return pieces(table).stream()
                .filter(piece -> !done.contains(piece.number()))
                .<Step>map(piece -> connection -> {
                    Connection good = bring(connection, piece);
                    done.add(piece.number());
                    return good;
                })
                .toList();
    }

    private void take(List<Step> steps, int connections) throws SQLException, IOException {
        Queue<Step> waiting = new ConcurrentLinkedQueue<>(steps);
        LoadWorkers.run(
                Collections.nCopies(Math.min(connections, steps.size()), () -> {
                    Connection connection = connect();
                    for (Step step = waiting.poll(); step != null; step = waiting.poll()) {
                        connection = step.on(connection);
                    }
                    connection.close();
                }),
                waiting);
    }

    /**
     * Imports large tables, if the server can fetch their rows, while the rows of other tables are sent; adds the numbers of
     * their pieces to the completed ones.
     */
    private void importTables(Set<Integer> done, int connections) throws SQLException, IOException {
        List<Table> large = new ArrayList<>();
        List<Step> small = new ArrayList<>();
        try (Connection connection = connect()) {
            for (Table table : Table.values()) {
                boolean sent = pieces(table).stream().anyMatch(piece -> done.contains(piece.number()));
                if (sent || spec.count(table) < TableImport.MIN_ROWS) {
                    small.addAll(copies(table, done));
                } else if (done.contains(begunImport(table)) && BulkLoader.hasRows(connection, table)) {
                    // All rows: the load was killed after the import and before the note.
                    noteImported(connection, table, done);
                } else {
                    large.add(table);
                }
            }
            if (large.isEmpty()) {
                return;
            }
            try (TableImport rows =
                    TableImport.of(connection, dataset, progress).orElse(null)) {
                if (rows != null) {
                    progress.at("importing " + large.stream().map(Table::sql).collect(Collectors.joining(" and "))
                            + manner);
                    List<Step> steps = new ArrayList<>();
                    large.forEach(table -> steps.add(imported -> importTable(imported, table, rows, done)));
                    steps.addAll(small);
                    take(steps, connections);
                }
            }
        }
    }

    private Connection importTable(Connection connection, Table table, TableImport rows, Set<Integer> done)
            throws SQLException {
        try {
            if (!done.contains(begunImport(table))) {
                note(connection, begunImport(table), begunImport(table));
            }
            fill(connection, table, rows, done);
            return connection;
        } catch (SQLException | RuntimeException failed) {
            connection.abort(Runnable::run);
            throw failed;
        }
    }

    private void fill(Connection connection, Table table, TableImport rows, Set<Integer> done) throws SQLException {
        try {
            rows.fill(connection, table, Chunk.of(spec, table));
        } catch (SQLException failed) {
            if (SqlState.isConnectionLost(SqlState.of(failed))) {
                throw failed;
            }
            manner = ", because importing " + table.sql() + " failed: " + UserError.firstLine(failed);
            return;
        }
        noteImported(connection, table, done);
    }

    private void noteImported(Connection connection, Table table, Set<Integer> done) throws SQLException {
        List<Integer> numbers = numbers(table);
        note(connection, numbers.get(0), numbers.get(numbers.size() - 1));
        done.addAll(numbers);
    }

    /** Ends the imports of a killed load, because of which their tables are offline. */
    static void endImports(Connection connection, LoadProgress progress) throws SQLException {
        if (!Rows.query(connection, "SELECT 1 FROM movr_load_chunks WHERE chunk < 0 LIMIT 1", List.of())
                .isEmpty()) {
            progress.at("ending the import that was interrupted, which can take a minute");
            TableImport.endAbandoned(connection);
        }
    }

    /** Returns the number of the note that a table's import has begun. An import writes all of its rows or none. */
    private static int begunImport(Table table) {
        return -1 - table.number();
    }

    private List<Piece> pieces(Table table) {
        return pieces.stream().filter(piece -> piece.chunk().table() == table).toList();
    }

    private List<Integer> numbers(Table table) {
        return pieces(table).stream().map(Piece::number).toList();
    }

    private Set<Integer> noted() throws SQLException {
        Set<Integer> numbers = new HashSet<>();
        try (Connection connection = watch.connect(NAME);
                PreparedStatement statement =
                        connection.prepareStatement("SELECT chunk FROM movr_load_chunks WHERE seed = ?")) {
            statement.setLong(1, spec.seed());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.add(rows.getInt(1));
                }
            }
        }
        return numbers;
    }

    /** Loads one piece, and returns the connection for the next; none stays open if it fails. */
    private Connection bring(Connection first, Piece piece) throws SQLException, IOException {
        try {
            return RETRIES.run(
                    INTERRUPTED,
                    SQLException.class,
                    attempt -> once(attempt == 1 ? first : connect(), piece, attempt),
                    ChunkedLoader::isWorthAnother);
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    private Connection once(Connection connection, Piece piece, int attempt) throws SQLException {
        AtomicLong bytes = new AtomicLong();
        try {
            connection.setAutoCommit(false);
            if (attempt == 1 || !isRecorded(connection, piece)) {
                BulkLoader.copy(
                        connection,
                        dataset,
                        piece.chunk(),
                        CopyRows.Format.TEXT,
                        (rows, more) -> bytes.addAndGet(more));
                note(connection, piece.number(), piece.number());
            }
            connection.commit();
            watch.heard();
            progress.sent(piece.chunk().to() - piece.chunk().from(), bytes.get());
            return connection;
        } catch (IOException failed) {
            connection.abort(Runnable::run);
            throw new UncheckedIOException(failed);
        } catch (SQLException | RuntimeException failed) {
            connection.abort(Runnable::run);
            throw failed;
        }
    }

    /** Connects, and retries while the gateway is unavailable. */
    private Connection connect() {
        return RETRIES.run(
                INTERRUPTED,
                UserError.class,
                attempt -> watch.connect(NAME),
                (unreachable, attempt) -> !watch.isSilent());
    }

    private static boolean isWorthAnother(SQLException failed, int attempt) {
        String state = failed.getSQLState();
        // Existing rows may be from an attempt whose answer was lost; the notes show it, once.
        boolean there = SqlState.UNIQUE_VIOLATION.equals(state) && attempt == 1;
        return there
                || SqlState.isConnectionLost(state)
                || SqlState.SERIALIZATION_FAILURE.equals(state)
                || SqlState.UNKNOWN_OUTCOME.equals(state);
    }

    private boolean isRecorded(Connection connection, Piece piece) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM movr_load_chunks WHERE seed = ? AND chunk = ?")) {
            statement.setLong(1, spec.seed());
            statement.setInt(2, piece.number());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Notes all pieces from one to another one. */
    private void note(Connection connection, int from, int to) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO movr_load_chunks (seed, chunk) SELECT ?, generate_series(?, ?)")) {
            statement.setLong(1, spec.seed());
            statement.setInt(2, from);
            statement.setInt(3, to);
            statement.executeUpdate();
        }
    }
}
