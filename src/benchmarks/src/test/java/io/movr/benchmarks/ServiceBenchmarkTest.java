package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ServiceBenchmarkTest {

    private static Histogram of(int count) {
        Histogram micros = new Histogram(3);
        for (int number = 1; number <= count; number++) {
            micros.recordValue(number * 1_000L);
        }
        return micros;
    }

    @Test
    void throughputIsByTheTimeThatTheTransactionsTook() {
        assertThat(ServiceBenchmark.line("a", "pgbench", of(90), 0, 3))
                .startsWith("a", "pgbench", "30.0", "0")
                .doesNotContain("failed");
    }

    @Test
    void failedRequestsMakeNoPercentileBetter() {
        String median = ServiceBenchmark.line("a", "HTTP", of(100), 0, 2).get(4);
        List<String> line = ServiceBenchmark.line("a", "HTTP", of(80), 20, 2);
        assertThat(line).containsExactly("a", "HTTP", "40.0", "20", median, "failed", "failed", "failed");
        assertThat(ServiceBenchmark.line("a", "HTTP", of(0), 3, 2))
                .containsExactly("a", "HTTP", "0.0", "3", "failed", "failed", "failed", "failed");
    }

    @Test
    void everyFailedRequestIsCountedWithItsTimeAndItsReason() throws Exception {
        FixedRate rate = new FixedRate(8);
        rate.run(1_000, Duration.ofMillis(100), number -> {
            if (number % 4 == 0) {
                throw new IOException("Answered 503");
            }
            if (number % 4 == 1) {
                throw new IllegalStateException("not even sent");
            }
        });
        assertThat(rate.latencyMicros().getTotalCount()).isEqualTo(50);
        assertThat(rate.errors()).isEqualTo(50);
        assertThat(rate.firstFailure()).isIn("Answered 503", "not even sent");
        assertThat(rate.seconds()).isGreaterThanOrEqualTo(0.1);
        assertThat(rate.meanMicros()).isNotNegative();
    }
}
