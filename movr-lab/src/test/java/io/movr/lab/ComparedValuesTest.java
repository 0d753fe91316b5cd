package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.movr.lab.ComparedValues.Comparison;
import org.junit.jupiter.api.Test;

class ComparedValuesTest {

    @Test
    void stringsCommentsAndAssignmentsHoldNoComparison() {
        String sql = "UPDATE orders SET a = 1, \"set\" = (SELECT 2 WHERE b = 3) /* c = 4 -- */ WHERE -- d = 5\n"
                + " o . \"E e\" = 'x = 6' AND f >= 7 AND g = $$h = 8$$ AND i->'j' ->>0 = -9.5 AND k = 10e1";
        assertThat(ComparedValues.in(sql))
                .extracting(Comparison::column, Comparison::path, one -> sql.substring(one.start(), one.end()))
                .containsExactly(
                        tuple("b", "", " = 3"), tuple("E e", "", " = 'x = 6'"), tuple("i", "->'j' ->>0", " = -9.5"));
    }
}
