package io.movr.database;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SQLSTATE codes of a server's errors. */
public final class SqlState {

    /** Transactions at the same time could not have run one after the other: this one may be run again. */
    public static final String SERIALIZATION_FAILURE = "40001";

    /** Transactions waited for each other, and this one was chosen to end: it may be run again. */
    public static final String DEADLOCK = "40P01";

    /** A lock was not acquired within the lock timeout: the transaction may be run again. */
    public static final String LOCK_NOT_AVAILABLE = "55P03";

    /** The user may not do this. */
    public static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** The session, its role or its server only reads. */
    public static final String READ_ONLY_TRANSACTION = "25006";

    /** A character has no equivalent in the encoding of the database. */
    public static final String UNTRANSLATABLE_CHARACTER = "22P05";

    /** Somebody is using it, such as a database that is to be copied. */
    public static final String OBJECT_IN_USE = "55006";

    /** There is nothing of this name, such as a setting. */
    public static final String UNDEFINED_OBJECT = "42704";

    /** The type of a parameter is not known. */
    public static final String INDETERMINATE_DATATYPE = "42P18";

    /** It is there and of another kind, such as a database that is a template. */
    public static final String WRONG_OBJECT_TYPE = "42809";

    /** There is no such table or view. */
    public static final String UNDEFINED_TABLE = "42P01";

    /** The server is not in the state that this takes, such as with a library that it has not loaded. */
    public static final String OBJECT_NOT_IN_PREREQUISITE_STATE = "55000";

    /** A row with the same unique key is there already. */
    public static final String UNIQUE_VIOLATION = "23505";

    /** It is unknown whether the statement was executed. */
    public static final String UNKNOWN_OUTCOME = "40003";

    /** A statement was cancelled. */
    public static final String QUERY_CANCELED = "57014";

    /** A statement does not fit the state of its transaction. */
    public static final String INVALID_TRANSACTION_STATE = "25000";

    private static final String DATABASE_DROPPED = "57P04";
    /** Insufficient resources, system error, internal error: classes of SQLSTATE. */
    private static final List<String> SERVER_FAILURES = List.of("53", "58", "XX");

    private SqlState() {}

    /** Returns whether an answer took longer than the socket timeout of its connection, which leaves no SQLSTATE. */
    public static boolean isSocketTimeout(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a transaction has to give way to another one, and may be run again at once. */
    public static boolean isRetryable(Throwable failed) {
        String state = of(failed);
        return SERIALIZATION_FAILURE.equals(state) || DEADLOCK.equals(state);
    }

    /**
     * Returns whether the connection is of no use, but another one may be: it was lost, or the server is going down or
     * coming up.
     */
    public static boolean isConnectionLost(@Nullable String state) {
        return state != null
                && (state.startsWith("08") || (state.startsWith("57P") && !state.equals(DATABASE_DROPPED)));
    }

    /** Returns whether access is denied to this role, or to every role on this server. */
    public static boolean isAccessDenied(@Nullable String state) {
        return INSUFFICIENT_PRIVILEGE.equals(state) || READ_ONLY_TRANSACTION.equals(state);
    }

    /** Returns whether the server itself is in trouble: out of memory, disk space or connections, or by an error of its own. */
    public static boolean isServerFailure(@Nullable String state) {
        return state != null && SERVER_FAILURES.stream().anyMatch(state::startsWith);
    }

    /**
     * Returns the innermost SQLSTATE of a failure, because a driver wraps the server's in its own; {@code null} if there
     * is none.
     */
    public static @Nullable String of(Throwable failed) {
        String state = null;
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                state = sql.getSQLState();
            }
        }
        return state;
    }
}
