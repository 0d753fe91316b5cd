package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.PGProperty;

/**
 * Statements that a server does not answer. A node may accept connections and still grant no work: without a bound a
 * measurement would wait for it for ever.
 */
public final class Unanswered {

    /** Far longer than any statement that is measured takes. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private static final int ASKING_SECONDS = 10;

    private Unanswered() {}

    /** The same endpoint, whose connections fail when an answer takes longer than the limit. */
    public static Gateway bounded(Gateway gateway) {
        return bounded(gateway, LIMIT);
    }

    static Gateway bounded(Gateway gateway, Duration limit) {
        return gateway.with(PGProperty.SOCKET_TIMEOUT, Long.toString(limit.toSeconds()));
    }

    /** Whether a statement failed because its answer took longer than the limit. */
    public static boolean isCauseOf(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** What a server says that its statements are waiting for, in a line. */
    public static String reason(Engine engine, Gateway gateway) {
        try (Connection connection =
                bounded(gateway, Duration.ofSeconds(ASKING_SECONDS)).connect("movr-diagnosis")) {
            List<String> reasons = engine == Engine.COCKROACHDB ? ofCockroach(connection) : ofPostgres(connection);
            return reasons.isEmpty()
                    ? "the server says nothing of what it waits for: see its log"
                    : "the server says: " + String.join("; ", reasons);
        } catch (SQLException | UserError failed) {
            return "the server does not say why (" + UserError.firstLine(failed) + "): see its log";
        }
    }

    private static List<String> ofPostgres(Connection connection) throws SQLException {
        return Rows.query(
                        connection,
                        "SELECT 'waits for ' || wait_event_type || ' ' || wait_event || ' in ' || left(query, 80)"
                                + " || COALESCE(', blocked by the sessions ' || nullif(array_to_string(pg_blocking_pids(pid), ', '), ''), '')"
                                + " FROM pg_stat_activity WHERE state = 'active' AND wait_event IS NOT NULL"
                                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY query_start LIMIT 3",
                        List.of())
                .stream()
                .map(row -> row.get(0).replaceAll("\\s+", " "))
                .toList();
    }

    private static List<String> ofCockroach(Connection connection) throws SQLException {
        List<String> reasons = new ArrayList<>();
        // From v26.1 on crdb_internal is closed without it; versions before do not know it.
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET allow_unsafe_internals = on");
        } catch (SQLException older) {
            if (!SqlState.UNDEFINED_OBJECT.equals(older.getSQLState())) {
                throw older;
            }
        }
        String queues = Rows.query(
                        connection,
                        "SELECT name, CAST(value AS INT) FROM crdb_internal.node_metrics"
                                + " WHERE name LIKE 'admission.wait_queue_length.%' AND value > 0 ORDER BY value DESC",
                        List.of())
                .stream()
                .map(row -> row.get(0).replace("admission.wait_queue_length.", "") + " " + row.get(1))
                .collect(Collectors.joining(", "));
        if (!queues.isEmpty()) {
            reasons.add("work that waits for admission: " + queues);
        }
        Rows.query(
                        connection,
                        "SELECT substr(query, 1, 80), phase FROM [SHOW CLUSTER STATEMENTS]"
                                + " WHERE application_name <> 'movr-diagnosis' ORDER BY start LIMIT 3",
                        List.of())
                .forEach(row -> reasons.add(row.get(1) + " " + row.get(0).replaceAll("\\s+", " ")));
        return reasons;
    }
}
