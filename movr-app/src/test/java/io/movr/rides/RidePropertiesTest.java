package io.movr.rides;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RidePropertiesTest {

    private final RideProperties tariff =
            new RideProperties(new BigDecimal("1.00"), new BigDecimal("0.29"), Duration.ofHours(24), 10);

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0, 1.00",
        "PT0.000001S, 0, 1.29",
        "PT1M, 0, 1.29",
        "PT1M0.5S, 0, 1.58",
        "PT30M, 0, 9.70",
        "PT30M, 50, 4.85",
        "PT1M, 50, 0.65",
        "PT30M, 100, 0.00",
        "PT24H, 0, 418.60",
        "PT70000H, 0, 418.60",
    })
    void aRideCostsByTheMinuteThatWasBegun(Duration ride, int percentOff, BigDecimal price) {
        assertThat(tariff.price(ride, percentOff)).isEqualTo(price);
    }
}
