package io.movr.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import org.junit.jupiter.api.Test;

class CockroachWorkloadTest {

    @Test
    void theResultIsTheLastLineOfItsOutput() {
        // As v26.1 prints it.
        String output = """
                _elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__total
                    5.0s        0            167           33.4     13.3     14.2     19.9     25.2     31.5  updateActiveRides

                _elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__result
                    5.0s        0           3328          665.5      1.5      0.7      6.6     15.2     31.5
                """;
        assertThat(CockroachWorkload.speed(output)).isEqualTo(new Rival.Speed(665.5, 0.7, 15.2));
    }

    @Test
    void outputWithoutResultIsRefused() {
        assertThatThrownBy(() -> CockroachWorkload.speed("Error: dial tcp"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not say its result: Error: dial tcp");
    }
}
