package io.movr.database;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits SQL into tokens as the server does with {@code standard_conforming_strings} on. Parameters may be written
 * {@code :name}, {@code :"name"}, {@code $1} or {@code ?}; the last is a symbol, because it can also be an operator.
 */
public final class SqlScanner {

    /** What a token is. */
    public enum Kind {
        SPACE,
        COMMENT,
        /** A keyword or a name without quotes. */
        WORD,
        QUOTED_NAME,
        STRING,
        /** A string in which a backslash escapes: {@code E'…'}, with its continuation on further lines. */
        ESCAPE_STRING,
        DOLLAR_STRING,
        NUMBER,
        NAMED_PARAMETER,
        NUMBERED_PARAMETER,
        /** One character, or {@code ::} or {@code :=}. */
        SYMBOL
    }

    /**
     * A part of a statement.
     *
     * @param start the place of its first character
     * @param end the place behind its last character
     */
    public record Token(Kind kind, int start, int end) {

        /** Returns the token as it is written. */
        public String in(String sql) {
            return sql.substring(start, end);
        }
    }

    /** The last ASCII character; the server accepts every later character in names. */
    private static final char LAST_OF_ASCII = 127;

    private final String sql;
    private final int start;

    private SqlScanner(String sql, int start) {
        this.sql = sql;
        this.start = start;
    }

    /**
     * Reads one token.
     *
     * @param start the place of its first character, before the end of the text
     * @throws IllegalArgumentException if a quote or a comment is not closed, with its line
     */
    public static Token next(String sql, int start) {
        return new SqlScanner(sql, start).next();
    }

    /**
     * Reads all tokens of a text.
     *
     * @throws IllegalArgumentException as {@link #next}
     */
    public static List<Token> tokens(String sql) {
        List<Token> tokens = new ArrayList<>();
        for (int at = 0; at < sql.length(); at = tokens.get(tokens.size() - 1).end()) {
            tokens.add(next(sql, at));
        }
        return tokens;
    }

    /** Removes the quotes of a string, a name or a parameter. */
    public static String unquoted(String token) {
        String text = token.startsWith(":") ? token.substring(1) : token;
        char quote = text.charAt(0);
        return quote == '"' || quote == '\''
                ? text.substring(1, text.length() - 1).replace("" + quote + quote, "" + quote)
                : text;
    }

    /** Returns the line of a place, from 1. */
    public static int lineOf(String sql, int place) {
        return 1
                + Math.toIntExact(sql.substring(0, place)
                        .chars()
                        .filter(one -> one == '\n')
                        .count());
    }

    private Token next() {
        char one = sql.charAt(start);
        if (Character.isWhitespace(one)) {
            return token(Kind.SPACE, start + 1);
        } else if (one == '\'') {
            return token(Kind.STRING, afterQuoted(start, false));
        } else if (one == '"') {
            return token(Kind.QUOTED_NAME, afterQuoted(start, false));
        } else if (sql.startsWith("--", start)) {
            return token(Kind.COMMENT, afterLine(start));
        } else if (sql.startsWith("/*", start)) {
            return token(Kind.COMMENT, afterComment());
        } else if (one == '$') {
            return dollar();
        } else if (one == ':') {
            return colon();
        } else if (isNameStart(one)) {
            return word();
        } else if (isDigit(one)) {
            int end = start + 1;
            while (end < sql.length() && (isNameStart(at(end)) || isDigit(at(end)) || at(end) == '.')) {
                end++;
            }
            return token(Kind.NUMBER, end);
        }
        return token(Kind.SYMBOL, start + 1);
    }

    private Token word() {
        int end = afterName(start);
        boolean escapes = end == start + 1 && (at(start) == 'e' || at(start) == 'E');
        return escapes && end < sql.length() && at(end) == '\''
                ? token(Kind.ESCAPE_STRING, afterQuoted(end, true))
                : token(Kind.WORD, end);
    }

