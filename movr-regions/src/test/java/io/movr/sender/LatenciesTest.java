package io.movr.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    private static Latencies of(int digits, double... ms) {
        Latencies latencies = new Latencies(digits);
        for (double one : ms) {
            latencies.add((long) (one * 1e6), "");
        }
        return latencies;
    }

    @Test
    void failedRequestsAreInNoPercentileOfTheAnswered() {
        Latencies latencies = of(3, 1, 2, 3);
        latencies.add(TimeUnit.SECONDS.toNanos(10), "Answered 503");
        assertThat(latencies.answered()).isEqualTo(3);
        assertThat(latencies.failures()).isEqualTo(Map.of("Answered 503", 1L));
        assertThat(latencies.percentileMs(100)).isCloseTo(3, within(0.01));
        assertThat(new Latencies(2).percentileMs(50)).isNull();
    }

    @Test
    void failedRequestsAreSlowerThanAllAnsweredOnes() {
        Latencies latencies = of(3, 1, 2, 3);
        latencies.add(0, "Answered 503");
        assertThat(latencies.percentileOfAllMs(75)).isCloseTo(3, within(0.01));
        assertThat(latencies.percentileOfAllMs(76)).isInfinite();
        assertThat(new Latencies(2).percentileOfAllMs(50)).isInfinite();
    }

    @Test
    void countsHaveEveryAnswerAndAreWithinOnePercent() {
        Latencies latencies = of(2, 0.004, 0.8, 12.34, 12.34, 9_876, 120_000);
        assertThat(latencies.countsByMicros().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(6);
        assertThat(latencies.countsByMicros().firstKey()).isEqualTo(4);
        for (double ms : new double[] {0.8, 12.34, 9_876, 120_000}) {
            assertThat(latencies.countsByMicros().keySet())
                    .as(ms + " ms")
                    .anySatisfy(micros -> assertThat(micros / 1e3).isCloseTo(ms, Percentage.withPercentage(1)));
        }
    }

    @Test
    void sumsHaveTheRequestsOfBoth() {
        Latencies sum = of(2, 1);
        Latencies other = of(2, 5);
        other.add(0, "Answered 500");
        sum.addAll(other);
        sum.addAll(other);
        assertThat(sum.answered()).isEqualTo(3);
        assertThat(sum.errors()).isEqualTo(2);
        assertThat(sum.answeredWithin(2)).isEqualTo(1);
        assertThat(of(2).answeredWithin(2)).isZero();
    }

    @Test
    void aLatencyHasAnUpperBound() {
        assertThat(of(3, 1e9).percentileMs(50)).isCloseTo(600_000, Percentage.withPercentage(0.2));
    }
}
