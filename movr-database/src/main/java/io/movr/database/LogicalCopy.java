package io.movr.database;

import io.movr.UserError;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * A copy of some tables of a PostgreSQL database that others may be using: their definition from the catalogue, and their rows
 * by COPY, all from one snapshot of a transaction that may only read. Foreign keys bring the tables that they reference, and a
 * partition brings its table with the other partitions. Rows keep their order, not their pages.
 */
public final class LogicalCopy implements AutoCloseable {

    /** The size of the tables, where {@code %s} is replaced by their oids. */
    private static final String BYTES =
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE oid IN (%s)";

    private static final String NAMES = "SELECT oid::regclass::text FROM pg_class WHERE oid IN (%s) ORDER BY 1";

    private static final String SCHEMAS = """
            SELECT DISTINCT 'CREATE SCHEMA IF NOT EXISTS ' || quote_ident(nspname) FROM (
                SELECT relnamespace FROM pg_class WHERE oid IN (%1$s)
                UNION SELECT typnamespace FROM pg_type WHERE oid IN (SELECT oid FROM types)
                UNION SELECT pronamespace FROM pg_proc WHERE oid IN (SELECT oid FROM functions)
                UNION SELECT relnamespace FROM pg_class WHERE oid IN (SELECT oid FROM sequences)) AS used(oid)
            JOIN pg_namespace AS space USING (oid) WHERE nspname NOT LIKE 'pg\\_%%' AND nspname <> 'public'""";

    /**
     * The types of the columns and all that they are made of, the functions of defaults, checks, indexes and generated columns,
     * and the sequences of defaults and serial columns. What a function calls is known only where its body is parsed.
     */
    private static final String WITH = """
            WITH RECURSIVE types(oid) AS (
                SELECT atttypid FROM pg_attribute WHERE attrelid IN (%1$s) AND attnum > 0 AND NOT attisdropped
                UNION SELECT part.oid FROM types JOIN pg_type AS whole USING (oid), LATERAL (
                    SELECT typelem UNION ALL SELECT typbasetype UNION ALL SELECT atttypid FROM pg_attribute
                    WHERE attrelid = typrelid AND typtype = 'c' AND attnum > 0 AND NOT attisdropped) AS part(oid)
                WHERE part.oid <> 0),
            objects(oid) AS (
                SELECT oid FROM pg_class WHERE oid IN (%1$s) UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (%1$s)
                UNION SELECT oid FROM pg_attrdef WHERE adrelid IN (%1$s)
                UNION SELECT oid FROM pg_constraint WHERE conrelid IN (%1$s) OR contypid IN (SELECT oid FROM types)
                UNION SELECT oid FROM types),
            functions(oid) AS (
                SELECT refobjid FROM pg_depend
                WHERE refclassid = 'pg_proc'::regclass AND classid <> refclassid AND objid IN (SELECT oid FROM objects)
                UNION SELECT refobjid FROM functions JOIN pg_depend ON objid = functions.oid
                WHERE refclassid = 'pg_proc'::regclass AND classid = refclassid),
            sequences(oid) AS (
                SELECT sequence.oid FROM pg_class AS sequence JOIN pg_depend ON objid = sequence.oid
                WHERE sequence.relkind = 'S' AND classid = 'pg_class'::regclass AND deptype = 'a' AND refobjid IN (%1$s)
                UNION SELECT sequence.oid FROM pg_class AS sequence JOIN pg_depend ON refobjid = sequence.oid
                JOIN pg_attrdef AS given ON given.oid = objid
                WHERE sequence.relkind = 'S' AND classid = 'pg_attrdef'::regclass AND adrelid IN (%1$s)
                  AND NOT EXISTS (SELECT 1 FROM pg_depend AS own WHERE own.objid = sequence.oid AND own.deptype = 'i'))
            """;

    private static final String EXTENSIONS = """
            SELECT DISTINCT 'CREATE EXTENSION IF NOT EXISTS ' || quote_ident(extname) || ' SCHEMA ' || quote_ident(nspname),
                'CREATE SCHEMA IF NOT EXISTS ' || quote_ident(nspname), nspname ~ '^(public|pg_.*)$'
            FROM pg_extension AS extension JOIN pg_namespace AS space ON space.oid = extnamespace
            WHERE extension.oid IN (
                SELECT member.refobjid FROM pg_depend AS used
                JOIN pg_depend AS member ON member.classid = used.refclassid AND member.objid = used.refobjid
                WHERE used.objid IN (SELECT oid FROM objects) AND member.deptype = 'e'
                UNION SELECT refobjid FROM pg_depend WHERE objid IN (SELECT oid FROM types) AND deptype = 'e')""";

