package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.StatementTimeout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * INSERT, UPDATE and DELETE of one row of a table, made from its rows. INSERT copies a row with a fresh key, and DELETE
 * deletes that copy. UPDATE writes the columns of the indexes in which the sides differ, with the values of another row:
 * PostgreSQL does not write an index whose columns keep their values. Another UPDATE writes a column that no index has,
 * which on PostgreSQL writes no index if the page has room (a heap-only tuple).
 */
final class RowWrites {

    private static final int MAX_ROWS = 100;
    private static final long SEED = 1;

    private static final Set<String> NUMBERS = Set.of("smallint", "integer", "bigint", "numeric");

    /** The types of fresh keys; the first are the least likely to have another meaning. */
    private static final List<Set<String>> FRESH =
            List.of(Set.of("uuid"), NUMBERS, Set.of("text", "character varying"));

    /** Thrown if the writes of a table cannot be made, with the reason. */
    static final class Impossible extends Exception {

        private static final long serialVersionUID = 1L;

        Impossible(String message) {
            super(message);
        }
    }

    /**
     * A column that {@code SELECT *} shows.
     *
     * @param parameter the name of the parameter with the value of a row; with {@code other_} before it, of another row
     * @param computed whether it cannot be written
     * @param always whether it is written only with {@code OVERRIDING SYSTEM VALUE}
     */
    private record Column(
            String name,
            String quoted,
            String type,
            boolean computed,
            boolean always,
            boolean key,
            boolean foreign,
            String parameter) {

        int freshness() {
            return (int)
                    FRESH.stream().takeWhile(types -> !types.contains(type)).count();
        }

        boolean isIn(String index) {
            return Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)")
                    .matcher(index)
                    .find();
        }
    }

    private final String name;
    private final Parameters parameters;
    private final SqlFile insert;
    private final SqlFile insertIfMissing;
    private final SqlFile delete;
    private final List<SqlFile> update;
    private final List<SqlFile> updateWithoutIndex;

    /**
     * Makes the writes of a table.
     *
     * @param table the table with its schema, quoted if needed
     * @param name the name of the table for people
     * @param changed the definitions of the indexes in which the sides differ
     * @param all the definitions of the indexes of both sides
     * @throws Impossible if the table has no rows, or no primary key that a fresh one can be made of
     */
    RowWrites(Connection connection, String table, String name, Set<String> changed, Set<String> all)
            throws SQLException, Impossible {
        this.name = name;
        List<Column> columns = columns(connection, table);
        List<Column> keys = columns.stream().filter(Column::key).toList();
        if (keys.isEmpty()) {
            throw new Impossible("it has no primary key");
        }
        Column fresh = keys.stream()
                .filter(key -> key.freshness() < FRESH.size())
                .min(Comparator.comparing(Column::foreign).thenComparing(Column::freshness))
                .orElseThrow(() -> new Impossible(
                        "its primary key has no number, uuid or text that a fresh key could be made of"));
        List<Column> free =
                columns.stream().filter(one -> !one.key() && !one.computed()).toList();
        List<Column> indexed = free.stream()
                .filter(one -> changed.stream().anyMatch(one::isIn))
                .toList();
        List<Column> updated = indexed.isEmpty() ? free.stream().limit(1).toList() : indexed;
        List<Column> withoutIndex = free.stream()
                .filter(one -> all.stream().noneMatch(one::isIn) && !updated.contains(one))
                .limit(1)
                .toList();
        parameters = Parameters.of(rows(connection, table, columns, keys, fresh, List.of(updated, withoutIndex)));

        List<Column> written = columns.stream().filter(one -> !one.computed()).toList();
        Function<Column, String> withFresh = one -> one.equals(fresh) ? ":fresh" : ":" + one.parameter();
        String inserting = "INSERT INTO " + table + " (" + joined(written, ", ", Column::quoted) + ")"
                + (written.stream().anyMatch(Column::always) ? " OVERRIDING SYSTEM VALUE" : "") + " VALUES ("
                + joined(written, ", ", withFresh) + ")";
        insert = sql(inserting);
        insertIfMissing = sql(inserting + " ON CONFLICT DO NOTHING");
        delete = sql("DELETE FROM " + table + " WHERE "
                + joined(keys, " AND ", one -> one.quoted() + " = " + withFresh.apply(one)));
        String where = " WHERE " + joined(keys, " AND ", one -> one.quoted() + " = :" + one.parameter());
        update = updates(table, updated, where);
        updateWithoutIndex = updates(table, withoutIndex, where);
    }

    /** Returns updates of columns with the values of another row, and with their own; empty if there are no columns. */
    private static List<SqlFile> updates(String table, List<Column> columns, String where) {
        if (columns.isEmpty()) {
            return List.of();
        }
        String set = "UPDATE " + table + " SET ";
        return List.of(
                sql(set + joined(columns, ", ", one -> one.quoted() + " = :other_" + one.parameter()) + where),
                sql(set + joined(columns, ", ", one -> one.quoted() + " = :" + one.parameter()) + where));
    }

    /** Returns the definitions of a table's indexes, without the names of the table and its database. */
    static Set<String> indexes(Connection connection, String table) throws SQLException {
        return Rows.query(
                        connection,
                        "SELECT indexdef FROM pg_indexes"
                                + " WHERE quote_ident(schemaname) || '.' || quote_ident(tablename) = ?",
                        List.of(table))
                .stream()
                .map(row -> row.get(0).replaceFirst(" ON .*? USING ", " USING "))
                .collect(Collectors.toSet());
    }

    private static List<Column> columns(Connection connection, String table) throws SQLException {
        Set<String> shown = new HashSet<>();
        try (PreparedStatement all = connection.prepareStatement("SELECT * FROM " + table)) {
            ResultSetMetaData columns = all.getMetaData();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                shown.add(columns.getColumnName(column));
            }
        }
        Set<String> keys = constrained(connection, table, "p");
        Set<String> foreign = constrained(connection, table, "f");
        List<Column> columns = new ArrayList<>();
        for (List<String> row : Rows.query(
                connection,
                "SELECT column_name, quote_ident(column_name), data_type, is_generated, identity_generation"
                        + " FROM information_schema.columns"
                        + " WHERE quote_ident(table_schema) || '.' || quote_ident(table_name) = ?"
                        + " ORDER BY ordinal_position",
                List.of(table))) {
            String name = row.get(0);
            if (shown.contains(name)) {
                columns.add(new Column(
                        name,
                        row.get(1),
                        row.get(2),
                        row.get(3).equals("ALWAYS"),
                        row.get(4).equals("ALWAYS"),
                        keys.contains(name),
                        foreign.contains(name),
                        "column_" + (columns.size() + 1)));
            }
        }
        return columns;
    }

    private static Set<String> constrained(Connection connection, String table, String kind) throws SQLException {
        return Rows.query(
                        connection,
                        "SELECT attribute.attname FROM pg_constraint AS rule JOIN pg_attribute AS attribute"
                                + " ON attribute.attrelid = rule.conrelid AND attribute.attnum = ANY (rule.conkey)"
                                + " WHERE rule.conrelid = '" + table.replace("'", "''") + "'::regclass"
                                + " AND rule.contype = '" + kind + "'",
                        List.of())
                .stream()
                .map(row -> row.get(0))
                .collect(Collectors.toSet());
    }

    /** Reads rows from all over the table, each with a fresh key and with the values that each UPDATE writes. */
    private static Csv rows(
            Connection connection,
            String table,
            List<Column> columns,
            List<Column> keys,
            Column fresh,
            List<List<Column>> updates)
            throws SQLException, Impossible {
        List<List<String>> found = Rows.query(
                connection,
                "SELECT " + joined(columns, ", ", one -> one.quoted() + "::text") + " FROM " + table + " ORDER BY md5("
                        + joined(keys, " || ' ' || ", one -> one.quoted() + "::text") + ") LIMIT " + MAX_ROWS,
                List.of());
        if (found.isEmpty()) {
            throw new Impossible("it has no rows");
        }
        String largest = NUMBERS.contains(fresh.type())
                ? Rows.one(connection, "SELECT max(" + fresh.quoted() + ")::text FROM " + table)
                : "0";
        List<String> names = columns.stream().map(Column::parameter).collect(Collectors.toCollection(ArrayList::new));
        names.add("fresh");
        updates.forEach(updated -> updated.forEach(one -> names.add("other_" + one.parameter())));
        List<List<String>> rows = new ArrayList<>();
        for (int number = 0; number < found.size(); number++) {
            List<String> row = new ArrayList<>(found.get(number));
            row.add(
                    switch (fresh.freshness()) {
                        case 0 ->
                            UUID.nameUUIDFromBytes(("movr " + number).getBytes(StandardCharsets.UTF_8))
                                    .toString();
                        case 1 ->
                            new BigDecimal(largest)
                                    .add(BigDecimal.valueOf(number + 1L))
                                    .toPlainString();
                        default -> "movr-" + number;
                    });
            for (List<Column> updated : updates) {
                row.addAll(other(
                        found, number, updated.stream().map(columns::indexOf).toList()));
            }
            rows.add(row);
        }
        return new Csv(names, rows);
    }

    /** Returns some columns of the next row that has other values there; its own values if there is no such row. */
    private static List<String> other(List<List<String>> rows, int number, List<Integer> columns) {
        List<String> own = columns.stream().map(rows.get(number)::get).toList();
        for (int step = 1; step < rows.size(); step++) {
            List<String> row = rows.get((number + step) % rows.size());
            List<String> other = columns.stream().map(row::get).toList();
            if (!other.equals(own)) {
                return other;
            }
        }
        return own;
    }

    /**
     * Tries every write in a transaction that is rolled back.
     *
     * @throws Impossible if one of them fails, with what the server says, or does not write one row
     */
    void tryOut(Gateway database) throws SQLException, Impossible {
        List<SqlFile> all = new ArrayList<>(List.of(insert));
        all.addAll(update);
        all.addAll(updateWithoutIndex);
        all.add(delete);
        try (Connection connection = connect(database)) {
            connection.setAutoCommit(false);
            for (SqlFile write : all) {
                SqlStatement statement = write.last();
                List<List<String>> answer;
                try {
                    answer = Rows.run(connection, statement.jdbc(), parameters.of(parameters.size() - 1, statement));
                } catch (SQLException refused) {
                    throw new Impossible(statement.text() + ": " + UserError.firstLine(refused));
                }
                if (!answer.equals(List.of(List.of("1")))) {
                    throw new Impossible(
                            statement.text() + " writes " + answer.get(0).get(0) + " rows");
                }
            }
            connection.rollback();
        }
    }

    /**
     * Returns INSERT, UPDATE if there is a column outside the key, and UPDATE of a column that no index has, if there is
     * one.
     */
    List<MeasuredWrite> insertAndUpdates(Experiment experiment) {
        List<MeasuredWrite> writes = new ArrayList<>(List.of(write(experiment, "insert into", insert, delete)));
        if (!update.isEmpty()) {
            writes.add(write(experiment, "update", update.get(0), update.get(1)));
        }
        if (!updateWithoutIndex.isEmpty()) {
            writes.add(write(
                    experiment, "update unindexed column of", updateWithoutIndex.get(0), updateWithoutIndex.get(1)));
        }
        return writes;
    }

    /** Returns DELETE of the rows that {@link #insertAll} inserts. */
    MeasuredWrite delete(Experiment experiment) {
        return write(experiment, "delete from", delete, insertIfMissing);
    }

    void insertAll(Gateway database) throws SQLException {
        runAll(database, insertIfMissing);
    }

    void deleteAll(Gateway database) throws SQLException {
        runAll(database, delete);
    }

    private void runAll(Gateway database, SqlFile write) throws SQLException {
        try (Connection connection = connect(database)) {
            for (int row = 0; row < parameters.size(); row++) {
                Rows.run(connection, write.last().jdbc(), parameters.of(row, write.last()));
            }
        }
    }

    private MeasuredWrite write(Experiment experiment, String what, SqlFile statements, SqlFile reset) {
        StatementOperation.Common common = new StatementOperation.Common(
                parameters, ExpectedAnswers.same(false), reset, TransactionMode.PER_STATEMENT, SEED);
        String id = experiment.id() + "." + (what.replace(' ', '-') + "." + name).replaceAll("[^\\w.-]", "_");
        return new MeasuredWrite(
                what + " " + name,
                null,
                StatementOperation.write(
                        id, what + " " + name, statements, common, experiment.before(), experiment.after()));
    }

    private static Connection connect(Gateway database) throws SQLException {
        return StatementTimeout.bounded(database, StatementTimeout.LIMIT).connect("movr-lab");
    }

    private static SqlFile sql(String sql) {
        return SqlFile.of(Path.of("write of one row"), sql);
    }

    private static String joined(List<Column> columns, String separator, Function<Column, String> text) {
        return columns.stream().map(text).collect(Collectors.joining(separator));
    }
}
