package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficPlan.Objective;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrafficPlanTest {

    private static TrafficPlan plan(int seconds) {
        return new TrafficPlan(
                Stage.UNUSED_INDEX_DROPPED,
                Stage.REGIONAL_BY_ROW,
                "movr",
                30,
                Duration.ofSeconds(5),
                Duration.ofSeconds(seconds),
                3,
                0.05,
                false,
                10,
                Duration.ofSeconds(10),
                null,
                null,
                null);
    }

    @Test
    void anObjectiveIsReadAsItIsWritten() {
        assertThat(Objective.named("p99=200ms")).isEqualTo(new Objective(0.99, 200));
        assertThat(Objective.named("p99.9=1.5ms"))
                .isEqualTo(new Objective(0.999, 1.5))
                .hasToString("p99.9=1.5ms");
        for (String wrong : new String[] {"p100=5ms", "p0=5ms", "p99=200", "99=200ms", "p99=0ms", ""}) {
            assertThatThrownBy(() -> Objective.named(wrong))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is no objective: write it like --slo p99=200ms");
        }
    }

    @Test
    void aRateWithTooFewRequestsForAQuantileIsNotTried() {
        assertThat(plan(20).minRate(0.99)).isEqualTo(5);
        assertThat(plan(20).minRate(0.5)).isEqualTo(1);
        assertThat(plan(10).minRate(0.999)).isEqualTo(100);
    }
}
