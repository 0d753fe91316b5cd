package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import io.movr.environment.StatementTimeout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The placeholders, {@code $1} or {@code _}, of a statement in the statistics of a server, and values for them: the
 * values of a row in the compared columns, and for LIMIT the average number of rows of a call.
 */
final class StatementPlaceholders {

    private static final int EXCERPT = 40;

    /** The queries of this class are marked, so that they change no statement in the statistics of PostgreSQL. */
    private static final String SELECT = "SELECT /* movr */ ";

    private static final String VALUE = "(?:\\$\\d+|_)(?:::[\\w ]+)?";

    private static final String COLUMN = "(?:(?<qualifier>\"[^\"]+\"|\\w+)\\.)?(?<column>\"[^\"]+\"|[a-zA-Z_]\\w*)";

    /** The text before a placeholder that is compared with a column; {@code upper} if the value is an upper bound. */
    private static final Pattern BEFORE = Pattern.compile(
            COLUMN + "(?:::[\\w ]+?)?\\s*(?:=|<>|!=|>=?|(?<upper><=?)|(?:NOT\\s+)?I?LIKE"
                    + "|(?:NOT\\s+)?IN\\s*\\((?:\\s*" + VALUE + "\\s*,)*"
                    + "|(?:NOT\\s+)?BETWEEN(?<and>\\s+" + VALUE + "\\s+AND)?)\\s*\\(?$",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern AFTER =
            Pattern.compile("^(?:::[\\w ]+?)?\\s*(?:=|<>|!=|<=?|(?<upper>>=?))\\s*" + COLUMN, Pattern.CASE_INSENSITIVE);

    private static final Pattern NUMBER = Pattern.compile("\\b(?<what>LIMIT|OFFSET)\\s*$", Pattern.CASE_INSENSITIVE);

    private static final Pattern TABLE = Pattern.compile(
            "(?:\\b(?:FROM|JOIN|UPDATE|INTO)\\s+|\\G\\s*,\\s*)(?<table>(?:(?:\"[^\"]+\"|\\w+)\\.)*(?:\"[^\"]+\"|[a-zA-Z_]\\w*))"
                    + "(?:\\s+(?:AS\\s+)?(?<alias>(?!(?:ON|WHERE|JOIN|INNER|SET|LEFT|RIGHT|FULL|CROSS|NATURAL|USING|GROUP|ORDER|LIMIT"
                    + "|OFFSET|HAVING|UNION|WINDOW|FOR|FETCH)\\b)\\w+))?",
            Pattern.CASE_INSENSITIVE);

    /** The mark of values that a list has lost in the statistics of CockroachDB. */
    private static final Pattern MORE = Pattern.compile(",\\s*__more\\w*__");

    /** A column that a placeholder is compared with. */
    private record Compared(String table, String column, boolean upper) {}

    private final StatementStatistics statement;
    private final String text;
    private final Connection connection;
    private final Map<String, String> tables = new LinkedHashMap<>();
    private final Map<String, Set<String>> columns = new HashMap<>();

    private StatementPlaceholders(StatementStatistics statement, Connection connection) throws SQLException {
        this.statement = statement;
        this.text = MORE.matcher(statement.text()).replaceAll("");
        this.connection = connection;
        Matcher named = TABLE.matcher(text);
        while (named.find()) {
            String table = named.group("table");
            String alias = named.group("alias");
            List<List<String>> found = Rows.query(
                    connection,
                    "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped",
                    List.of(table));
            if (!found.isEmpty()) {
                Set<String> of = new LinkedHashSet<>();
                found.forEach(row -> of.add(row.get(0)));
                columns.put(table, of);
                tables.put(
                        alias == null ? ReadTable.plain(table.replaceFirst("^.*\\.", "")) : ReadTable.plain(alias),
                        table);
            }
        }
    }

    /**
     * Returns the statement with values from existing rows.
     *
     * @param note accepts a line on each value that was guessed
     * @throws UserError if there is no value for a placeholder, which is named, or if the database does not answer
     */
    static String filled(StatementStatistics statement, Gateway database, Consumer<String> note) {
        try (Connection connection =
                StatementTimeout.bounded(database, StatementTimeout.LIMIT).connect("movr-lab-init")) {
            connection.setReadOnly(true);
            return new StatementPlaceholders(statement, connection).filled(note);
        } catch (SQLException failed) {
            throw new UserError("No values can be read for the statement: " + UserError.firstLine(failed), failed);
        }
    }

    private String filled(Consumer<String> note) throws SQLException {
        List<@Nullable Compared> compared = new ArrayList<>();
        Map<String, String> numbered = new HashMap<>();
        List<Token> placeholders = placeholders();
        for (Token placeholder : placeholders) {
            compared.add(comparedAt(placeholder.start(), placeholder.end()));
        }
        Map<Compared, String> values = values(compared);
        StringBuilder filled = new StringBuilder();
        int copied = 0;
        for (int number = 0; number < placeholders.size(); number++) {
            Token token = placeholders.get(number);
            String placeholder = token.in(text);
            boolean isNumbered = token.kind() == Kind.NUMBERED_PARAMETER;
            String value = value(token.start(), compared.get(number), values);
            if (value == null && isNumbered) {
                value = numbered.get(placeholder);
            }
            if (value == null) {
                throw new UserError((isNumbered ? placeholder : "Placeholder " + (number + 1))
                        + " of the statement needs a value, and "
                        + "no row has one to take: "
                        + excerpt(token.start(), token.end())
                        + " – write it with --statement \"…\" instead of --from-statistics");
            }
            if (isNumbered) {
                numbered.putIfAbsent(placeholder, value);
            }
            String meaning = NUMBER.matcher(text.substring(0, token.start())).find()
                    ? "the average number of rows of a call, as far as it is known"
                    : "the value of a row that exists";
            note.accept(excerpt(token.start(), token.start()).strip() + " " + value + ": a guess, " + meaning);
            filled.append(text, copied, token.start()).append(value);
            copied = token.end();
        }
        return filled.append(text.substring(copied)).toString();
    }

    private List<Token> placeholders() {
        List<Token> placeholders = new ArrayList<>();
        try {
            for (Token token : SqlScanner.tokens(text)) {
                boolean qualified = text.startsWith(".", token.end()) || text.startsWith(".", token.start() - 1);
                if (token.kind() == Kind.NUMBERED_PARAMETER
                        || (token.kind() == Kind.WORD && token.in(text).equals("_") && !qualified)) {
                    placeholders.add(token);
                }
            }
        } catch (IllegalArgumentException cut) {
            throw new UserError(
                    "The statistics have a statement that cannot be read: " + cut.getMessage()
                            + " – write it with --statement \"…\" instead of --from-statistics",
                    cut);
        }
        return placeholders;
    }

    /** Returns the words before a placeholder, and the placeholder. */
    private String excerpt(int start, int end) {
        int from = Math.max(0, start - EXCERPT);
        String words = text.substring(from, end).replaceAll("\\s+", " ");
        return from == 0 ? words : "…" + words.replaceFirst("^\\S*", "");
    }

    private @Nullable String value(int at, @Nullable Compared compared, Map<Compared, String> values) {
        Matcher number = NUMBER.matcher(text.substring(0, at));
        if (number.find()) {
            return number.group("what").toUpperCase(Locale.ROOT).equals("OFFSET")
                    ? "0"
                    : Long.toString((long) Math.max(1, Math.ceil(statement.rows() / statement.calls())));
        }
        String value = compared == null ? null : values.get(compared);
        return value == null ? null : "'" + value.replace("'", "''") + "'";
    }

    private @Nullable Compared comparedAt(int start, int end) {
        Matcher before = BEFORE.matcher(text.substring(0, start));
        if (before.find()) {
            return compared(before, before.group("upper") != null || before.group("and") != null);
        }
        Matcher after = AFTER.matcher(text.substring(end));
        return after.find() ? compared(after, after.group("upper") != null) : null;
    }

    private @Nullable Compared compared(Matcher found, boolean upper) {
        String column = ReadTable.plain(found.group("column"));
        String qualifier = found.group("qualifier");
        return tables.entrySet().stream()
                .filter(table -> qualifier == null || table.getKey().equals(ReadTable.plain(qualifier)))
                .map(Map.Entry::getValue)
                .filter(table -> columns.getOrDefault(table, Set.of()).contains(column))
                .findFirst()
                .map(table -> new Compared(table, column, upper))
                .orElse(null);
    }

    /**
     * Reads the values. Values of a table come from one row, so that the row meets all comparisons; an upper bound is the
     * maximum of its column.
     */
    private Map<Compared, String> values(List<@Nullable Compared> all) throws SQLException {
        Map<String, Set<Compared>> ofTables = new LinkedHashMap<>();
        Map<Compared, String> values = new HashMap<>();
        for (Compared one : all) {
            if (one != null && one.upper()) {
                String column = quoted(one.column());
                Rows.query(
                                connection,
                                SELECT + column + "::text FROM " + one.table() + " WHERE " + column
                                        + " IS NOT NULL ORDER BY " + column + " DESC LIMIT 1",
                                List.of())
                        .forEach(row -> values.put(one, row.get(0)));
            } else if (one != null) {
                ofTables.computeIfAbsent(one.table(), any -> new LinkedHashSet<>())
                        .add(one);
            }
        }
        for (Map.Entry<String, Set<Compared>> table : ofTables.entrySet()) {
            List<Compared> wanted = List.copyOf(table.getValue());
            List<String> texts =
                    wanted.stream().map(one -> quoted(one.column()) + "::text").toList();
            List<String> known = wanted.stream()
                    .map(one -> quoted(one.column()) + " IS NOT NULL")
                    .toList();
            List<List<String>> row = Rows.query(
                    connection,
                    SELECT + String.join(", ", texts) + " FROM " + table.getKey() + " WHERE "
                            + String.join(" AND ", known) + " LIMIT 1",
                    List.of());
            for (int index = 0; !row.isEmpty() && index < wanted.size(); index++) {
                values.put(wanted.get(index), row.get(0).get(index));
            }
        }
        return values;
    }

    private static String quoted(String column) {
        return '"' + column.replace("\"", "\"\"") + '"';
    }
}
