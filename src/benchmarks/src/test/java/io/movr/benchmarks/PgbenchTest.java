package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgbenchTest {

    private static final String PRINTED = """
            pgbench (15.14 (Debian 15.14-0+deb12u1))
            transaction type: multiple scripts
            duration: 1 s
            number of transactions actually processed: 30
            number of failed transactions: 1 (3.226%)
            latency average = 2.1 ms
            initial connection time = 3.000 ms
            tps = 20.000000 (without initial connection time)
            """;

    @Test
    void aRunTellsHowLongItReallyTookAndWhatFailed() {
        Pgbench.Result result =
                Pgbench.Result.of(PRINTED, List.of("0 1 1500 0 1763900000 1 0", "1 1 failed 0 1763900000 2 0", ""));
        assertThat(result.perSecond()).isEqualTo(20);
        assertThat(result.seconds()).isEqualTo(1.5);
        assertThat(result.latencies().errors()).isEqualTo(1);
        assertThat(result.latencies().answered()).isEqualTo(1);
    }

    @Test
    void aRunWithoutATransactionIsNone() {
        assertThatThrownBy(() -> Pgbench.Result.of(
                        "number of transactions actually processed: 0\ntps = 0.000000 (without)", List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("pgbench did not finish a single transaction");
    }
}