    private Token colon() {
        if (sql.startsWith("::", start) || sql.startsWith(":=", start)) {
            return token(Kind.SYMBOL, start + 2);
        }
        char before = start == 0 ? ' ' : at(start - 1);
        // Behind a value it is the middle of a slice, a[1:n].
        boolean slices = before == ':' || before == ']' || before == ')' || isPart(before);
        if (!slices && sql.startsWith("\"", start + 1)) {
            return token(Kind.NAMED_PARAMETER, afterQuoted(start + 1, false));
        } else if (!slices && start + 1 < sql.length() && isNameStart(at(start + 1))) {
            return token(Kind.NAMED_PARAMETER, afterName(start + 1));
        }
        return token(Kind.SYMBOL, start + 1);
    }

    private Token dollar() {
        int end = start + 1;
        if (end < sql.length() && isDigit(at(end))) {
            while (end < sql.length() && isDigit(at(end))) {
                end++;
            }
            return token(Kind.NUMBERED_PARAMETER, end);
        }
        while (end < sql.length() && (isNameStart(at(end)) || isDigit(at(end)))) {
            end++;
        }
        if (end >= sql.length() || at(end) != '$') {
            return token(Kind.SYMBOL, start + 1);
        }
        String quote = sql.substring(start, end + 1);
        int close = sql.indexOf(quote, end + 1);
        if (close < 0) {
            throw notClosed("the quote " + quote, start);
        }
        return token(Kind.DOLLAR_STRING, close + quote.length());
    }

    private int afterQuoted(int open, boolean escapes) {
        char quote = at(open);
        for (int end = open + 1; end < sql.length(); end++) {
            char one = at(end);
            if (one == '\\' && escapes) {
                end++;
            } else if (one == quote) {
                if (sql.startsWith(String.valueOf(quote), end + 1)) {
                    end++;
                } else if (escapes && continuation(end + 1) > 0) {
                    end = continuation(end + 1);
                } else {
                    return end + 1;
                }
            }
        }
        throw notClosed("the quote " + quote, open);
    }

    /**
     * Returns where a string continues on a later line, after white space and comments. The server reads escapes in the
     * continuation if it does so in the first part.
     *
     * @return the place of the quote, negative if the string has ended
     */
    private int continuation(int from) {
        boolean later = false;
        for (int next = from; next < sql.length(); next++) {
            char one = at(next);
            if (one == '\'' && later) {
                return next;
            } else if (sql.startsWith("--", next)) {
                next = afterLine(next) - 1;
            } else if (!Character.isWhitespace(one)) {
                return -1;
            }
            later |= one == '\n' || one == '\r';
        }
        return -1;
    }

    /** Returns the end of a line; a carriage return ends it too, as on the server. */
    private int afterLine(int from) {
        int end = from;
        while (end < sql.length() && at(end) != '\n' && at(end) != '\r') {
            end++;
        }
        return end;
    }

    private int afterComment() {
        int open = 0;
        int end = start;
        while (end < sql.length()) {
            if (sql.startsWith("/*", end)) {
                open++;
                end += 2;
            } else if (sql.startsWith("*/", end)) {
                open--;
                end += 2;
                if (open == 0) {
                    return end;
                }
            } else {
                end++;
            }
        }
        throw notClosed("the comment /*", start);
    }

    private int afterName(int from) {
        int end = from;
        while (end < sql.length() && isPart(at(end))) {
            end++;
        }
        return end;
    }

    private char at(int place) {
        return sql.charAt(place);
    }

    private static boolean isNameStart(char one) {
        return Character.isLetter(one) || one == '_' || one > LAST_OF_ASCII;
    }

    private static boolean isDigit(char one) {
        return one >= '0' && one <= '9';
    }

    /** Returns whether a character may continue a name. A dollar sign may: it does not begin a quote inside a name. */
    private static boolean isPart(char one) {
        return isNameStart(one) || isDigit(one) || one == '$';
    }

    private Token token(Kind kind, int end) {
        return new Token(kind, start, end);
    }

    private IllegalArgumentException notClosed(String what, int place) {
        return new IllegalArgumentException(what + " is not closed (line " + lineOf(sql, place) + ")");
    }
}