    private static final String TYPES = """
            SELECT CASE typtype
                WHEN 'e' THEN 'CREATE TYPE ' || format_type(type.oid, NULL) || ' AS ENUM (' || coalesce((
                    SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum
                    WHERE enumtypid = type.oid), '') || ')'
                WHEN 'd' THEN 'CREATE DOMAIN ' || format_type(type.oid, NULL) || ' AS ' || format_type(typbasetype, typtypmod)
                    || coalesce(' DEFAULT ' || typdefault, '') || CASE WHEN typnotnull THEN ' NOT NULL' ELSE '' END
                    || coalesce((SELECT string_agg(' CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid), ''
                        ORDER BY conname) FROM pg_constraint WHERE contypid = type.oid AND contype = 'c'), '')
                WHEN 'c' THEN 'CREATE TYPE ' || format_type(type.oid, NULL) || ' AS (' || (
                    SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
                    FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped) || ')'
                ELSE '!' || format_type(type.oid, NULL) END
            FROM pg_type AS type JOIN pg_namespace AS space ON space.oid = typnamespace
            WHERE type.oid IN (SELECT oid FROM types) AND nspname NOT LIKE 'pg\\_%%' AND nspname <> 'information_schema'
              AND NOT (typelem <> 0 AND typcategory = 'A')
              AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = type.oid AND deptype = 'e')
            ORDER BY type.oid""";

    private static final String SEQUENCES = """
            SELECT 'CREATE SEQUENCE ' || seqrelid::regclass || ' AS ' || format_type(seqtypid, NULL) || ' INCREMENT ' || seqincrement
                || ' MINVALUE ' || seqmin || ' MAXVALUE ' || seqmax || ' START ' || seqstart || ' CACHE ' || seqcache
                || CASE WHEN seqcycle THEN ' CYCLE' ELSE '' END
            FROM pg_sequence WHERE seqrelid IN (SELECT oid FROM sequences)""";

    private static final String FUNCTIONS = """
            SELECT pg_get_functiondef(used.oid) FROM functions AS used JOIN pg_proc USING (oid)
            JOIN pg_namespace AS space ON space.oid = pronamespace
            WHERE nspname NOT LIKE 'pg\\_%%' AND nspname <> 'information_schema' AND prokind = 'f'
              AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = used.oid AND deptype = 'e')
            ORDER BY used.oid""";

    private static final String TABLES = """
            SELECT 'CREATE ' || CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END || 'TABLE ' || owner.oid::regclass || ' ('
                || array_to_string(ARRAY(
                    SELECT quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
                        || coalesce((SELECT ' COLLATE ' || quote_ident(nspname) || '.' || quote_ident(collname)
                            FROM pg_collation AS sorted JOIN pg_namespace AS space ON space.oid = collnamespace
                            WHERE sorted.oid = attcollation AND attcollation <> typcollation), '')
                        || CASE attgenerated
                            WHEN 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED'
                            WHEN 'v' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') VIRTUAL'
                            ELSE coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') END
                        || CASE WHEN attidentity = '' OR relispartition THEN '' ELSE (
                            SELECT ' GENERATED ' || CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END
                                || ' AS IDENTITY (SEQUENCE NAME ' || seqrelid::regclass || ' START ' || seqstart || ' INCREMENT '
                                || seqincrement || ' MINVALUE ' || seqmin || ' MAXVALUE ' || seqmax || ' CACHE ' || seqcache || ')'
                            FROM pg_sequence JOIN pg_depend ON objid = seqrelid AND deptype = 'i'
                            WHERE refobjid = attrelid AND refobjsubid = attnum) END
                        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
                    FROM pg_attribute JOIN pg_type AS type ON type.oid = atttypid
                    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                    WHERE attrelid = owner.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum)
                || ARRAY(SELECT 'CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE conrelid = owner.oid AND contype = 'c' AND convalidated ORDER BY conname), ', ') || ')'
                || CASE relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(owner.oid) ELSE '' END
                || coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', '')
            FROM pg_class AS owner WHERE owner.oid IN (%1$s) ORDER BY owner.oid""";

