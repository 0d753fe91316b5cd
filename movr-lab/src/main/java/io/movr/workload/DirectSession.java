package io.movr.workload;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * The condition that a connection is one session of the server. Behind a connection pooler it may not be: another client
 * can use the session between two transactions and change its settings.
 */
public final class DirectSession {

    private DirectSession() {}

    /**
     * Refuses an address that leads to PostgreSQL through a pooler, which announces another process than the server's.
     *
     * @throws UserError if a pooler is there, or the server does not answer
     */
    public static void require(Gateway gateway) {
        try (Connection connection = gateway.connect("movr-check")) {
            if (!Rows.one(connection, "SELECT version()").startsWith("PostgreSQL")) {
                return;
            }
            int announced = connection.unwrap(PGConnection.class).getBackendPID();
            String actual = Rows.one(connection, "SELECT pg_backend_pid()");
            if (!actual.equals(Integer.toString(announced))) {
                throw new UserError("There is a connection pooler, such as pgbouncer, at " + gateway.shown()
                        + " (it announces process " + announced + ", and the server's is " + actual
                        + "): an isolation level needs a session that no other client uses, so name the"
                        + " address of the server itself");
            }
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " for its session: " + UserError.firstLine(failed), failed);
        }
    }
}
