package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatementTest {

    @Test
    void namedParametersBecomeQuestionMarksInTheirOrder() {
        SqlStatement statement = one("SELECT a FROM t WHERE b = :b AND c > :c_2 AND d < :b");
        assertThat(statement.jdbc()).isEqualTo("SELECT a FROM t WHERE b = ? AND c > ? AND d < ?");
        assertThat(statement.parameters()).containsExactly("b", "c_2", "b");
        assertThat(statement.text()).isEqualTo("SELECT a FROM t WHERE b = :b AND c > :c_2 AND d < :b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a::int, '1'::text",
                "SELECT ':b', 'it''s :b', E'\\':b'",
                "SELECT \":b\", \"a\"\":b\" FROM t",
                "SELECT 1 -- :b ; ' \"",
                "SELECT 1 /* :b ; /* nested :c */ ' */ + 2",
                "SELECT $$ :b ; ' $$, $body$ $$ :b $body$",
                "SELECT a[1:2] FROM t",
                "SELECT a$b FROM t"
            })
    void castsStringsCommentsAndQuotesAreLeftAsTheyAre(String sql) {
        SqlStatement statement = one(sql);
        assertThat(statement.parameters()).isEmpty();
        assertThat(statement.jdbc()).isEqualTo(sql);
    }

    @Test
    void aParameterMayBeCast() {
        SqlStatement statement = one("SELECT :a::int, :b :: text");
        assertThat(statement.jdbc()).isEqualTo("SELECT ?::int, ? :: text");
        assertThat(statement.parameters()).containsExactly("a", "b");
    }

    @Test
    void aVariableIsPutInAsPsqlDoesIt() {
        List<SqlStatement> statements = SqlStatement.of(
                "SELECT ':scale', :scale::int, 2*:scale; SELECT $$:scale$$, :scales, :scale -- :scale",
                Map.of("scale", "10"));
        assertThat(statements)
                .extracting(SqlStatement::text)
                .containsExactly("SELECT ':scale', 10::int, 2*10", "SELECT $$:scale$$, :scales, 10 -- :scale");
        assertThat(statements.get(0).parameters()).isEmpty();
        assertThat(statements.get(1).parameters()).containsExactly("scales");
    }

    @Test
    void anOperatorWithAQuestionMarkStaysOne() {
        assertThat(one("SELECT a ? 'b', '?' FROM t").jdbc()).isEqualTo("SELECT a ?? 'b', '?' FROM t");
    }

    @Test
    void aScriptIsCutAtItsSemicolonsAndNowhereElse() {
        List<SqlStatement> statements = SqlStatement.of("""
                -- First ; of all
                CREATE TABLE t (a TEXT DEFAULT ';');
                CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;

                ;
                INSERT INTO t VALUES (E'\\';')
                -- the end
                """);
        assertThat(statements).hasSize(3);
        assertThat(statements.get(0).text()).endsWith("DEFAULT ';')");
        assertThat(statements.get(1).text()).endsWith("END $$");
        assertThat(statements.get(2).text()).startsWith("INSERT INTO t");
        assertThat(SqlStatement.of(" -- nothing\n;\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            delimiter = '#',
            value = {
                "SELECT 1\\nFROM t WHERE a = 'x # the quote ' is not closed (line 2)",
                "SELECT \"a # the quote \" is not closed (line 1)",
                "SELECT /* a # the comment /* is not closed (line 1)",
                "SELECT $a$ b $$ # the quote $a$ is not closed (line 1)",
                "SELECT a FROM t WHERE b = $1 # parameters are written :name, not $1 (line 1)",
                "SELECT a FROM t WHERE b = ? # parameters are written :name, not ? (line 1)",
                "SELECT a FROM t WHERE b = ? AND c = 1 # parameters are written :name, not ? (line 1)"
            })
    void whatCannotBeReadIsReportedWithItsLine(String sql, String message) {
        assertThatThrownBy(() -> SqlStatement.of(sql.replace("\\n", "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void onlyAnOrderOfTheWholeAnswerCounts() {
        assertThat(one("SELECT a FROM t ORDER BY a").ordered()).isTrue();
        assertThat(one("SELECT a FROM t order\n  by a LIMIT 3").ordered()).isTrue();
        assertThat(one("SELECT a FROM (SELECT a FROM t ORDER BY a) x").ordered())
                .isFalse();
        assertThat(one("SELECT rank() OVER (ORDER BY a) FROM t").ordered()).isFalse();
        assertThat(one("SELECT 'ORDER BY a' FROM t GROUP BY a").ordered()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1)",
                "update t SET a = 1",
                "DELETE FROM t",
                "WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x",
                "SELECT a INTO u FROM t",
                "CREATE INDEX ON t (a)"
            })
    void whatWritesIsSeen(String sql) {
        assertThat(one(sql).writes()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t",
                "SELECT a FROM t FOR UPDATE",
                "SELECT a FROM t FOR NO KEY UPDATE",
                "WITH x AS (SELECT 1) SELECT * FROM x",
                "SELECT 'insert into t'",
                "VALUES (1)",
                "TABLE t"
            })
    void whatReadsIsNoWrite(String sql) {
        assertThat(one(sql).writes()).isFalse();
        assertThat(one(sql).isExplainable()).isTrue();
    }

    private static SqlStatement one(String sql) {
        assertThat(SqlStatement.of(sql)).hasSize(1);
        return SqlStatement.of(sql).get(0);
    }
}
