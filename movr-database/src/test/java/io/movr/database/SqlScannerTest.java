package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScannerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'it''s -- no comment' | STRING",
                "'a\\' | STRING",
                "E'a\\'b' | ESCAPE_STRING",
                "e'a'\\n -- goes on\\n '\\';b' | ESCAPE_STRING",
                "$$ ; $a$ ' $$ | DOLLAR_STRING",
                "$body$ $$ ; $$ $body$ | DOLLAR_STRING",
                "\"a\"\"b;\" | QUOTED_NAME",
                "-- a ; ' | COMMENT",
                "/* a /* b */ ; */ | COMMENT",
                "a$b$c | WORD",
                "größe€ | WORD",
                "1.5e10 | NUMBER",
                ":name | NAMED_PARAMETER",
                ":\"na\"\"me\" | NAMED_PARAMETER",
                "$12 | NUMBERED_PARAMETER",
                ":: | SYMBOL",
                "? | SYMBOL"
            })
    void theWholeTextIsOneToken(String sql, Kind kind) {
        assertThat(kinds(sql.replace("\\n", "\n"))).containsExactly(kind);
    }

    @Test
    void aCarriageReturnEndsACommentAsOnTheServer() {
        assertThat(words("SELECT 1 --\rFOR UPDATE")).containsExactly("SELECT", "FOR", "UPDATE");
    }

    @Test
    void aNumberDoesNotHideADollarQuote() {
        assertThat(kinds("1$$;$$")).containsExactly(Kind.NUMBER, Kind.DOLLAR_STRING);
    }

    @Test
    void aColonBehindAValueIsTheMiddleOfASlice() {
        assertThat(kinds("a[1:n]")).doesNotContain(Kind.NAMED_PARAMETER);
        assertThat(kinds("a[f(1):n]")).doesNotContain(Kind.NAMED_PARAMETER);
        assertThat(kinds("a[:n]")).contains(Kind.NAMED_PARAMETER);
        assertThat(kinds("x=:n::int")).contains(Kind.NAMED_PARAMETER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT\n'a", "SELECT\n\"a", "SELECT\n/* /* */", "SELECT\n$a$ $$", "SELECT\nE'a\\'"})
    void whatIsNotClosedIsNamedWithItsLine(String sql) {
        assertThatThrownBy(() -> SqlScanner.tokens(sql))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not closed (line 2)");
    }

    private static List<String> words(String sql) {
        return SqlScanner.tokens(sql).stream()
                .filter(token -> token.kind() == Kind.WORD)
                .map(token -> token.in(sql))
                .toList();
    }

    private static List<Kind> kinds(String sql) {
        return SqlScanner.tokens(sql).stream().map(Token::kind).toList();
    }
}
