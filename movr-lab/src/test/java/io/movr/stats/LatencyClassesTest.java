package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyClassesTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.0437, 0.999, 1, 1.0199, 17.3, 250, 59_999})
    void theMiddleOfItsClassTellsALatencyWithinOnePercent(double millis) {
        double middle = Math.pow(LatencyClasses.WIDTH, LatencyClasses.of(millis) + 0.5);
        assertThat(middle / millis).isCloseTo(1, within(0.01));
    }

    @Test
    void eachLatencyIsCountedOnceAndEmptyClassesAreLeftOut() {
        assertThat(LatencyClasses.counts(DoubleStream.of(1, 1.01, 1.03, 0.99, 100)))
                .isEqualTo(Map.of(-1, 1, 0, 2, 1, 1, 232, 1));
        assertThat(LatencyClasses.counts(DoubleStream.of(0)))
                .isEqualTo(LatencyClasses.counts(DoubleStream.of(0.001)))
                .hasSize(1);
        assertThat(LatencyClasses.counts(DoubleStream.empty())).isEmpty();
    }
}
