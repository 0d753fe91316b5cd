package io.movr.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.cache.Sql.Name;
import io.movr.cache.Sql.Operand;
import io.movr.cache.Sql.Other;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlReaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM users WHERE id = ? | users",
                "select a, count(*) from rides r group by a having count(*) > 1 order by 2 limit 5; | rides",
                "SELECT 1 FROM a, b JOIN c ON a.x = b.x, d WHERE a.y IN (1, 2) | a b c d",
                "SELECT (SELECT max(x) FROM inner_one), y FROM outer_one | inner_one outer_one",
                "SELECT * FROM (a CROSS JOIN b) | a b",
                "SELECT * FROM (SELECT * FROM a) s, b | a b",
                "SELECT * FROM a WHERE x IN (SELECT y FROM b UNION SELECT z FROM c) | a b c",
                "SELECT extract(year FROM ts), trim(both 'x' from y) FROM a | a",
                "SELECT * FROM a WHERE x IS DISTINCT FROM y | a",
                "SELECT /* FROM no /* nested */ */ x -- FROM neither\\n FROM a | a",
                "SELECT ' from b', x FROM \"A b\" | A b",
                "SELECT * FROM public.users u LEFT JOIN LATERAL (SELECT * FROM rides) r ON true | public.users rides",
                "SELECT * FROM generate_series(1, ?) n, a | a",
                "SELECT 1 | ''",
            })
    void aReadNamesEveryTable(String sql, String tables) {
        assertThat(SqlReader.read(sql.replace("\\n", "\n")))
                .isInstanceOfSatisfying(
                        Sql.Read.class,
                        read -> assertThat(read.tables().stream()
                                        .map(name -> name.schema().isEmpty()
                                                ? name.table()
                                                : name.schema() + "." + name.table())
                                        .sorted()
                                        .toList())
                                .isEqualTo(
                                        tables.equals("A b")
                                                ? List.of(tables)
                                                : tables.isEmpty()
                                                        ? List.of()
                                                        : List.of(tables.split(" ")).stream()
                                                                .sorted()
                                                                .toList()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT now() FROM a",
                "SELECT * FROM a WHERE t < current_timestamp",
                "SELECT * FROM a WHERE d = DATE 'today'",
                "SELECT * FROM a WHERE t < 'today 10:00'",
                "SELECT * FROM a WHERE t < '10:00 Tomorrow'",
                "SELECT * FROM a WHERE t < ' YESTERDAY '",
                "SELECT * FROM a WHERE t < 'today10:00'::timestamp",
                "SELECT * FROM a WHERE t < timestamp with time zone 'now'",
                "SELECT * FROM a WHERE t < CAST('yesterday allballs' AS timestamp)",
                "SELECT * FROM a WHERE t = TIME 'allballs'",
                "SELECT * FROM a WHERE t = '10:00 Europe/Rome'::timetz",
                "SELECT * FROM a WHERE t = CAST(? AS TIME WITH TIME ZONE)",
                "SELECT * FROM a WHERE d = ('to' || 'day')::date",
                "SELECT * FROM a WHERE d = CAST(concat('to', ?) AS date)",
                "SELECT * FROM a WHERE d = 'to'\n'day'",
                "SELECT * FROM a FOR UPDATE",
                "SELECT * FROM a FOR NO KEY UPDATE SKIP LOCKED",
                "SELECT * FROM a AS OF SYSTEM TIME '-5s'",
                "SELECT * FROM a TABLESAMPLE SYSTEM (1)",
                "SELECT * FROM a UNION TABLE b",
                "SELECT current_user, x FROM a",
                "SELECT current_setting('x'), gateway_region()",
                "SELECT random(), gen_random_uuid(), nextval('s')",
                "WITH x AS (SELECT 1) SELECT * FROM x",
                "SHOW search_path",
                "SELECT a[1] FROM b",
            })
    void whatChangesByItselfIsReadAndNotKept(String sql) {
        assertThat(SqlReader.read(sql)).isEqualTo(Other.UNCACHED_READ);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM a WHERE d = '2030-01-01 10:00'",
                "SELECT * FROM a WHERE d = DATE 'epoch'",
                "SELECT t::date FROM a WHERE name = 'Nowak'",
                "SELECT date_trunc('day', t)::date FROM a",
                "SELECT a || b AS name FROM a WHERE d < timestamp with time zone '2030-01-01'",
            })
    void whatChangesWithItsRowsOnlyIsKept(String sql) {
        assertThat(SqlReader.read(sql)).isInstanceOf(Sql.Read.class);
    }

    @ParameterizedTest
    @CsvSource({
        "today, true",
        "' TODAY ', true",
        "today 10:00 America/Argentina/Buenos_Aires, true",
        "todays, false",
        "2030, false"
    })
    void aParameterThatMeansAnotherTimeLaterIsNoKey(String text, boolean moving) {
        assertThat(Parameter.of("setString", new Object[] {1, text}) == null).isEqualTo(moving);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT my_function(1)",
                "SELECT pg_catalog.set_config('role', 'x', false)",
                "SELECT set_config('role', 'x', false)",
                "SELECT * INTO b FROM a",
                "WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x",
                "SELECT * FROM [INSERT INTO a VALUES (1) RETURNING x]",
                "EXPLAIN ANALYZE DELETE FROM a",
                "INSERT INTO a SELECT my_function(1)",
                "UPDATE a SET x = my_function(x) WHERE id = 1",
                "SELECT 1; DELETE FROM a",
                "SELECT 'it\\'s'; --'",
                "SELECT E'x'",
                "SELECT $$x$$",
                "SELECT 'open",
                "SELECT x ?? 'y', z FROM a WHERE k = ?",
                "DO $$ BEGIN END $$",
                "CALL p()",
                "{call p()}",
                "COPY a FROM STDIN",
                "TRUNCATE a",
                "MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE",
                "CREATE TABLE a (x INT)",
                "PREPARE TRANSACTION 'x'",
                "COMMIT PREPARED 'x'",
                "DECLARE c CURSOR FOR SELECT 1",
                "",
            })
    void whatIsNotUnderstoodMayDoAnything(String sql) {
        assertThat(SqlReader.read(sql)).isEqualTo(Other.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "SET ROLE other, SESSION",
        "RESET ALL, SESSION",
        "DISCARD ALL, SESSION",
        "BEGIN, BEGIN",
        "START TRANSACTION READ ONLY, BEGIN",
        "COMMIT, END",
        "ROLLBACK, END",
        "ROLLBACK TO SAVEPOINT a, UNCACHED_READ",
        "SAVEPOINT a, UNCACHED_READ"
    })
    void whatConcernsTheSessionIsTold(String sql, Other expected) {
        assertThat(SqlReader.read(sql)).isEqualTo(expected);
    }

    @Test
    void aReadByKeyNamesItsValues() {
        assertThat(keyed("SELECT x FROM a WHERE city = ? AND a.id = ? AND y > 3 LIMIT ?"))
                .isEqualTo(Map.of("city", new Operand(1, ""), "id", new Operand(2, "")));
        assertThat(keyed("SELECT ? FROM a t WHERE t.id = 'x' AND (y = ? OR z)"))
                .isEqualTo(Map.of("id", new Operand(0, "x")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT x FROM a WHERE id = ? OR y = 1",
                "SELECT x FROM a WHERE y BETWEEN ? AND id = ?",
                "SELECT x FROM a WHERE NOT id = ?",
                "SELECT x FROM a WHERE id = ? IS TRUE",
                "SELECT x FROM a WHERE id = ? + 1",
                "SELECT x FROM a WHERE id = ?::int",
                "SELECT x FROM a, a b WHERE id = ?",
                "SELECT x FROM a JOIN a b ON true WHERE id = ?",
                "SELECT x FROM a WHERE id = ? UNION SELECT x FROM a",
                "SELECT x FROM a WHERE y = (SELECT max(y) FROM a) AND id = ?",
            })
    void whatMayReadOtherRowsHasNoKey(String sql) {
        assertThat(keyed(sql)).isEmpty();
    }

    private static Map<String, Operand> keyed(String sql) {
        return ((Sql.Read) SqlReader.read(sql)).keyed();
    }

    @Test
    void aWriteNamesItsTableAndItsRows() {
        assertThat(SqlReader.read("UPDATE ONLY s.a SET x = ?, y = now() WHERE id = ? AND x = 1 RETURNING y"))
                .isInstanceOfSatisfying(Sql.Write.class, write -> {
                    assertThat(write.table()).isEqualTo(new Name("s", "a"));
                    assertThat(write.rows())
                            .singleElement()
                            .satisfies(row -> assertThat(row).containsEntry("id", new Operand(2, "")));
                    assertThat(write.assigned()).contains("x", "y").doesNotContain("id");
                });
        assertThat(SqlReader.read(
                        "INSERT INTO a (id, x) VALUES (?, coalesce(?, ?)), (?, DEFAULT) ON CONFLICT DO NOTHING"))
                .isInstanceOfSatisfying(
                        Sql.Write.class,
                        write -> assertThat(write.rows())
                                .isEqualTo(
                                        List.of(Map.of("id", new Operand(1, "")), Map.of("id", new Operand(4, "")))));
        assertThat(SqlReader.read("DELETE FROM a WHERE id = 7"))
                .isInstanceOfSatisfying(
                        Sql.Write.class,
                        write -> assertThat(write.rows()).isEqualTo(List.of(Map.of("id", new Operand(0, "7")))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO a VALUES (1)",
                "INSERT INTO a (id) SELECT id FROM b",
                "INSERT INTO a (id) VALUES (?) ON CONFLICT (y) DO UPDATE SET x = 1",
                "INSERT INTO a (id, x) VALUES (?)",
                "UPDATE a SET x = 1 FROM b WHERE id = ?",
                "UPDATE a SET (id, x) = (1, 2) WHERE id = ?",
                "DELETE FROM a USING b WHERE id = ?",
            })
    void aWriteOfRowsThatAreNotNamedHasNone(String sql) {
        assertThat(SqlReader.read(sql))
                .isInstanceOfSatisfying(
                        Sql.Write.class, write -> assertThat(write.rows()).isEmpty());
    }
}
