package io.movr.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskingLogEncoderTest {

    @ParameterizedTest
    @CsvSource({
        "card 4111111111111111 is, card ************1111 is",
        "x4111111111111111y, x************1111y",
        "4111-1111-1111-1111, ***************1111",
        "411111111111, ********1111",
        "port 41111111111, port 41111111111",
        "2026-11-22T18:30:00.123456789Z, 2026-11-22T18:30:00.123456789Z",
        "02cc9e5b-1e91-4cdb-87c4-726444021941, 02cc9e5b-1e91-4cdb-87c4-726444021941",
    })
    void cardNumbersAreMaskedAndOtherNumbersAreNot(String text, String masked) {
        assertThat(MaskingLogEncoder.masked(text)).isEqualTo(masked);
    }
}
