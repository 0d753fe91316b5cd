package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedParametersTest {

    @Test
    void aNameThatOccursTwiceHasOneValue() {
        NamedParameters read = NamedParameters.of(
                "SELECT * FROM t WHERE a = :a AND b=:b::int OR (c, d) = (:a,:b_2)", List.of(1, 2, 3));
        assertThat(read.statement()).isEqualTo("SELECT * FROM t WHERE a = ? AND b=?::int OR (c, d) = (?,?)");
        assertThat(read.values()).isEqualTo(List.of(1, 2, 1, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ':x', E'\\':x', \":x\", $$:x$$, $a$:x$a$ -- :x",
                "SELECT /* :x /* :x */ :x */ x::int, a[1:x], a[f(1):x], a[b[1]:x], 10-1/2",
                "SELECT a ?? 'x', '?', \"?\" -- ?",
            })
    void whatIsNoParameterStays(String statement) {
        assertThat(NamedParameters.of(statement, List.of()).statement()).isEqualTo(statement);
    }

    @Test
    void questionMarksStay() {
        String statement = "SELECT ?, '?', a ?? 'x', ?";
        assertThat(NamedParameters.of(statement, List.of(1, 2)).statement()).isEqualTo(statement);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1 | The statement has no parameters, and 1 value is given: give one value for each parameter, which is"
                        + " written ? or :name",
                "SELECT ?, ? | The statement has 2 parameters, and 1 value is given: give one value for each parameter, in the"
                        + " order in which they first occur",
                "SELECT :a, :b | The statement has 2 parameters :a, :b, and 1 value is given: give one value for each"
                        + " parameter, in the order in which they first occur",
                "SELECT ?, :b | The statement has the parameters ? and :b: write all of them as ?, or all as :name",
            })
    void otherNumbersOfValuesAreRefused(String statement, String message) {
        assertThatThrownBy(() -> NamedParameters.of(statement, List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
