package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({"60s, 60000", "1m30s, 90000", "250ms, 250", "1.5h, 5400000", "0, 0", "0s, 0"})
    void durationsAreReadAsCockroachWorkloadTakesThem(String text, long millis) {
        assertThat(new GoDuration().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "", "s", "-1s", "1 s", "1d"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> new GoDuration().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("write it like 60s");
    }
}
