package io.movr.cache;

import java.sql.Connection;
import java.sql.SQLException;

/** A way to hear of writes that were made elsewhere. */
interface ChangeSource {

    /**
     * Hears on a connection that is used for nothing else: tells the cache when it begins, and of each write. It returns when
     * it is to begin anew on another connection.
     *
     * @throws SQLException when it cannot hear, or does so no more; the message says what can be done about it
     */
    void hear(Connection connection) throws SQLException, InterruptedException;
}
