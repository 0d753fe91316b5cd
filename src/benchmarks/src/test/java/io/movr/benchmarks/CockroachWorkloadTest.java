package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
        assertThat(CockroachWorkload.speed(output)).isEqualTo(new ReferenceRunner.Speed(665.5, 0.7, 15.2));
    }

    @Test
    void aPasswordIsInItsEnvironmentAndNotAmongItsArguments() {
        ExternalProgram program = new CockroachWorkload(Path.of("cockroach"), "ycsb", List.of("--workload=A"), true)
                .command(
                        "run",
                        new Gateway("jdbc:postgresql://h:1/a?user=me&password=s3cret&sslpassword=t0p"),
                        List.of());
        assertThat(program.words()).endsWith("--db=a", "postgresql://h:1/a?user=me");
        assertThat(program.environment()).containsExactly(Map.entry("PGPASSWORD", "s3cret"));
    }

    @Test
    void outputWithoutResultIsRefused() {
        assertThatThrownBy(() -> CockroachWorkload.speed("Error: dial tcp"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not say its result: Error: dial tcp");
    }
}
