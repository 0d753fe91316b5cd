package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.sender.Latencies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServiceBenchmarkTest {

    private static Latencies of(int answered, int failed) {
        Latencies latencies = new Latencies(3);
        for (int number = 1; number <= answered; number++) {
            latencies.add(number * 1_000_000L, "");
        }
        for (int number = 0; number < failed; number++) {
            latencies.add(0, "Answered 503");
        }
        return latencies;
    }

    @Test
    void throughputIsByTheTimeThatTheTransactionsTook() {
        assertThat(ServiceBenchmark.line("a", "pgbench", of(90, 0), 3))
                .startsWith("a", "pgbench", "30.0", "0")
                .doesNotContain("failed");
    }

    @Test
    void failedRequestsMakeNoPercentileBetter() {
        String median = ServiceBenchmark.line("a", "HTTP", of(100, 0), 2).get(4);
        List<String> line = ServiceBenchmark.line("a", "HTTP", of(80, 20), 2);
        assertThat(line).containsExactly("a", "HTTP", "40.0", "20", median, "failed", "failed", "failed");
        assertThat(ServiceBenchmark.line("a", "HTTP", of(0, 3), 2))
                .containsExactly("a", "HTTP", "0.0", "3", "failed", "failed", "failed", "failed");
    }

    @Test
    void everyFailedRequestIsCountedWithItsReason() throws Exception {
        Latencies latencies = new Latencies(3);
        double seconds = Service.run(
                1_000,
                Duration.ofMillis(100),
                number -> {
                    if (number % 4 == 1) {
                        throw new IllegalStateException("not even sent");
                    }
                    return CompletableFuture.completedFuture(number % 4 == 0 ? "Answered 503" : "");
                },
                number -> latencies);
        assertThat(latencies.answered()).isEqualTo(50);
        assertThat(latencies.failures()).isEqualTo(Map.of("Answered 503", 25L, "not even sent", 25L));
        assertThat(seconds).isGreaterThanOrEqualTo(0.1);
        assertThat(latencies.meanMs()).isNotNegative();
    }
}
