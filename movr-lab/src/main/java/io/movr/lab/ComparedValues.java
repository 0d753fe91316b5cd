package io.movr.lab;

import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the comparisons of a column, or of a value in its JSON, with a value. An assignment of SET is no comparison. */
final class ComparedValues {

    /** The keywords that end a list of assignments, and the one that begins it. */
    private static final Set<String> CLAUSES = Set.of("set", "where", "from", "on", "returning", "when");

    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

    /**
     * A comparison with a value.
     *
     * @param column the name of the column
     * @param path the path from the column to a value in its JSON, as it is written; empty if the column itself is compared
     * @param start the place behind column and path, where the operator follows
     * @param end the place behind the value
     */
    record Comparison(String column, String path, int start, int end) {}

    private final String sql;
    private final List<Token> tokens;

    /** Whether the clause is a list of assignments, for each open parenthesis. */
    private final Deque<Boolean> assigning = new ArrayDeque<>(List.of(false));

    private final List<Comparison> found = new ArrayList<>();

    private ComparedValues(String sql) {
        this.sql = sql;
        this.tokens = SqlScanner.tokens(sql).stream()
                .filter(token -> token.kind() != Kind.SPACE && token.kind() != Kind.COMMENT)
                .toList();
    }

    static List<Comparison> in(String sql) {
        return new ComparedValues(sql).read();
    }

    private List<Comparison> read() {
        for (int index = 0; index < tokens.size(); index++) {
            Kind kind = tokens.get(index).kind();
            String text = text(index);
            if (text.equals("(")) {
                assigning.push(false);
            } else if (text.equals(")") && assigning.size() > 1) {
                assigning.pop();
            } else if (kind == Kind.WORD
                    && CLAUSES.contains(text.toLowerCase(Locale.ROOT))
                    && !text(index + 1).equals("=")) {
                assigning.pop();
                assigning.push(text.equalsIgnoreCase("set"));
            } else if ((kind == Kind.WORD || kind == Kind.QUOTED_NAME) && !assigning.getFirst()) {
                compare(index);
            }
        }
        return found;
    }

    private void compare(int column) {
        int operator = afterPath(column + 1);
        int value = operator + (text(operator + 1).equals("-") ? 2 : 1);
        boolean isNumber = NUMBER.matcher(text(value)).matches();
        boolean isText = value == operator + 1 && is(value, Kind.STRING);
        if (text(operator).equals("=") && (isNumber || isText)) {
            int start = tokens.get(operator - 1).end();
            found.add(new Comparison(
                    ReadTable.plain(text(column)),
                    sql.substring(tokens.get(column).end(), start),
                    start,
                    tokens.get(value).end()));
        }
    }

    /** The index behind the steps into JSON, such as {@code -> 'size' ->> 0}. */
    private int afterPath(int index) {
        int key = index + 2;
        if (text(index).equals("-") && text(index + 1).equals(">")) {
            key += text(key).equals(">") ? 1 : 0;
            if (is(key, Kind.STRING) || is(key, Kind.NUMBER)) {
                return afterPath(key + 1);
            }
        }
        return index;
    }

    private boolean is(int index, Kind kind) {
        return index < tokens.size() && tokens.get(index).kind() == kind;
    }

    private String text(int index) {
        return index < tokens.size() ? tokens.get(index).in(sql) : "";
    }
}
