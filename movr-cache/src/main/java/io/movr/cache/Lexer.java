package io.movr.cache;

import io.movr.cache.Token.Kind;
import io.movr.database.SqlScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Splits a statement into tokens. It does not split statements that it could misunderstand: backslashes in strings, whose
 * meaning is a setting of the session, strings with a prefix or in dollars, and the driver's own escapes.
 */
final class Lexer {

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();

    private Lexer(String sql) {
        this.sql = sql;
    }

    /** Returns the tokens without comments and without a semicolon at the end; empty if it is not sure of them. */
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
        try {
            return SqlScanner.tokens(sql).stream().allMatch(token -> take(token.kind(), token.in(sql), token.end()));
        } catch (IllegalArgumentException notClosed) {
            return false;
        }
    }

    /** Returns whether a token, which ends at a place, cannot be misunderstood. */
    private boolean take(SqlScanner.Kind kind, String text, int end) {
        return switch (kind) {
            case SPACE, COMMENT -> true;
            case WORD ->
                !text.contains("$")
                        && (end == sql.length() || "'\"&".indexOf(sql.charAt(end)) < 0)
                        && tokens.add(new Token(Kind.WORD, text.toLowerCase(Locale.ROOT)));
            case QUOTED_NAME, STRING ->
                text.indexOf('\\') < 0
                        && tokens.add(new Token(
                                kind == SqlScanner.Kind.STRING ? Kind.STRING : Kind.QUOTED_NAME,
                                SqlScanner.unquoted(text)));
            case NUMBER -> tokens.add(new Token(Kind.NUMBER, text));
            case SYMBOL -> symbol(text, end);
            case ESCAPE_STRING, DOLLAR_STRING, NAMED_PARAMETER, NUMBERED_PARAMETER -> false;
        };
    }

    private boolean symbol(String text, int end) {
        if (text.equals("?")) {
            return !sql.startsWith("?", end) && tokens.add(new Token(Kind.PARAMETER, text));
        }
        if ("${\\".contains(text)) {
            return false;
        }
        text.chars().forEach(one -> tokens.add(new Token(Kind.SYMBOL, Character.toString(one))));
        return true;
    }
}
