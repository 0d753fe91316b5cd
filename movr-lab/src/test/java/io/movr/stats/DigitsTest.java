package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 2, 0.00",
        "0.0004321, 2, 0.000432",
        "0.000000000032149, 2, 0.0000000000321",
        "0.98765, 2, 0.988",
        "3.14159, 2, 3.14",
        "3.14159, 0, 3.14",
        "31.4159, 1, 31.4",
        "314159.26, 1, 314159.3",
        "-0.0123456, 1, -0.0123",
        "NaN, 2, NaN",
        "Infinity, 2, Infinity",
    })
    void aNumberHasThreeSignificantDigitsAtLeast(double value, int decimals, String text) {
        assertThat(Digits.text(value, decimals)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 4, 0.000", "0.00000000032149, 4, 0.0000000003215", "12.3456, 4, 12.35", "123456.7, 4, 123457"})
    void significantDigitsAreKeptWithoutAnExponent(double value, int digits, String text) {
        assertThat(Digits.significant(value, digits)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 0.0",
        "2.04, 1, 2.0",
        "0.05, 1, 0.1",
        "0.0449, 1, 0.0449",
        "-0.0449, 1, -0.0449",
        "0.4, 0, 0.400",
        "3.4, 0, 3",
        "NaN, 1, NaN",
    })
    void aRoundedNumberIsNotRoundedToNothing(double value, int decimals, String text) {
        assertThat(Digits.rounded(value, decimals)).isEqualTo(text);
    }
}
