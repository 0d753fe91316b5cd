package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunBootstrapTest {

    private static final long SEED = 1;
    private static final double[] MEDIAN = {0.5};

    /** Seconds whose samples lie around a level. */
    private static List<double[]> run(double level, long seed) {
        Random random = new Random(seed);
        List<double[]> seconds = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            double[] samples = new double[30];
            Arrays.setAll(samples, sample -> level * (1 + 0.02 * random.nextGaussian()));
            seconds.add(samples);
        }
        return seconds;
    }

    @Test
    void theIntervalCoversTheRunsThatDiffer() {
        List<List<double[]>> runs = List.of(run(100, 1), run(200, 2), run(300, 3));
        Interval median = RunBootstrap.quantiles(runs, MEDIAN, SEED).get(0);
        assertThat(median.estimate()).isCloseTo(200, within(5.0));
        // Pooled seconds would stay near 200: with 60 of them hardly a resample leaves the middle run.
        assertThat(median.low()).isLessThan(110);
        assertThat(median.high()).isGreaterThan(290);
    }

    @Test
    void itIsNarrowWhereRunsAgree() {
        List<List<double[]>> runs = List.of(run(100, 1), run(100, 2), run(100, 3));
        Interval median = RunBootstrap.quantiles(runs, MEDIAN, SEED).get(0);
        assertThat(median.low()).isBetween(99.0, 100.0);
        assertThat(median.high()).isBetween(100.0, 101.0);
    }

    @Test
    void twoRunsAreBothInEveryResample() {
        Interval mean = RunBootstrap.mean(List.of(run(100, 1), run(300, 2)), SEED);
        assertThat(mean.estimate()).isCloseTo(200, within(1.0));
        assertThat(mean.low()).isGreaterThan(195);
        assertThat(mean.high()).isLessThan(205);
    }

    @Test
    void whatHappenedInOneSecondStaysTogether() {
        // One second of ten is slow as a whole: how many of ten drawn seconds are it decides the tail.
        List<double[]> seconds = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            double[] samples = new double[100];
            Arrays.fill(samples, second == 0 ? 1_000 : 10);
            seconds.add(samples);
        }
        Interval tail = RunBootstrap.quantiles(List.of(seconds), new double[] {0.95}, SEED)
                .get(0);
        assertThat(tail.estimate()).isEqualTo(1_000);
        assertThat(tail.low()).isEqualTo(10);
    }

    @Test
    void aRatioHasTheFirstAbove() {
        List<List<double[]>> slow = List.of(run(200, 1), run(200, 2), run(200, 3));
        List<List<double[]>> fast = List.of(run(100, 4), run(100, 5), run(100, 6));
        for (Interval ratio : List.of(
                RunBootstrap.ratioOfQuantiles(slow, fast, 0.5, SEED), RunBootstrap.ratioOfMeans(slow, fast, SEED))) {
            assertThat(ratio.estimate()).isCloseTo(2, within(0.02));
            assertThat(ratio.low()).isGreaterThan(1.95);
            assertThat(ratio.high()).isLessThan(2.05);
        }
    }

    @Test
    void anEmptyRunIsNoRun() {
        List<List<double[]>> runs = List.of(run(100, 1), List.of(), List.of(new double[0]));
        assertThat(RunBootstrap.quantiles(runs, MEDIAN, SEED))
                .isEqualTo(RunBootstrap.quantiles(List.of(run(100, 1)), MEDIAN, SEED));
        assertThatThrownBy(() -> RunBootstrap.mean(List.of(List.of()), SEED)).hasMessage("No samples to sum up");
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        List<List<double[]>> runs = List.of(run(100, 1), run(120, 2), run(90, 3));
        assertThat(RunBootstrap.mean(runs, 7)).isEqualTo(RunBootstrap.mean(runs, 7));
        assertThat(RunBootstrap.mean(runs, 7)).isNotEqualTo(RunBootstrap.mean(runs, 8));
    }
}
