package io.movr.environment;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.report.LabResults.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What a server of an engine is asked about itself. */
interface ServerProbe {

    /** That of an engine. */
    static ServerProbe of(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> new PostgresProbe();
            case COCKROACHDB -> new CockroachProbe();
        };
    }

    /**
     * Checks what must be known before a figure means anything.
     *
     * @throws SQLException when the server does not answer
     */
    List<Check> checks(Gateway gateway, Connection connection) throws SQLException;

    /** Returns what its statements are waiting for, a line each; empty if it does not say. */
    List<String> waits(Connection connection) throws SQLException;

    /** Returns what the tables of a database take, each partition by itself. */
    List<TableBytes> tableBytes(Connection connection) throws SQLException;
}
