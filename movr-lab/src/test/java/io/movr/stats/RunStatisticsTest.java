package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.stats.RunStatistics.Pairing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStatisticsTest {

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
    void theIntervalIsStudentsOverTheLogarithmsOfTheRuns() {
        Interval mean = RunStatistics.mean(List.of(constant(100), constant(110), constant(121)), SEED);
        assertThat(mean.estimate()).isCloseTo(110, within(1e-9));
        // R: 110 * exp(c(-1, 1) * qt(0.975, 2) * sd(log(c(100, 110, 121))) / sqrt(3))
        assertThat(mean.low()).isCloseTo(86.81, within(0.01));
        assertThat(mean.high()).isCloseTo(139.38, within(0.01));
    }

    @Test
    void whatIsZeroInSomeRunHasAnIntervalAllTheSame() {
        Interval mean = RunStatistics.mean(List.of(constant(0), constant(2), constant(4)), SEED);
        assertThat(mean.estimate()).isEqualTo(2);
        assertThat(mean.low()).isZero();
        // R: 2 + qt(0.975, 2) * 2 / sqrt(3)
        assertThat(mean.high()).isCloseTo(6.968, within(0.001));
    }

    private static List<double[]> constant(double value) {
        return List.of(new double[] {value});
    }

    /** Runs and their true ratio, 1, are known, so how often the interval covers it can be counted. */
    @ParameterizedTest
    @CsvSource({"3, 0.2, 3, 0.2", "3, 0.2, 6, 0.2", "5, 0.2, 5, 0.2", "5, 0.1, 5, 0.3", "10, 0.2, 10, 0.2"})
    void intervalsCoverTheTruthAndTestsFindNothingAsOftenAsTheySay(
            int first, double spread, int second, double otherSpread) {
        Random random = new Random(first + 100L * second);
        int cases = 2_000;
        int covered = 0;
        int found = 0;
        for (int number = 0; number < cases; number++) {
            RunStatistics.Ratio ratio = RunStatistics.ratioOfQuantiles(
                    Pairing.NONE, runs(first, spread, random), runs(second, otherSpread, random), 0.99, SEED);
            covered += ratio.interval().contains(1) ? 1 : 0;
            found += Comparison.isDifference(ratio.interval(), ratio.pValue(), 1) ? 1 : 0;
        }
        assertThat(covered / (double) cases).isBetween(0.93, 0.98);
        assertThat(found / (double) cases).isBetween(0.02, 0.07);
    }

    /** 200 latencies a run, of an exponential distribution whose mean differs from run to run. */
    private static List<List<double[]>> runs(int count, double spread, Random random) {
        return IntStream.range(0, count)
                .mapToObj(run -> {
                    double mean = Math.exp(spread * random.nextGaussian());
                    return List.of(IntStream.range(0, 200)
                            .mapToDouble(sample -> -mean * Math.log(1 - random.nextDouble()))
                            .toArray());
                })
                .toList();
    }

    @Test
    void itIsNarrowWhereRunsAgree() {
        List<List<double[]>> runs = List.of(run(100, 1), run(100, 2), run(100, 3));
        Interval median = RunStatistics.quantiles(runs, MEDIAN, SEED).get(0);
        assertThat(median.low()).isBetween(99.0, 100.0);
        assertThat(median.high()).isBetween(100.0, 101.0);
    }

    @Test
    void twoRunsAreBothInEveryResample() {
        Interval mean = RunStatistics.mean(List.of(run(100, 1), run(300, 2)), SEED);
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
        Interval tail = RunStatistics.quantiles(List.of(seconds), new double[] {0.95}, SEED)
                .get(0);
        assertThat(tail.estimate()).isEqualTo(1_000);
        assertThat(tail.low()).isEqualTo(10);
    }

    @Test
    void aRatioHasTheFirstAbove() {
        List<List<double[]>> slow = List.of(run(200, 1), run(200, 2), run(200, 3));
        List<List<double[]>> fast = List.of(run(100, 4), run(100, 5), run(100, 6));
        for (RunStatistics.Ratio ratio : List.of(
                RunStatistics.ratioOfQuantiles(Pairing.NONE, slow, fast, 0.5, SEED),
                RunStatistics.ratioOfMeans(Pairing.NONE, slow, fast, SEED),
                RunStatistics.ratioOfQuantiles(Pairing.PAIRS, slow, fast, 0.5, SEED),
                RunStatistics.ratioOfMeans(Pairing.PAIRS, slow, fast, SEED))) {
            assertThat(ratio.interval().estimate()).isCloseTo(2, within(0.02));
            assertThat(ratio.interval().low()).isGreaterThan(1.95);
            assertThat(ratio.interval().high()).isLessThan(2.05);
            assertThat(ratio.pValue()).isLessThan(0.001);
        }
    }

    @Test
    void theIntervalOfPairsIsStudentsOverTheLogarithmsOfTheirRatios() {
        RunStatistics.Ratio ratio = RunStatistics.ratioOfMeans(
                Pairing.PAIRS,
                List.of(constant(200), constant(330), constant(520)),
                List.of(constant(100), constant(150), constant(200)),
                SEED);
        // R: t.test(log(c(2, 2.2, 2.6)))
        assertThat(ratio.interval().estimate()).isCloseTo(2.2532, within(1e-4));
        assertThat(ratio.interval().low()).isCloseTo(1.620, within(1e-3));
        assertThat(ratio.interval().high()).isCloseTo(3.134, within(1e-3));
        assertThat(ratio.pValue()).isCloseTo(0.00879, within(1e-5));
    }

    /** What both runs of a pair saw, and a test of independent runs would take for noise. */
    @Test
    void whatTheRunsOfAPairHaveInCommonIsNoNoise() {
        List<List<double[]>> first = List.of(constant(110), constant(220), constant(441), constant(879));
        List<List<double[]>> second = List.of(constant(100), constant(200), constant(400), constant(800));
        assertThat(RunStatistics.ratioOfMeans(Pairing.PAIRS, first, second, SEED)
                        .pValue())
                .isLessThan(0.001);
        assertThat(RunStatistics.ratioOfMeans(Pairing.NONE, first, second, SEED).pValue())
                .isGreaterThan(0.8);
    }

    @ParameterizedTest
    @CsvSource({"3, 0.2, 0.2", "6, 0.2, 0.2", "6, 0.1, 0.3", "10, 0.2, 0.2"})
    void pairsCoverTheTruthAndFindNothingAsOftenAsTheySay(int pairs, double spread, double otherSpread) {
        Random random = new Random(pairs);
        int cases = 2_000;
        int covered = 0;
        int found = 0;
        for (int number = 0; number < cases; number++) {
            RunStatistics.Ratio ratio = RunStatistics.ratioOfQuantiles(
                    Pairing.PAIRS, runs(pairs, spread, random), runs(pairs, otherSpread, random), 0.99, SEED);
            covered += ratio.interval().contains(1) ? 1 : 0;
            found += Comparison.isDifference(ratio.interval(), ratio.pValue(), 1) ? 1 : 0;
        }
        assertThat(covered / (double) cases).isBetween(0.93, 0.98);
        assertThat(found / (double) cases).isBetween(0.02, 0.07);
    }

    @Test
    void aRunWithoutACounterpartIsNoPair() {
        List<List<double[]>> three = List.of(constant(1), constant(1), constant(1));
        for (List<List<double[]>> other :
                List.of(three.subList(0, 2), List.of(constant(1), constant(1), List.<double[]>of()))) {
            assertThatThrownBy(() -> RunStatistics.ratioOfMeans(Pairing.PAIRS, three, other, SEED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A run has no counterpart, or no sample");
        }
    }

    @Test
    void ofTooFewRunsNothingIsToldApart() {
        RunStatistics.Ratio ratio = RunStatistics.ratioOfMeans(
                Pairing.NONE, List.of(run(200, 1), run(200, 2)), List.of(run(100, 3), run(100, 4), run(100, 5)), SEED);
        assertThat(ratio.interval().estimate()).isCloseTo(2, within(0.02));
        assertThat(ratio.pValue()).isEqualTo(1);
    }

    @Test
    void anEmptyRunIsNoRun() {
        List<List<double[]>> runs = List.of(run(100, 1), List.of(), List.of(new double[0]));
        assertThat(RunStatistics.quantiles(runs, MEDIAN, SEED))
                .isEqualTo(RunStatistics.quantiles(List.of(run(100, 1)), MEDIAN, SEED));
        assertThatThrownBy(() -> RunStatistics.mean(List.of(List.of()), SEED)).hasMessage("No samples to sum up");
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        List<List<double[]>> runs = List.of(run(100, 1), run(120, 2));
        assertThat(RunStatistics.mean(runs, 7)).isEqualTo(RunStatistics.mean(runs, 7));
        assertThat(RunStatistics.mean(runs, 7)).isNotEqualTo(RunStatistics.mean(runs, 8));
    }
}