    private static final String PARENTS = """
            SELECT CASE WHEN relispartition
                THEN 'ALTER TABLE ONLY ' || inhparent::regclass || ' ATTACH PARTITION ' || inhrelid::regclass || ' '
                    || pg_get_expr(relpartbound, inhrelid)
                ELSE 'ALTER TABLE ' || inhrelid::regclass || ' INHERIT ' || inhparent::regclass END
            FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhrelid IN (%1$s) ORDER BY inhparent, inhseqno, inhrelid""";

    private static final String OWNED = """
            SELECT 'ALTER SEQUENCE ' || objid::regclass || ' OWNED BY ' || refobjid::regclass || '.' || quote_ident(attname)
            FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
            WHERE objid IN (SELECT oid FROM sequences) AND classid = 'pg_class'::regclass AND deptype = 'a' AND refobjid IN (%1$s)""";

    /** What planning depends on. */
    private static final String COLUMN_SETTINGS = """
            SELECT 'ALTER TABLE ' || attrelid::regclass || ' ALTER ' || quote_ident(attname) || ' SET STATISTICS ' || attstattarget
            FROM pg_attribute WHERE attrelid IN (%1$s) AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0
            UNION ALL
            SELECT 'ALTER TABLE ' || attrelid::regclass || ' ALTER ' || quote_ident(attname) || ' SET ('
                || array_to_string(attoptions, ', ') || ')'
            FROM pg_attribute WHERE attrelid IN (%1$s) AND attnum > 0 AND NOT attisdropped AND attoptions IS NOT NULL
            UNION ALL SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxrelid IN (%1$s)""";

    private static final String ROWS = """
            SELECT owner.oid::regclass::text, coalesce(' (' || (
                SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = owner.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') || ')', ''),
                pg_relation_size(owner.oid)
            FROM pg_class AS owner WHERE owner.oid IN (%1$s) AND relkind = 'r' ORDER BY owner.oid""";

    /** First those of partitions, which those of the whole table then take over with their names. */
    private static final String INDEXES = """
            SELECT definition FROM (
                SELECT pg_get_indexdef(indexrelid) AS definition, relkind, indexrelid AS id
                FROM pg_index JOIN pg_class AS owner ON owner.oid = indrelid
                WHERE indrelid IN (%1$s) AND indisvalid AND NOT EXISTS (
                    SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
                UNION ALL
                SELECT 'ALTER TABLE ' || CASE relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || conrelid::regclass || ' ADD CONSTRAINT '
                    || quote_ident(conname) || ' ' || pg_get_constraintdef(each.oid), relkind, each.conindid
                FROM pg_constraint AS each JOIN pg_class AS owner ON owner.oid = conrelid
                WHERE conrelid IN (%1$s) AND contype IN ('p', 'u', 'x')) AS all_of_them
            ORDER BY relkind DESC, id""";

    private static final String CONSTRAINTS = """
            SELECT 'ALTER TABLE ' || conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(conname) || ' '
                || pg_get_constraintdef(oid)
            FROM pg_constraint WHERE conrelid IN (%1$s)
              AND (contype = 'f' AND conparentid = 0 OR contype = 'c' AND NOT convalidated AND coninhcount = 0) ORDER BY oid""";

    /** Sequences of serial and identity columns, and how far they have come; where that may not be read, as the rows say. */
    private static final String VALUES = """
            WITH used AS MATERIALIZED (
                SELECT seqrelid, refobjid, attname FROM pg_sequence JOIN pg_depend ON objid = seqrelid
                JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid JOIN pg_class AS owner ON owner.oid = refobjid
                WHERE classid = 'pg_class'::regclass AND refobjid IN (%1$s) AND deptype IN ('a', 'i') AND NOT relispartition)
            SELECT 'SELECT setval(' || quote_literal(seqrelid::regclass) || ', ' || CASE
                WHEN has_sequence_privilege(seqrelid, 'SELECT, USAGE') THEN pg_sequence_last_value(seqrelid)::text
                ELSE '(SELECT max(' || quote_ident(attname) || ') FROM ' || refobjid::regclass || ')' END || ')'
            FROM used WHERE NOT has_sequence_privilege(seqrelid, 'SELECT, USAGE')
              OR pg_sequence_last_value(seqrelid) IS NOT NULL""";

