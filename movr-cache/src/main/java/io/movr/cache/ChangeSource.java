package io.movr.cache;

import java.sql.Connection;
import java.sql.SQLException;

/** A source of writes that other clients made. */
interface ChangeSource {

    /**
     * Listens on a dedicated connection: notifies the cache when it begins, and of each write. It returns if it must start again
     * on another connection.
     *
     * @throws SQLException if it cannot listen, or not any more; the message says what to do
     */
    void hear(Connection connection) throws SQLException, InterruptedException;
}
