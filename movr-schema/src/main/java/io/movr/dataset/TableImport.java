package io.movr.dataset;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Fills whole tables of CockroachDB by IMPORT INTO: the nodes fetch the rows from this process by HTTP, sort them, and write
 * them below the level of transactions, with their indexes. A table has all of its rows after that or none; until then it is
 * offline. Rows are made when a node asks for them, and never lie in a file.
 *
 * <p>A node must be able to fetch from this process, which is tried first, and the user must be allowed to. Rows are served on
 * the loopback address, under a path that cannot be guessed.
 */
final class TableImport implements AutoCloseable {

    /** The minimum of rows for an import; COPY is faster for fewer. */
    static final long MIN_ROWS = 20_000;

    private static final String TRY = "try";
    private static final int TRY_SECONDS = 2;
    /** The column of the result with the imported rows; the job, its state and its progress come first. */
    private static final int ROWS_OF_RESULT = 3;

    private static final int CONCURRENT_PIECES = 8;

    private final Dataset dataset;
    private final LoadProgress progress;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(CONCURRENT_PIECES, task -> {
        Thread thread = new Thread(task, "rows-for-import");
        thread.setDaemon(true);
        return thread;
    });
    private final String folder = "/" + UUID.randomUUID() + "/";
    /** The pieces that were sent completely; a node may request them again. */
    private final Set<Chunk> sent = ConcurrentHashMap.newKeySet();

    TableImport(Dataset dataset, LoadProgress progress) throws IOException {
        this.dataset = dataset;
        this.progress = progress;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(folder, this::answer);
        server.start();
    }

    /**
     * Begins to serve the rows of a dataset if the server of a connection can fetch them.
     *
     * @return empty if it cannot or its user may not
     */
    static Optional<TableImport> of(Connection connection, Dataset dataset, LoadProgress progress)
            throws IOException, SQLException {
        if (!isOnThisMachine(new Gateway(connection.getMetaData().getURL()))) {
            return Optional.empty();
        }
        TableImport offered = new TableImport(dataset, progress);
        if (offered.isFetchableBy(connection)) {
            return Optional.of(offered);
        }
        offered.close();
        return Optional.empty();
    }

    private static boolean isOnThisMachine(Gateway gateway) {
        try {
            return InetAddress.getByName(gateway.host()).isLoopbackAddress();
        } catch (UnknownHostException several) {
            return false;
        }
    }

    private boolean isFetchableBy(Connection connection) throws SQLException {
        // A node that does not reach an address tries again for a minute.
        Rows.execute(connection, "SET statement_timeout = '" + TRY_SECONDS + "s'");
        try {
            return Rows.one(connection, "SELECT convert_from(crdb_internal.read_file('" + address(TRY) + "'), 'UTF8')")
                    .equals(TRY);
        } catch (SQLException unreachable) {
            if (SqlState.isConnectionLost(SqlState.of(unreachable))) {
                throw unreachable;
            }
            return false;
        } finally {
            Rows.execute(connection, "RESET statement_timeout");
        }
    }

    /**
     * Fills a table, which must be empty and have no foreign keys.
     *
     * @throws SQLException if the import fails or has not written all rows, which leaves the table empty
     */
    void fill(Connection connection, Table table, List<Chunk> chunks) throws SQLException {
        String files = chunks.stream()
                .map(chunk -> "'" + address(table.sql() + "/" + chunk.from() + "/" + chunk.to()) + "'")
                .collect(Collectors.joining(", "));
        String imported = Rows.query(
                        connection,
                        "IMPORT INTO " + table.sql() + " (\"" + String.join("\", \"", table.columns())
                                + "\") DELIMITED DATA (" + files + ") WITH fields_escaped_by = '\\'",
                        List.of())
                .get(0)
                .get(ROWS_OF_RESULT);
        long rows = chunks.get(chunks.size() - 1).to();
        if (Long.parseLong(imported) != rows) {
            Rows.execute(connection, "TRUNCATE " + table.sql());
            throw new SQLException("of " + rows + " rows of " + table.sql() + " the server imported " + imported);
        }
    }

    /** Validates the constraints, because imported rows count as unchecked. */
    static void validateConstraints(Connection connection) throws SQLException {
        for (Table table : Table.values()) {
            String unchecked = "SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c'"
                    + " AND conrelid = '" + table.sql() + "'::regclass";
            for (List<String> constraint : Rows.query(connection, unchecked, List.of())) {
                Rows.execute(connection, "ALTER TABLE " + table.sql() + " VALIDATE CONSTRAINT " + constraint.get(0));
            }
        }
    }

    /** Ends the imports into MovR's tables whose process no longer exists, which leaves these tables empty. */
    static void endAbandoned(Connection connection) throws SQLException {
        for (Table table : Table.values()) {
            String jobs = "SELECT job_id FROM [SHOW JOBS] WHERE job_type = 'IMPORT' AND finished IS NULL"
                    + " AND description LIKE 'IMPORT INTO ' || quote_ident(current_database()) || '.%.' || '"
                    + table.sql()
                    + "(%'";
            for (List<String> job : Rows.query(connection, jobs, List.of())) {
                Rows.execute(connection, "CANCEL JOB " + job.get(0));
                Rows.execute(connection, "SHOW JOB WHEN COMPLETE " + job.get(0));
            }
        }
    }

    String address(String file) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + folder + file;
    }

    /** Answers a request of a node. On failure it cuts the connection, so that the node does not accept partial rows. */
    private void answer(HttpExchange exchange) throws IOException {
        String file = exchange.getRequestURI().getPath().substring(folder.length());
        if (exchange.getRequestMethod().equals("HEAD")) {
            // A node asks for the size before it fetches, to show progress. It is not known.
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        if (file.equals(TRY)) {
            body.write(TRY.getBytes(StandardCharsets.UTF_8));
        } else {
            send(chunk(file), body);
        }
        body.close();
    }

    private static Chunk chunk(String file) {
        String[] parts = file.split("/", 3);
        return new Chunk(
                Table.valueOf(parts[0].toUpperCase(Locale.ROOT)), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    private void send(Chunk chunk, OutputStream body) throws IOException {
        boolean again = sent.contains(chunk);
        chunk.write(dataset, CopyRows.Format.TEXT, (bytes, length, rows) -> {
            body.write(bytes, 0, length);
            if (!again) {
                progress.sent(rows, length);
            }
        });
        sent.add(chunk);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