    private static final String LEFT = """
            SELECT 'the trigger ' || quote_ident(tgname) || ' of ' || tgrelid::regclass FROM pg_trigger
            WHERE tgrelid IN (%1$s) AND NOT tgisinternal AND tgparentid = 0
            UNION ALL SELECT 'the rule ' || quote_ident(rulename) || ' of ' || ev_class::regclass FROM pg_rewrite WHERE ev_class IN (%1$s)
            UNION ALL SELECT 'the policy ' || quote_ident(polname) || ' of ' || polrelid::regclass FROM pg_policy WHERE polrelid IN (%1$s)
            UNION ALL SELECT 'the foreign key ' || quote_ident(conname) || ' of ' || conrelid::regclass FROM pg_constraint
            WHERE confrelid IN (%1$s) AND contype = 'f' AND conparentid = 0 AND conrelid NOT IN (%1$s)
            ORDER BY 1""";

    private static final String WANTED = """
            WITH RECURSIVE wanted(oid) AS (
                SELECT unnest(?::oid[])
                UNION SELECT more.oid FROM wanted, LATERAL (
                    SELECT confrelid FROM pg_constraint WHERE contype = 'f' AND conrelid = wanted.oid
                    UNION ALL SELECT inhparent FROM pg_inherits WHERE inhrelid = wanted.oid
                    UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = wanted.oid) AS more(oid))
            SELECT oid, oid::regclass::text, relkind FROM wanted JOIN pg_class USING (oid) ORDER BY 1""";

    private static final String FOUND = """
            SELECT named.oid, named.oid::regclass::text, relkind FROM pg_class AS named
            JOIN pg_namespace AS space ON space.oid = relnamespace
            WHERE relname = ANY (?) AND relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'information_schema'
              AND nspname NOT LIKE 'pg\\_%' AND (pg_table_is_visible(named.oid) OR nspname = ANY (?))""";

    private final Gateway source;
    private final Connection connection;
    private final String oids;
    private final List<String> tables;
    private final long bytes;

    /**
     * Takes the snapshot and finds the tables.
     *
     * @param source whose user must be allowed to read the tables
     * @param words those of the statements: tables of these names are copied; views of these names are refused
     * @param named further tables, as SQL names them
     * @throws UserError if there is no such table, or one cannot be copied or read
     */
    public LogicalCopy(Gateway source, Collection<String> words, Collection<String> named) {
        this.source = source;
        this.connection = source.connect("movr-copy");
        try {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            // A policy that hides rows is an error then, and a scan begins at the first page.
            Rows.execute(
                    connection,
                    "SET LOCAL row_security = off; SET LOCAL synchronize_seqscans = off;"
                            + " SET LOCAL lock_timeout = '10s'");
            List<List<String>> found = found(words, named);
            oids = found.stream().map(row -> row.get(0)).collect(Collectors.joining(", "));
            for (List<String> table : found) {
                Rows.execute(connection, "LOCK TABLE ONLY " + table.get(1) + " IN ACCESS SHARE MODE");
            }
            // With names that need no path.
            Rows.execute(connection, "SET LOCAL search_path = ''");
            tables = answers(NAMES);
            bytes = Long.parseLong(answers(BYTES).get(0));
        } catch (SQLException failed) {
            throw Closeables.closeAfter(refusal("read the tables", failed), connection);
        } catch (UserError refused) {
            throw Closeables.closeAfter(refused, connection);
        }
    }

    private List<List<String>> found(Collection<String> words, Collection<String> named) throws SQLException {
        Array names = connection.createArrayOf("text", words.toArray());
        List<List<String>> found = new ArrayList<>(Rows.query(connection, FOUND, List.of(names, names)));
        for (String name : named) {
            List<List<String>> one = Rows.query(
                    connection,
                    "SELECT oid, oid::regclass::text, relkind FROM pg_class WHERE oid = to_regclass(?)",
                    List.of(name));
            if (one.isEmpty()) {
                throw new UserError("There is no table " + name + " in " + source.database()
                        + ": correct tables in experiment.yaml");
            }
            found.addAll(one);
        }
        if (found.isEmpty()) {
            throw new UserError("No statement names a table of the database " + source.database()
                    + " that could be copied: name them in experiment.yaml, such as 'tables: [orders]'");
        }
        Array first = connection.createArrayOf(
                "oid", found.stream().map(row -> Long.valueOf(row.get(0))).toArray());
        List<List<String>> all = Rows.query(connection, WANTED, List.of(first));
        for (List<String> table : all) {
            if (!table.get(2).equals("r") && !table.get(2).equals("p")) {
                throw new UserError(
                        table.get(1) + " is a view or a foreign table, and only tables are copied row by row:"
                                + " write the query of the view into the statement, or have the whole database copied"
                                + " (--copy template, as its owner, without other sessions)");
            }
        }
        return all;
    }

