package io.movr.database;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * A role of PostgreSQL that owns copies of databases and nothing else. Scripts of experiments run with its rights: they may
 * change everything in their copy, and no other database, role, file or server.
 */
final class CopyOwner {

    /** The objects whose owner may change them; sequences of columns follow their tables, and extensions stay as they are. */
    private static final String OBJECTS = """
            WITH own(kind, catalog, id, name) AS (
                SELECT 'SCHEMA', 'pg_namespace'::regclass, oid, quote_ident(nspname) FROM pg_namespace
                WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
                UNION ALL
                SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
                    WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, 'pg_class'::regclass, oid, oid::regclass::text
                FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
                    AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname ~ '^pg_' OR nspname = 'information_schema')
                    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
                        AND refclassid = 'pg_class'::regclass AND relkind = 'S' AND deptype IN ('a', 'i'))
                UNION ALL
                SELECT 'ROUTINE', 'pg_proc'::regclass, pg_proc.oid, pg_proc.oid::regprocedure::text FROM pg_proc
                JOIN pg_namespace AS space ON space.oid = pronamespace
                WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
                    -- A constructor of a range type follows its type.
                    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                        AND deptype = 'i')
                UNION ALL
                SELECT 'TYPE', 'pg_type'::regclass, type.oid, format_type(type.oid, NULL) FROM pg_type AS type
                JOIN pg_namespace AS space ON space.oid = typnamespace LEFT JOIN pg_class AS row ON row.oid = typrelid
                WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
                    AND (typtype IN ('e', 'r', 'd') OR typtype = 'c' AND relkind = 'c')
                UNION ALL
                SELECT 'STATISTICS', 'pg_statistic_ext'::regclass, oid, (SELECT quote_ident(nspname) FROM pg_namespace AS space
                    WHERE space.oid = stxnamespace) || '.' || quote_ident(stxname) FROM pg_statistic_ext)
            SELECT 'ALTER ' || kind || ' ' || name || ' OWNER TO ' FROM own WHERE NOT EXISTS (
                SELECT 1 FROM pg_depend WHERE classid = catalog AND objid = id AND deptype = 'e')""";

    /** The objects through which a copy could reach other servers. */
    private static final String WAYS_OUT = """
            SELECT 'DROP USER MAPPING FOR ' || CASE umuser WHEN 0 THEN 'PUBLIC' ELSE quote_ident(usename) END
                || ' SERVER ' || quote_ident(srvname) FROM pg_user_mappings
            UNION ALL
            SELECT 'REVOKE ALL ON ROUTINE ' || objid::regprocedure || ' FROM PUBLIC' FROM pg_depend
            JOIN pg_extension AS extension ON extension.oid = refobjid
            WHERE refclassid = 'pg_extension'::regclass AND classid = 'pg_proc'::regclass AND deptype = 'e' AND extname = 'dblink'""";

    private static final int PASSWORD_BYTES = 24;

    private final Connection server;
    private final String name;
    private final String password;

    /**
     * Creates the role.
     *
     * @param server a connection that stays open, of a user who may create databases
     * @throws SQLException if its user may not create roles
     */
    CopyOwner(Connection server, String name) throws SQLException {
        this.server = server;
        this.name = name;
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        this.password = HexFormat.of().formatHex(random);
        Rows.execute(server, "CREATE ROLE " + name + " LOGIN");
        try {
            // Encrypted here, so that no log of the server shows it.
            server.unwrap(PGConnection.class).alterUserPassword(name, password.toCharArray(), "scram-sha-256");
            // From PostgreSQL 16 on, a user who is no superuser owns the roles that it creates without being a member.
            Rows.execute(server, "GRANT " + name + " TO current_user");
        } catch (SQLException failed) {
            Rows.execute(server, "DROP ROLE " + name);
            throw failed;
        }
    }

    String name() {
        return name;
    }

    /**
     * Makes the role the owner of a copy and of everything in it, and drops the objects through which a copy could reach other
     * servers.
     *
     * @return the copy, connected to as the role
     * @throws SQLException if the user does not own what is in the copy, or the server does not let the role connect
     */
    Gateway own(Gateway copy) throws SQLException {
        Rows.execute(server, "ALTER DATABASE \"" + copy.database().replace("\"", "\"\"") + "\" OWNER TO " + name);
        try (Connection inside = copy.trusting().connect("movr-lab")) {
            inside.setAutoCommit(false);
            for (List<String> change : Rows.query(inside, OBJECTS, List.of())) {
                Rows.execute(inside, change.get(0) + name);
            }
            for (List<String> change : Rows.query(inside, WAYS_OUT, List.of())) {
                Rows.execute(inside, change.get(0));
            }
            inside.commit();
        }
        Gateway owned = copy.withoutPassword()
                .with(PGProperty.USER, name)
                .with(PGProperty.PASSWORD, password)
                .without(PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME);
        Properties properties = new Properties();
        PGProperty.CONNECT_TIMEOUT.set(properties, 10);
        Connection tried = new Driver().connect(owned.url(), properties);
        if (tried != null) {
            tried.close();
        }
        return owned;
    }

    /** Removes the role, whose databases have been dropped. */
    void drop(Connection through) throws SQLException {
        Rows.execute(through, "DROP ROLE IF EXISTS " + name);
    }
}
