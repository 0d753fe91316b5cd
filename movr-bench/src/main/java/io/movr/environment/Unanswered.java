package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
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
            List<String> reasons = ServerProbe.of(engine).waits(connection);
            return reasons.isEmpty()
                    ? "the server says nothing of what it waits for: see its log"
                    : "the server says: " + String.join("; ", reasons);
        } catch (SQLException | UserError failed) {
            return "the server does not say why (" + UserError.firstLine(failed) + "): see its log";
        }
    }
}
