package io.movr.database;

import io.movr.UserError;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary databases of a measurement, whose names share one prefix.
 *
 * <p>While this is open, its connection has the prefix as its application name. A later instance recognises databases in use
 * by that name, and drops the databases that a killed process left behind. They are also dropped when the process is asked to
 * end, if the server outlives it.
 */
public final class Databases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Databases.class);
    private static final String FAMILY = "movr_lab_";
    private static final String OWNER = "owner";

    /** The maximum time to wait for a server at the end. Dropping a database takes far less. */
    private static final Duration MAX_DROP_TIME = Duration.ofMinutes(1);

    /** The owners of copies that killed processes left behind, if this user created them and they own no objects any more. */
    private static final String OWNERS_LEFT = """
            SELECT rolname FROM pg_roles AS role WHERE rolname ~ '^movr_lab_[0-9a-f]{8}_owner$'
                AND pg_has_role(role.oid, 'MEMBER WITH ADMIN OPTION')
                AND NOT EXISTS (SELECT 1 FROM pg_database WHERE datdba = role.oid)
                AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = substr(rolname, 1, 18))""";

    private final Engine engine;
    private final Gateway gateway;
    private final Connection connection;
    private final String prefix;
    private final List<String> created = new ArrayList<>();
    private final Set<String> settingsNotCopied = new TreeSet<>();
    private @Nullable CopyOwner owner;
    private @Nullable String unconfined;
    private final ShutdownHook hook = new ShutdownHook("drop-databases", this::end);
    private volatile boolean ending;
    private boolean closed;

    /**
     * Connects to the cluster's maintenance database and removes what killed processes left.
     *
     * @throws UserError when the user may not create any
     */
    public Databases(Cluster cluster) {
        this.engine = cluster.engine();
        this.gateway = cluster.gateway();
        this.prefix = FAMILY + UUID.randomUUID().toString().substring(0, 8) + "_";
        this.connection = gateway.connect(prefix);
        try {
            if (!mayCreate()) {
                throw mayNotCreate();
            }
            sweep();
        } catch (SQLException failed) {
            throw Closeables.closeAfter(refusal("prepare databases", failed), connection);
        } catch (UserError refused) {
            throw Closeables.closeAfter(refused, connection);
        }
        if (!cluster.embedded()) {
            hook.add();
        }
    }

    /** Creates an empty database whose text sorts by bytes, as CockroachDB's does. */
    public Gateway create(String name) {
        try {
            return create(name, engine::createDatabase);
        } catch (UserError refused) {
            throw SqlState.INSUFFICIENT_PRIVILEGE.equals(SqlState.of(refused)) ? mayNotCreate() : refused;
        }
    }

    /**
     * Copies a database, to which no other session may be connected.
     *
     * @throws UserError if the engine does not {@linkplain Engine#copiesDatabases copy databases}, if others are connected
     *     to it, or if the user may not copy it
     */
    public Gateway copy(Gateway original, String name) {
        if (!engine.copiesDatabases()) {
            throw new UserError(engine.title() + " cannot copy databases, which this needs: use PostgreSQL");
        }
        try {
            Gateway copy = create(name, full -> "CREATE DATABASE \"" + full + "\" TEMPLATE " + quoted(original));
            copySettings(original, copy);
            return copy;
        } catch (UserError refused) {
            String state = String.valueOf(SqlState.of(refused));
            throw switch (state) {
                case SqlState.OBJECT_IN_USE ->
                    new UserError(
                            "The database " + original.database()
                                    + " cannot be copied while others are connected to it ("
                                    + sessions(original.database()) + "): end these sessions, and keep new ones away"
                                    + " until it is copied",
                            refused);
                case SqlState.INSUFFICIENT_PRIVILEGE ->
                    new UserError(
                            "The user of " + gateway.shown() + " may not copy the database " + original.database()
                                    + ", which requires its owner: GRANT \"" + owner(original.database()) + "\" TO \""
                                    + user()
                                    + "\", or name another user in --url",
                            refused);
                default -> refused;
            };
        }
    }

    /** Creates an empty database of PostgreSQL with the encoding and the sort order of another one. */
    public Gateway createLike(Gateway original, String name) {
        String locale = asked("""
                SELECT ' ENCODING ' || quote_literal(pg_encoding_to_char(encoding)) || ' LC_COLLATE ' || quote_literal(datcollate)
                    || ' LC_CTYPE ' || quote_literal(datctype) || CASE provider
                        WHEN 'i' THEN ' LOCALE_PROVIDER icu ICU_LOCALE ' || quote_literal(locale)
                        WHEN 'b' THEN ' LOCALE_PROVIDER builtin BUILTIN_LOCALE ' || quote_literal(locale)
                        WHEN 'c' THEN ' LOCALE_PROVIDER libc' ELSE '' END
                FROM pg_database AS one, LATERAL (SELECT to_jsonb(one) ->> 'datlocprovider' AS provider,
                    coalesce(to_jsonb(one) ->> 'datlocale', to_jsonb(one) ->> 'daticulocale') AS locale) AS newer
                WHERE datname = ?""", original.database());
        Gateway copy = create(name, full -> "CREATE DATABASE \"" + full + "\" TEMPLATE template0" + locale);
        copySettings(original, copy);
        return copy;
    }

    private void copySettings(Gateway original, Gateway copy) {
        try {
            settingsNotCopied.addAll(SessionDefaults.copy(connection, original.database(), copy.database(), null));
        } catch (SQLException failed) {
            throw refusal("copy the settings of the database " + original.database(), failed);
        }
    }

    /** Returns the names of settings of copied databases that their copies lack, because the user may not set them. */
    public Set<String> settingsNotCopied() {
        return Collections.unmodifiableSet(settingsNotCopied);
    }

    /**
     * Gives one of these databases of PostgreSQL to a role that owns it and nothing else.
     *
     * @return the database, connected to as that role; as the user if the user may not make such a role
     */
    public synchronized Gateway confined(Gateway database) {
        if (unconfined != null) {
            return database;
        }
        try {
            if (owner == null) {
                owner = new CopyOwner(connection, prefix + OWNER);
            }
            Gateway owned = owner.own(database);
            settingsNotCopied.addAll(
                    SessionDefaults.copy(connection, database.database(), database.database(), owner.name()));
            return owned;
        } catch (SQLException failed) {
            unconfined = UserError.firstLine(failed);
            return database;
        }
    }

    /** Returns why databases could not be {@linkplain #confined confined}; empty if they could. */
    public Optional<String> unconfined() {
        return Optional.ofNullable(unconfined);
    }

    /**
     * Backs a database of CockroachDB up, as it is at this moment, into tables of one of these databases. Others may be using
     * it, and nothing is written there.
     *
     * @return the database that holds the backup
     * @throws UserError if it fails, or the user may not
     */
    public synchronized Gateway backUp(Gateway original, String name) {
        Gateway backup = create(name);
        try {
            Rows.query(connection, "BACKUP DATABASE " + quoted(original) + " INTO " + files(backup), List.of());
        } catch (SQLException failed) {
            throw refusalOfCopy(
                    "back up the database " + original.database(),
                    "BACKUP ON DATABASE " + quoted(original),
                    backup.database(),
                    failed);
        }
        return backup;
    }

    /**
     * Makes a copy of a database of CockroachDB.
     *
     * @param backup of the original, by {@link #backUp}
     * @throws UserError if it fails, or the user may not
     */
    public synchronized Gateway restore(Gateway backup, Gateway original, String name) {
        String copy = fullName(name);
        try {
            return create(
                    name,
                    full -> "RESTORE DATABASE " + quoted(original) + " FROM LATEST IN " + files(backup)
                            + " WITH new_db_name = '" + full + "'");
        } catch (UserError refused) {
            throw refused.getCause() instanceof SQLException failed
                    ? refusalOfCopy(
                            "restore a copy of the database " + original.database(), "SYSTEM RESTORE", copy, failed)
                    : refused;
        }
    }

    private static String quoted(Gateway database) {
        return '"' + database.database().replace("\"", "\"\"") + '"';
    }

    /** Returns where a database of CockroachDB keeps files, as rows of tables. */
    private static String files(Gateway database) {
        return "'userfile://" + database.database() + ".public.files/backup'";
    }

    private UserError refusalOfCopy(String what, String privilege, String database, SQLException failed) {
        UserError refused = refusal(what, failed);
        try {
            cancelJobs(database);
            return SqlState.INSUFFICIENT_PRIVILEGE.equals(SqlState.of(failed))
                    ? new UserError(refused.getMessage() + ": GRANT " + privilege + " TO \"" + user() + '"', failed)
                    : refused;
        } catch (SQLException | UserError unanswered) {
            refused.addSuppressed(unanswered);
            return refused;
        }
    }

    /**
     * Cancels the jobs of CockroachDB on a database, which continue after their statement was cancelled or its session ended.
     *
     * @return whether the database is being restored; it no longer exists once the restore is rolled back
     */
    private boolean cancelJobs(String database) throws SQLException {
        boolean restored = false;
        for (List<String> job : Rows.query(
                connection,
                "SELECT job_id, status FROM [SHOW JOBS] WHERE job_type IN ('BACKUP', 'RESTORE') AND finished IS NULL",
                List.of())) {
            String description = Rows.one(connection, "SELECT description FROM [SHOW JOB " + job.get(0) + "]");
            if (description.contains(database)) {
                if (!job.get(1).matches("cancel-requested|reverting")) {
                    Rows.execute(connection, "CANCEL JOB " + job.get(0));
                }
                restored |= description.contains("new_db_name = '" + database + "'");
            }
        }
        return restored;
    }

    /**
     * Returns how large a database is.
     *
     * @return bytes
     */
    public long bytesOf(Gateway database) {
        return Long.parseLong(asked("SELECT pg_database_size(?)", database.database()));
    }

    private String sessions(String database) {
        return asked(
                "SELECT count(*) || ': ' || coalesce(string_agg(DISTINCT coalesce(nullif(application_name, ''), 'unnamed'),"
                        + " ', '), 'none any more') FROM pg_stat_activity WHERE datname = ? AND pid <> pg_backend_pid()"
                        + " AND backend_type = 'client backend'",
                database);
    }

    private String owner(String database) {
        return asked("SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = ?", database);
    }

    private String user() {
        return asked("SELECT current_user");
    }

    private String asked(String question, String... values) {
        try {
            return Rows.query(connection, question, List.of(values)).get(0).get(0);
        } catch (SQLException failed) {
            throw refusal("ask for databases", failed);
        }
    }

    /** Drops one of these databases, even if sessions are connected to it. */
    public synchronized void drop(Gateway database) {
        try {
            drop(connection, database.database());
        } catch (SQLException failed) {
            throw refusal("drop the database " + database.database(), failed);
        }
        created.remove(database.database());
    }

    /**
     * Drops the databases that were created here.
     *
     * @throws UserError when the server refuses, or does not answer within a minute
     */
    @Override
    public void close() {
        close(MAX_DROP_TIME);
    }

    synchronized void close(Duration maxDrop) {
        if (closed) {
            return;
        }
        hook.remove();
        try {
            dropAll(maxDrop);
            closed = true;
        } catch (SQLException | UserError failed) {
            // If the process is ending, the hook tries again.
            closed = !ending;
            throw new UserError(remaining(failed), failed);
        }
    }

    private void dropAll(Duration maxDrop) throws SQLException {
        try (connection) {
            dropAll(connection, maxDrop);
        } catch (SQLException failed) {
            if (created.isEmpty()
                    || !SqlState.isConnectionLost(String.valueOf(failed.getSQLState()))
                    || isLate(failed)) {
                throw failed;
            }
            // The server may have restarted, or has ended this session only.
            try (Connection second = gateway.connect(prefix)) {
                dropAll(second, maxDrop);
            }
        }
    }

    private void dropAll(Connection through, Duration maxDrop) throws SQLException {
        through.setNetworkTimeout(Runnable::run, Math.toIntExact(maxDrop.toMillis()));
        Closeables.<String, SQLException>closeAll(List.copyOf(created), name -> {
            try {
                drop(through, name);
            } catch (SQLException failed) {
                if (!SqlState.QUERY_CANCELED.equals(failed.getSQLState())) {
                    throw failed;
                }
                // The end of the process cancels what is running here, once.
                drop(through, name);
            }
            created.remove(name);
        });
        if (owner != null) {
            owner.drop(through);
        }
    }

    /** Drops a database, also one that a script has declared a template, which PostgreSQL refuses to drop. */
    private void drop(Connection through, String name) throws SQLException {
        try {
            Rows.execute(through, engine.dropDatabase(name));
        } catch (SQLException failed) {
            if (engine != Engine.POSTGRESQL || !SqlState.WRONG_OBJECT_TYPE.equals(failed.getSQLState())) {
                throw failed;
            }
            Rows.execute(through, "ALTER DATABASE \"" + name + "\" IS_TEMPLATE false");
            Rows.execute(through, engine.dropDatabase(name));
        }
    }

    private static boolean isLate(SQLException failed) {
        return failed.getCause() instanceof SocketTimeoutException;
    }

    private String remaining(Exception failed) {
        return "Cannot drop the databases of this run at " + gateway.shown() + ": " + UserError.firstLine(failed)
                + ". The next command that creates databases there drops them; to drop them now: "
                + created.stream().map(name -> engine.dropDatabase(name) + ";").collect(Collectors.joining(" "))
                + (owner == null ? "" : " DROP ROLE IF EXISTS " + owner.name() + ";");
    }

    /** Drops the databases after cancelling the statement that runs here. */
    void end() {
        ending = true;
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException lost) {
            LOG.debug("There is no statement to cancel", lost);
        }
        try {
            close();
        } catch (UserError failed) {
            LOG.warn("{}", failed.getMessage());
        }
    }

    private String fullName(String name) {
        return prefix + name.replace('-', '_');
    }

    private synchronized Gateway create(String name, UnaryOperator<String> statementOf) {
        String full = fullName(name);
        if (ending) {
            throw new UserError("The database " + full + " is not created, because the process is ending");
        }
        try {
            Rows.execute(connection, statementOf.apply(full));
        } catch (SQLException failed) {
            throw refusal("create the database " + full, failed);
        }
        created.add(full);
        return gateway.toDatabase(full);
    }

    private UserError mayNotCreate() {
        return new UserError("The user of " + gateway.shown() + " may not create databases: ALTER ROLE \"" + user()
                + "\" CREATEDB, or name another user in --url");
    }

    private boolean mayCreate() throws SQLException {
        return Rows.query(connection, engine.mayCreateDatabases(), List.of()).stream()
                .anyMatch(row -> row.get(0).equals("true"));
    }

    private void sweep() throws SQLException {
        String left = "SELECT d.datname FROM pg_database d WHERE d.datname ~ '^movr_lab_[0-9a-f]{8}_' AND NOT EXISTS ("
                + "SELECT 1 FROM " + engine.sessions() + " a WHERE a.application_name = substr(d.datname, 1, 18))"
                // Databases of other users may not be dropped, and on CockroachDB their sessions are not visible.
                + " AND pg_has_role(d.datdba, 'MEMBER')"
                + " ORDER BY d.datname";
        for (List<String> name : Rows.query(connection, left, List.of())) {
            if (engine.copiesDatabases() || !cancelJobs(name.get(0))) {
                drop(connection, name.get(0));
            }
        }
        if (engine == Engine.POSTGRESQL) {
            for (List<String> role : Rows.query(connection, OWNERS_LEFT, List.of())) {
                Rows.execute(connection, "DROP ROLE " + role.get(0));
            }
        }
    }

    private UserError refusal(String what, SQLException failed) {
        return new UserError("Cannot " + what + " at " + gateway.shown() + ": " + UserError.firstLine(failed), failed);
    }
}
