package io.movr.database;

import io.movr.Refusal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A running database, however it was started: everything above it knows only its engine and its gateway. */
public interface Cluster extends AutoCloseable {

    /** Connects to a database that runs elsewhere. */
    static Cluster at(String url) {
        Gateway gateway = new Gateway(url);
        String version = askVersion(gateway);
        return new Cluster() {
            @Override
            public Engine engine() {
                return Engine.ofVersion(version);
            }

            @Override
            public String version() {
                return version;
            }

            @Override
            public Gateway gateway() {
                return gateway;
            }

            @Override
            public boolean embedded() {
                return false;
            }

            @Override
            public void close() {}
        };
    }

    Engine engine();

    /** What the server answers to {@code SELECT version()}. */
    String version();

    /** The endpoint, leading to the database that commands work on unless told otherwise. */
    Gateway gateway();

    /** Whether this process started the server, and with it decides its settings. */
    boolean embedded();

    /**
     * Has something done, once, when the process is told to end, while the database can still be reached: what is under
     * way is finished there.
     */
    default void beforeEnd(Runnable task) {
        Runtime.getRuntime().addShutdownHook(new Thread(task, "before-end"));
    }

    @Override
    void close();

    /** Asks a server for its version, which is also the first sign that it can be reached. */
    static String askVersion(Gateway gateway) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT version()")) {
            answer.next();
            return answer.getString(1);
        } catch (SQLException failed) {
            throw new Refusal(
                    "Cannot ask " + gateway.shown() + " for its version: " + Refusal.firstLine(failed), failed);
        }
    }
}