    /** Returns the tables with their schemas, partitions too. */
    public List<String> tables() {
        return tables;
    }

    /** Returns how much the tables take in the source, with their indexes: the copy takes about as much, or less. */
    public long bytes() {
        return bytes;
    }

    /**
     * Makes the tables and copies the rows.
     *
     * @param target an empty database
     * @param progress receives the share that is copied, from 0 to 1
     * @return a description of each object of these tables that the copy lacks
     * @throws UserError if a table cannot be made or read
     */
    public List<String> copyTo(Gateway target, Consumer<Double> progress) {
        // Simple, because the driver otherwise cuts bodies of functions at their semicolons.
        try (Connection copy =
                target.with(PGProperty.PREFER_QUERY_MODE, "simple").connect("movr-copy")) {
            Rows.execute(copy, "SET check_function_bodies = off");
            for (List<String> extension : rows(WITH + EXTENSIONS)) {
                if (extension.get(2).equals("false")) {
                    make(copy, extension.get(1));
                }
                make(copy, extension.get(0));
            }
            List<String> definitions = new ArrayList<>();
            for (String query : List.of(SCHEMAS, TYPES, SEQUENCES, FUNCTIONS)) {
                definitions.addAll(answers(WITH + query));
            }
            definitions.addAll(answers(TABLES));
            definitions.addAll(answers(PARENTS));
            definitions.addAll(answers(WITH + OWNED));
            definitions.addAll(answers(COLUMN_SETTINGS));
            for (String definition : definitions) {
                if (definition.startsWith("!")) {
                    throw new UserError(
                            "The type " + definition.substring(1) + " of a column is neither an enum, a domain nor a"
                                    + " composite type, and is not copied while others use the database: end the other sessions");
                }
                make(copy, definition);
            }
            copyRows(copy, progress);
            for (String query : List.of(VALUES, INDEXES, CONSTRAINTS)) {
                for (String statement : answers(query)) {
                    make(copy, statement);
                }
            }
            return answers(LEFT);
        } catch (SQLException failed) {
            throw refusal("copy the tables", failed);
        }
    }

    private static void make(Connection copy, String statement) throws SQLException {
        try {
            Rows.execute(copy, statement);
        } catch (SQLException failed) {
            String brief = statement.length() > 120 ? statement.substring(0, 119) + "…" : statement;
            throw new SQLException(UserError.firstLine(failed) + ", by: " + brief, failed.getSQLState(), failed);
        }
    }

    private void copyRows(Connection copy, Consumer<Double> progress) throws SQLException {
        List<List<String>> all = rows(ROWS);
        long heap = Math.max(
                1, all.stream().mapToLong(row -> Long.parseLong(row.get(2))).sum());
        long done = 0;
        for (List<String> table : all) {
            progress.accept((double) done / heap);
            pipe(connection, table.get(0) + table.get(1), copy);
            done += Long.parseLong(table.get(2));
        }
        progress.accept(1.0);
    }

    /** Copies the rows of a table to the table of the same name. */
    private static void pipe(Connection source, String table, Connection target) throws SQLException {
        // Text, because a binary array holds the number of its type, which is another one in the copy.
        CopyOut out = source.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT");
        CopyIn in = target.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY " + table + " FROM STDIN");
        try {
            for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
                in.writeToCopy(row, 0, row.length);
            }
            in.endCopy();
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
    }

    private List<String> answers(String query) throws SQLException {
        return rows(query).stream().map(row -> row.get(0)).toList();
    }

    private List<List<String>> rows(String query) throws SQLException {
        return Rows.query(connection, String.format(query, oids), List.of());
    }

    private UserError refusal(String what, SQLException failed) {
        String advice = SqlState.INSUFFICIENT_PRIVILEGE.equals(SqlState.of(failed))
                ? ": GRANT SELECT ON these tables and USAGE ON their schemas TO the user of " + source.shown()
                : "";
        return new UserError(
                "Cannot " + what + " of the database " + source.database() + " (" + UserError.firstLine(failed) + ")"
                        + advice,
                failed);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw refusal("end the transaction that read the tables", failed);
        }
    }
}
