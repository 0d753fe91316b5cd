package io.movr.database;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Copies a part of the rows of some tables: those that a hash of their key chooses, then all rows that foreign keys of the
 * chosen ones need, and those that these need. The rows are collected in tables without constraints, because a row that is
 * needed comes late and must still lie where the order of the source has it.
 */
final class SampledRows {

    private static final String SCHEMA = "movr_sample";
    private static final String TABLE = "\"movr table\"";
    private static final String ROW = "\"movr row\"";
    /** 0 if the row was chosen, otherwise how many foreign keys lead to it from one that was. */
    private static final String ROUND = "\"movr round\"";

    /** Keys that are asked for by one statement. */
    private static final int BATCH = 2_000;

    /** Those that are no partitions, with their columns, the columns as those of p, the text that is hashed, and the pages. */
    private static final String TABLES = """
            SELECT owner.oid, owner.oid::regclass::text, CASE relkind WHEN 'p' THEN '' ELSE 'ONLY ' END,
                string_agg(quote_ident(attname), ', ' ORDER BY attnum), string_agg('p.' || quote_ident(attname), ', ' ORDER BY attnum),
                coalesce((SELECT 'concat_ws(''|'', ' || string_agg(quote_ident(part.attname), ', ' ORDER BY part.attnum) || ')'
                    FROM pg_index JOIN pg_attribute AS part ON part.attrelid = indrelid
                        AND part.attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])
                    WHERE indrelid = owner.oid AND indisprimary), 'ctid::text'),
                coalesce((SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(owner.oid)), pg_relation_size(owner.oid))::bigint
            FROM pg_class AS owner JOIN pg_attribute ON attrelid = owner.oid
            WHERE owner.oid IN (%1$s) AND NOT relispartition AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
            GROUP BY owner.oid, relkind ORDER BY owner.oid""";

    /**
     * The tables of a key, how its columns (c) and those that they reference (p) are compared, and as a list: the columns of both,
     * what must not be null, and what writes a key as SQL does.
     */
    private static final String FOREIGN_KEYS = """
            SELECT coalesce(pg_partition_root(conrelid), conrelid)::oid, coalesce(pg_partition_root(confrelid), confrelid)::oid,
                string_agg(format('p.%%I OPERATOR(%%I.%%s) c.%%I', parent.attname, nspname, oprname, child.attname), ' AND ' ORDER BY n),
                string_agg(quote_ident(parent.attname), ', ' ORDER BY n), string_agg(quote_ident(child.attname), ', ' ORDER BY n),
                string_agg(format('%%I IS NOT NULL', child.attname), ' AND ' ORDER BY n),
                string_agg(format('quote_literal(%%I::text) || %%L', child.attname, '::' || format_type(child.atttypid, NULL)),
                    ' || '', '' || ' ORDER BY n),
                conrelid::regclass || '.' || quote_ident(conname), coalesce(min(to_jsonb(held) ->> 'conperiod'), 'false')
            FROM pg_constraint AS held, unnest(conkey, confkey, conpfeqop) WITH ORDINALITY AS part(child, parent, operator, n),
                pg_attribute AS child, pg_attribute AS parent, pg_operator AS compared, pg_namespace AS space
            WHERE contype = 'f' AND conparentid = 0 AND conrelid IN (%1$s)
              AND child.attrelid = conrelid AND child.attnum = part.child AND parent.attrelid = confrelid AND parent.attnum = part.parent
              AND compared.oid = part.operator AND space.oid = oprnamespace
            GROUP BY held.oid, conrelid, confrelid, conname ORDER BY held.oid""";

    private final Connection source;
    private final Connection copy;
    private final RowSample sample;
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final List<ForeignKey> foreignKeys = new ArrayList<>();
    private long emptyBytes;

    /** A table, and where its rows are collected. */
    private record Table(
            String name, String only, String columns, String qualified, String key, long bytes, String collected) {

        String from() {
            return only + name;
        }
    }

    private record ForeignKey(
            Table child,
            Table parent,
            String equal,
            String parentColumns,
            String columns,
            String known,
            String literal) {

        /** Keys of the rows of a round whose row is not there yet, each as SQL writes it. */
        String missing(int round) {
            return "SELECT '(' || " + literal + " || ')' FROM (SELECT DISTINCT " + columns + " FROM "
                    + child.collected()
                    + " AS c WHERE " + ROUND + " = " + round + " AND " + known + " AND NOT EXISTS (SELECT 1 FROM "
                    + parent.collected() + " AS p WHERE " + equal + ")) AS missing";
        }
    }

    /**
     * Reads what tables and foreign keys there are.
     *
     * @param source in a transaction that only reads
     * @param copy with the tables, which are empty and have no keys yet
     * @param oids of the tables
     * @throws UserError if a foreign key cannot be kept whole
     */
    SampledRows(Connection source, Connection copy, String oids, RowSample sample) throws SQLException {
        this.source = source;
        this.copy = copy;
        this.sample = sample;
        // A key may be a time, whose text depends on it.
        Rows.execute(source, "SET LOCAL timezone = 'UTC'");
        for (List<String> table : asked(TABLES, oids)) {
            tables.put(
                    table.get(0),
                    new Table(
                            table.get(1),
                            table.get(2),
                            table.get(3),
                            table.get(4),
                            table.get(5),
                            Long.parseLong(table.get(6)),
                            SCHEMA + ".t" + tables.size()));
        }
        for (List<String> key : asked(FOREIGN_KEYS, oids)) {
            if (key.get(8).equals("true")) {
                throw new UserError("The foreign key " + key.get(7)
                        + " is about periods, which a sample of rows does not keep whole: leave --rows-sample out");
            }
            foreignKeys.add(new ForeignKey(
                    Objects.requireNonNull(tables.get(key.get(0)), key.get(7)),
                    Objects.requireNonNull(tables.get(key.get(1)), key.get(7)),
                    key.get(2),
                    key.get(3),
                    key.get(4),
                    key.get(5),
                    key.get(6)));
        }
    }

