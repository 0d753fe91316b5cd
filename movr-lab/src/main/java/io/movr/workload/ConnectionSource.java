package io.movr.workload;

import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGProperty;

/** The source of a run's connections, such as {@code dataSource::getConnection}. Safe for use by many threads. */
@FunctionalInterface
public interface ConnectionSource {

    /** Opens a connection, which the caller closes. */
    Connection open() throws SQLException;

    /**
     * Returns connections to a gateway outside any pool, on which statements are prepared at the server from their first
     * use.
     */
    static ConnectionSource of(Gateway gateway, String name) {
        Gateway prepared = gateway.withLimitOfLoginOnly().with(PGProperty.PREPARE_THRESHOLD, "1");
        return () -> prepared.connect(name);
    }
}
