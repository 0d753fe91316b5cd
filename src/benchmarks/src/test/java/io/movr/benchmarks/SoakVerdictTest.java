package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.benchmarks.SoakVerdict.Window;
import io.movr.sender.Latencies;
import io.movr.traffic.TrafficPlan.Objective;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SoakVerdictTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long MEBIBYTE = 1_048_576;
    private static final int WINDOWS = 30;

    /**
     * A run of thirty minutes.
     *
     * @param slowMicros the latency of the slowest tenth of the requests, by minute
     * @param heapBytes the live heap, by minute
     * @param failed the minute in which a request fails, -1 for none
     */
    private static SoakVerdict verdict(
            IntUnaryOperator slowMicros,
            IntToLongFunction heapBytes,
            @Nullable IntToLongFunction resident,
            int failed) {
        List<Latencies> latencies = new ArrayList<>();
        List<Window> windows = new ArrayList<>();
        for (int minute = 0; minute < WINDOWS; minute++) {
            Latencies latency = new Latencies(3);
            for (int request = 0; request < 1_000; request++) {
                latency.add(1_000L * (request % 10 == 0 ? slowMicros.applyAsInt(minute) : 1_000), "");
            }
            if (minute == failed) {
                latency.add(5, "Answered 503");
            }
            latencies.add(latency);
            ServiceGauges gauges = new ServiceGauges(
                    heapBytes.applyAsLong(minute), resident == null ? null : resident.applyAsLong(minute), 40, 90);
            windows.add(Window.of(minute, MINUTE, latency, gauges));
        }
        return SoakVerdict.of(windows, latencies, MINUTE, 5);
    }

    private static SoakVerdict steadyBut(int failed) {
        return verdict(minute -> 5_000 + minute, minute -> 40 * MEBIBYTE, minute -> 400 * MEBIBYTE, failed);
    }

    @Test
    void aSteadyLoadIsHeld() {
        SoakVerdict verdict = steadyBut(-1);
        assertThat(verdict.reasons()).isEmpty();
        assertThat(verdict.held()).isTrue();
        assertThat(verdict.first().perSecond()).isEqualTo(5_000 / 300.0);
        assertThat(verdict.first().p50Ms()).isBetween(0.99, 1.01);
        assertThat(verdict.last().p99Ms()).isBetween(5.0, 5.1);
    }

    @Test
    void oneFailedRequestInTheMiddleIsEnough() {
        assertThat(steadyBut(15).reasons()).containsExactly("1 requests failed (Answered 503)");
        assertThat(steadyBut(0).first().maxMs()).isInfinite();
    }

    @Test
    void aSlowerOrFasterEndIsToldWithItsFigures() {
        for (int micros : new int[] {6_200, 3_800}) {
            SoakVerdict verdict = verdict(
                    minute -> minute < 25 ? 5_000 : micros, minute -> 40 * MEBIBYTE, minute -> 400 * MEBIBYTE, -1);
            assertThat(verdict.reasons()).hasSize(1).first().asString().contains("p99 went from 5.0");
        }
        assertThat(verdict(minute -> minute < 25 ? 5_000 : 5_900, minute -> MEBIBYTE, minute -> MEBIBYTE, -1)
                        .held())
                .isTrue();
    }

    @Test
    void memoryThatGrowsIsToldAndAPeakInBetweenIsNot() {
        assertThat(verdict(minute -> 5_000, minute -> (40 + minute) * MEBIBYTE, null, -1)
                        .reasons())
                .containsExactly("the live heap grew from 42 to 67 MiB (+60%), more than 10%");
        assertThat(verdict(minute -> 5_000, minute -> MEBIBYTE, minute -> (400 + 3 * minute) * MEBIBYTE, -1)
                        .reasons())
                .containsExactly("the resident set grew from 406 to 481 MiB (+18%), more than 10%");
        assertThat(verdict(
                                minute -> 5_000,
                                minute -> (minute == 15 ? 100 : 40) * MEBIBYTE,
                                minute -> (400 - minute) * MEBIBYTE,
                                -1)
                        .held())
                .isTrue();
    }

    @Test
    void windowsAndComparedPartsFollowTheLength() {
        assertThat(plan(Duration.ofMinutes(30))).containsExactly(60_000, 30, 5);
        assertThat(plan(Duration.ofHours(2))).containsExactly(60_000, 120, 5);
        assertThat(plan(Duration.ofMinutes(3))).containsExactly(6_000, 30, 5);
        assertThat(plan(Duration.ofSeconds(30))).containsExactly(5_000, 6, 1);
    }

    private static List<Integer> plan(Duration length) {
        SoakTest.Plan plan = new SoakTest.Plan(null, Objective.named("p99=50ms"), length, MINUTE, 8);
        return List.of((int) plan.window().toMillis(), plan.windows(), plan.compared());
    }
}