    /**
     * Copies the rows.
     *
     * @param progress is told the share of the source that was read
     * @throws UserError if the rows take more space than they may
     */
    List<RowSample.Part> copy(Consumer<Double> progress) throws SQLException {
        emptyBytes = databaseBytes();
        Rows.execute(copy, "CREATE SCHEMA " + SCHEMA);
        choose(progress);
        // Keys that are missing are read a part at a time, which takes a transaction.
        copy.setAutoCommit(false);
        int round = 0;
        while (addNeeded(round) > 0) {
            round++;
        }
        List<RowSample.Part> parts = new ArrayList<>();
        for (Table table : tables.values()) {
            Rows.execute(
                    copy,
                    "INSERT INTO " + table.name() + " (" + table.columns() + ") OVERRIDING SYSTEM VALUE SELECT "
                            + table.columns() + " FROM " + table.collected() + " ORDER BY " + TABLE + ", " + ROW);
            parts.add(new RowSample.Part(
                    table.name(),
                    Long.parseLong(Rows.one(copy, "SELECT count(*) FROM " + table.collected())),
                    Long.parseLong(Rows.one(source, "SELECT count(*) FROM " + table.from()))));
            Rows.execute(copy, "DROP TABLE " + table.collected());
            copy.commit();
        }
        Rows.execute(copy, "DROP SCHEMA " + SCHEMA);
        copy.commit();
        copy.setAutoCommit(true);
        return parts;
    }

    private void choose(Consumer<Double> progress) throws SQLException {
        long all = Math.max(1, tables.values().stream().mapToLong(Table::bytes).sum());
        long below = Math.round(sample.share() * (1L << 32));
        long done = 0;
        for (Table table : tables.values()) {
            progress.accept((double) done / all);
            Rows.execute(
                    copy,
                    "CREATE UNLOGGED TABLE " + table.collected() + " AS SELECT NULL::oid AS " + TABLE
                            + ", NULL::tid AS "
                            + ROW + ", 0 AS " + ROUND + ", " + table.columns() + " FROM " + table.name()
                            + " WITH NO DATA");
            LogicalCopy.pipe(
                    source,
                    "SELECT tableoid, ctid, 0, " + table.columns() + " FROM " + table.from()
                            + " WHERE hashtextextended("
                            + table.key() + " COLLATE pg_catalog.\"C\", " + sample.seed()
                            + ") & ((1::bigint << 32) - 1) < "
                            + below,
                    copy,
                    table.collected());
            Rows.execute(copy, "CREATE INDEX ON " + table.collected() + " (" + ROUND + ")");
            done += table.bytes();
        }
        for (ForeignKey key : foreignKeys) {
            Rows.execute(copy, "CREATE INDEX ON " + key.parent().collected() + " (" + key.parentColumns() + ")");
        }
        for (Table table : tables.values()) {
            Rows.execute(copy, "ANALYZE " + table.collected());
        }
        progress.accept(1.0);
    }

    /** Adds the rows that those of a round need and that are not there yet, and says how many these are. */
    private long addNeeded(int round) throws SQLException {
        long added = 0;
        for (ForeignKey key : foreignKeys) {
            try (Statement statement = copy.createStatement()) {
                statement.setFetchSize(BATCH);
                try (ResultSet missing = statement.executeQuery(key.missing(round))) {
                    List<String> batch = new ArrayList<>();
                    while (missing.next()) {
                        batch.add(missing.getString(1));
                        if (batch.size() == BATCH) {
                            added += add(key, batch, round + 1);
                            batch.clear();
                        }
                    }
                    added += add(key, batch, round + 1);
                }
            }
            copy.commit();
        }
        return added;
    }

    private long add(ForeignKey key, List<String> missing, int round) throws SQLException {
        if (missing.isEmpty()) {
            return 0;
        }
        Table parent = key.parent();
        long added = LogicalCopy.pipe(
                source,
                "SELECT p.tableoid, p.ctid, " + round + ", " + parent.qualified() + " FROM " + parent.from()
                        + " AS p JOIN (VALUES " + String.join(", ", missing) + ") AS c (" + key.columns() + ") ON "
                        + key.equal(),
                copy,
                parent.collected());
        if (databaseBytes() - emptyBytes > sample.mostBytes()) {
            throw new UserError(String.format(
                    Locale.ROOT,
                    "The rows that foreign keys of the sample of %s%% need make a copy larger than --max-copy allows: choose"
                            + " fewer with --rows-sample, or allow more",
                    RowSample.text(sample.percent())));
        }
        return added;
    }

    private List<List<String>> asked(String query, String oids) throws SQLException {
        return Rows.query(source, String.format(query, oids), List.of());
    }

    private long databaseBytes() throws SQLException {
        return Long.parseLong(Rows.one(copy, "SELECT pg_database_size(current_database())"));
    }
}
