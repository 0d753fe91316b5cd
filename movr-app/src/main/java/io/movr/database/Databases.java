package io.movr.database;

import io.movr.Refusal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Databases that come and go with a measurement, all under one prefix of their own.
 *
 * <p>As long as this is open its connection is called like its prefix, so that a later one can tell databases in use
 * from those that a killed process left behind, and drops the latter.
 */
public final class Databases implements AutoCloseable {

    private static final String FAMILY = "movr_lab_";

    private final Gateway gateway;
    private final Connection connection;
    private final String prefix;
    private final List<String> created = new ArrayList<>();

    /**
     * Connects to the cluster's maintenance database and removes what killed processes left.
     *
     * @throws Refusal when databases cannot be copied there, or the user may not create any
     */
    public Databases(Cluster cluster) {
        if (cluster.engine() != Engine.POSTGRESQL) {
            throw new Refusal(cluster.engine().title() + " cannot copy databases, and measuring without copies is not"
                    + " built yet: use PostgreSQL");
        }
        this.gateway = cluster.gateway();
        this.prefix = FAMILY + UUID.randomUUID().toString().substring(0, 8) + "_";
        this.connection = gateway.connect(prefix);
        try {
            if (!mayCreate()) {
                throw new Refusal("The user of " + gateway.shown()
                        + " may not create databases: grant it CREATEDB, or name another user in --url");
            }
            sweep();
        } catch (SQLException failed) {
            throw refusal("prepare databases", failed);
        }
    }

    /** Creates an empty database whose text sorts by bytes, as CockroachDB's does. */
    public Gateway create(String name) {
        return create(name, "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'");
    }

    /** Copies one of these databases, which nobody may be connected to. */
    public Gateway copy(Gateway original, String name) {
        return create(name, "TEMPLATE \"" + original.database() + "\"");
    }

    /** Drops one of these databases, whoever is connected to it. */
    public void drop(Gateway database) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE \"" + database.database() + "\" WITH (FORCE)");
        } catch (SQLException failed) {
            throw refusal("drop the database " + database.database(), failed);
        }
        created.remove(database.database());
    }

    /** Drops the databases that were created here. */
    @Override
    public void close() {
        try (connection;
                Statement statement = connection.createStatement()) {
            for (String name : created) {
                statement.execute("DROP DATABASE IF EXISTS \"" + name + "\" WITH (FORCE)");
            }
        } catch (SQLException failed) {
            throw refusal("drop the databases of this run", failed);
        }
    }

    private Gateway create(String name, String how) {
        String full = prefix + name.replace('-', '_');
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE \"" + full + "\" " + how);
        } catch (SQLException failed) {
            throw refusal("create the database " + full, failed);
        }
        created.add(full);
        return gateway.toDatabase(full);
    }

    private boolean mayCreate() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(
                        "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")) {
            return answer.next() && answer.getBoolean(1);
        }
    }

    private void sweep() throws SQLException {
        List<String> left = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet names = statement.executeQuery("""
                        SELECT d.datname FROM pg_database d
                        WHERE d.datname ~ '^movr_lab_[0-9a-f]{8}_' AND NOT EXISTS (
                            SELECT 1 FROM pg_stat_activity a WHERE a.application_name = substr(d.datname, 1, 18))
                        ORDER BY d.datname""")) {
            while (names.next()) {
                left.add(names.getString(1));
            }
        }
        for (String name : left) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP DATABASE IF EXISTS \"" + name + "\" WITH (FORCE)");
            }
        }
    }

    private Refusal refusal(String what, SQLException failed) {
        return new Refusal("Cannot " + what + " at " + gateway.shown() + ": " + Refusal.firstLine(failed), failed);
    }
}
