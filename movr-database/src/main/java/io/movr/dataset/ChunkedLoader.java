package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.AnswerWatch;
import io.movr.database.RetryPolicy;
import io.movr.database.SqlState;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * Loads a dataset in many small transactions, as a database wants it that may ask for each of them again. A transaction
 * brings a piece of a table, and a note that the piece is there: what was interrupted goes on after the pieces that are
 * noted, and a commit whose answer was lost is looked up. No row is lost or doubled by either.
 */
final class ChunkedLoader {

    /** What the connections that carry rows are called on the server. */
    static final String NAME = "movr-load";

    private static final long ROWS = 5_000;
    private static final RetryPolicy RETRIES = new RetryPolicy(16, Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final String INTERRUPTED = "The load was interrupted; the same command goes on with it";

    private final AnswerWatch watch;
    private final LoadProgress progress;
    private final DatasetSpec spec;
    private final Dataset dataset;

    ChunkedLoader(AnswerWatch watch, LoadProgress progress, DatasetSpec spec) {
        this.watch = watch;
        this.progress = progress;
        this.spec = spec;
        this.dataset = new Dataset(spec);
    }

    /** A piece of a table, by its place among all of them. */
    private record Piece(int number, Chunk chunk) {}

    /** What decides every row and every piece: only a load that agrees in it can go on with another. */
    static String fingerprint(DatasetSpec spec) {
        CRC32 sum = new CRC32();
        sum.update((spec + " " + ROWS).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    /** The notes, beside those of whole loads. */
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

    /**
     * Loads what is not noted yet, a table after the other.
     *
     * @param connections that carry rows at once
     */
    void load(int connections) throws SQLException, IOException {
        Set<Integer> done = noted();
        List<Piece> pieces = pieces();
        progress.at("loading over " + connections + (connections == 1 ? " connection" : " connections")
                + (done.isEmpty() ? "" : ", going on where it was interrupted"));
        for (Table table : Table.values()) {
            Queue<Piece> waiting = pieces.stream()
                    .filter(piece -> piece.chunk().table() == table && !done.contains(piece.number()))
                    .collect(Collectors.toCollection(ConcurrentLinkedQueue::new));
            if (!waiting.isEmpty()) {
                loadTable(waiting, connections);
            }
        }
    }

    private List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        for (Chunk chunk : Chunk.of(spec, ROWS)) {
            pieces.add(new Piece(pieces.size(), chunk));
        }
        return pieces;
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

    private void loadTable(Queue<Piece> waiting, int connections) throws SQLException, IOException {
        LoadWorkers.run(Collections.nCopies(Math.min(connections, waiting.size()), () -> work(waiting)), waiting);
    }

    private void work(Queue<Piece> waiting) throws SQLException, IOException {
        Connection connection = connect();
        for (Piece piece = waiting.poll(); piece != null; piece = waiting.poll()) {
            connection = bring(connection, piece);
        }
        connection.close();
    }

    /** Brings one piece, and answers the connection that is good for the next; none stays open when it fails. */
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
            if (attempt == 1 || !isNoted(connection, piece)) {
                BulkLoader.copy(
                        connection,
                        dataset,
                        piece.chunk(),
                        CopyRows.Format.TEXT,
                        (rows, more) -> bytes.addAndGet(more));
                note(connection, piece);
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

    /** Connects, also when the gateway is away for a while. */
    private Connection connect() {
        return RETRIES.run(
                INTERRUPTED,
                UserError.class,
                attempt -> watch.connect(NAME),
                (unreachable, attempt) -> !watch.isSilent());
    }

    private static boolean isWorthAnother(SQLException failed, int attempt) {
        String state = failed.getSQLState();
        // Rows that are there may be those of an attempt whose answer was lost, which a look at the notes tells; once.
        boolean there = SqlState.UNIQUE_VIOLATION.equals(state) && attempt == 1;
        return there
                || SqlState.isConnectionLost(state)
                || SqlState.SERIALIZATION_FAILURE.equals(state)
                || SqlState.UNKNOWN_OUTCOME.equals(state);
    }

    private boolean isNoted(Connection connection, Piece piece) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM movr_load_chunks WHERE seed = ? AND chunk = ?")) {
            statement.setLong(1, spec.seed());
            statement.setInt(2, piece.number());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private void note(Connection connection, Piece piece) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO movr_load_chunks (seed, chunk) VALUES (?, ?)")) {
            statement.setLong(1, spec.seed());
            statement.setInt(2, piece.number());
            statement.executeUpdate();
        }
    }
}
