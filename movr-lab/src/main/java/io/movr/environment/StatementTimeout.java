package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.postgresql.PGProperty;

/**
 * The timeouts of statements. A node may accept connections without executing statements: without a timeout a measurement would
 * never end.
 */
public final class StatementTimeout {

    /** The timeout of measured statements and of queries about the server's state, which take far less. */
    public static final Duration SAMPLE_LIMIT = Duration.ofSeconds(30);

    /** The timeout of a statement that prepares, explains, checks or cleans up. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    /** The timeout of a statement that reads or writes all rows of a table, or of a checkpoint. */
    public static final Duration WHOLE_TABLE_LIMIT = Duration.ofMinutes(10);

    private static final int ASKING_SECONDS = 10;

    private StatementTimeout() {}

    /** A statement that was not answered within its limit. */
    public static final class TimeoutException extends SQLException {

        private static final long serialVersionUID = 1L;

        private final transient Gateway gateway;

        private TimeoutException(String statement, Duration limit, Gateway gateway, SQLException cause) {
            super(
                    "No answer within " + limit.toSeconds() + " s to: "
                            + statement.replaceAll("\\s+", " ").strip(),
                    cause);
            this.gateway = gateway;
        }

        /** Returns the statement, what the server says that it waits for, and what to try. */
        public String describe(Engine engine) {
            return getMessage() + "; " + reason(engine, gateway)
                    + ". Try: end the sessions that block it, see in the server's log whether a node is down or overloaded,"
                    + " then measure again";
        }
    }

    /**
     * Returns a failure with the statement that failed by it.
     *
     * @param limit of the gateway's connections
     * @return a {@link TimeoutException} if there was no answer within the limit, otherwise the failure itself
     */
    public static SQLException of(SQLException failed, String statement, Duration limit, Gateway gateway) {
        return SqlState.isSocketTimeout(failed) && !(failed instanceof TimeoutException)
                ? new TimeoutException(statement, limit, gateway, failed)
                : failed;
    }

    /** Returns the same endpoint, whose connections fail when an answer takes longer than a limit of whole seconds. */
    public static Gateway bounded(Gateway gateway, Duration limit) {
        return gateway.with(PGProperty.SOCKET_TIMEOUT, Long.toString(limit.toSeconds()));
    }

    /** Returns what a server says that its statements are waiting for, in a line. */
    public static String reason(Engine engine, Gateway gateway) {
        try (Connection connection =
                bounded(gateway, Duration.ofSeconds(ASKING_SECONDS)).connect("movr-diagnosis")) {
            List<String> reasons = ServerProbe.of(engine).waits(connection);
            return reasons.isEmpty()
                    ? "the server does not report what it waits for: see its log"
                    : "the server says: " + String.join("; ", reasons);
        } catch (SQLException | UserError failed) {
            return "the server does not report why (" + UserError.firstLine(failed) + "): see its log";
        }
    }
}
