package io.movr.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Why a server refused. */
public final class SqlState {

    private SqlState() {}

    /** The innermost SQLSTATE of a failure, because a driver wraps the server's in its own; nothing when there is none. */
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
