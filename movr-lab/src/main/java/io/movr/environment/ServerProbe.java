package io.movr.environment;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.report.LabResults.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The queries about the state of a server of one engine. */
interface ServerProbe {

    /** Returns the probe for the given engine. */
    static ServerProbe of(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> new PostgresProbe();
            case COCKROACHDB -> new CockroachProbe();
        };
    }

    /**
     * Checks the server before a measurement.
     *
     * @throws SQLException when the server does not answer
     */
    List<Check> checks(Gateway gateway, Connection connection) throws SQLException;

    /** Returns what its statements are waiting for, a line each; empty if it does not say. */
    List<String> waits(Connection connection) throws SQLException;

    /** Returns the sizes of the tables of a database, each partition separately. */
    List<TableBytes> tableBytes(Connection connection) throws SQLException;
}
