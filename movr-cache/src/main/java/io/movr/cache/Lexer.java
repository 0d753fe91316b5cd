package io.movr.cache;

import io.movr.cache.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Splits a statement into tokens. What it could misunderstand it does not split at all: backslashes in strings, whose
 * meaning is a setting of the session, strings with a prefix or in dollars, and the driver's own escapes.
 */
final class Lexer {

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String sql) {
        this.sql = sql;
    }

    /** The tokens without comments and without a semicolon at the end; empty if it is not sure of them. */
    static Optional<List<Token>> tokens(String sql) {
        Lexer lexer = new Lexer(sql);
        if (!lexer.split()) {
            return Optional.empty();
        }
        List<Token> tokens = lexer.tokens;
        while (!tokens.isEmpty() && tokens.get(tokens.size() - 1).isSymbol(";")) {
            tokens.remove(tokens.size() - 1);
        }
        return Optional.of(tokens);
    }

    private boolean split() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end;
            } else if (sql.startsWith("/*", at)) {
                if (!comment()) {
                    return false;
                }
            } else if (c == '\'' || c == '"') {
                if (!quoted(c)) {
                    return false;
                }
            } else if (isWordStart(c)) {
                int begin = at;
                while (at < sql.length() && (isWordStart(sql.charAt(at)) || Character.isDigit(sql.charAt(at)))) {
                    at++;
                }
                if (at < sql.length() && "'\"$&".indexOf(sql.charAt(at)) >= 0) {
                    return false;
                }
                add(Kind.WORD, sql.substring(begin, at).toLowerCase(Locale.ROOT));
            } else if (Character.isDigit(c)) {
                int begin = at;
                while (at < sql.length() && isPartOfNumber(sql.charAt(at))) {
                    at++;
                }
                add(Kind.NUMBER, sql.substring(begin, at));
            } else if (sql.startsWith("??", at)) {
                return false;
            } else if (c == '?') {
                at++;
                add(Kind.PARAMETER, "?");
            } else if (c == '$' || c == '{' || c == '\\') {
                return false;
            } else {
                at++;
                add(Kind.SYMBOL, String.valueOf(c));
            }
        }
        return true;
    }

    private void add(Kind kind, String text) {
        tokens.add(new Token(kind, text));
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_';
    }

    private static boolean isPartOfNumber(char c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '_';
    }

    /** Comments may hold comments. */
    private boolean comment() {
        int depth = 0;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return true;
                }
            } else {
                at++;
            }
        }
        return false;
    }

    private boolean quoted(char quote) {
        StringBuilder text = new StringBuilder();
        for (at++; at < sql.length(); at++) {
            char c = sql.charAt(at);
            if (c == '\\') {
                return false;
            }
            if (c != quote) {
                text.append(c);
            } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
                text.append(quote);
                at++;
            } else {
                at++;
                add(quote == '"' ? Kind.QUOTED_NAME : Kind.STRING, text.toString());
                return true;
            }
        }
        return false;
    }
}
