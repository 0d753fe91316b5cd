package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

    @Test
    void theMannWhitneyTestAgreesWithScipy() {
        // scipy.stats.mannwhitneyu(a, b, alternative='two-sided', method='exact').pvalue
        double[] a = {1.1, 2.3, 2.9, 3.7, 4.2, 5.8, 6.1};
        double[] b = {3.1, 4.9, 5.2, 6.6, 7.3, 8.8, 9.4};
        assertThat(Comparison.of(a, b, 1).pValue()).isCloseTo(0.03787878787878788, within(1e-12));
    }

    @Test
    void theMannWhitneyTestAgreesWithItsPublishedExample() {
        // The ages of diabetics by sex in SciPy's documentation of mannwhitneyu, after Moore and McCabe: U 17, p 1/9.
        double[] males = {19, 22, 16, 29, 24};
        double[] females = {20, 11, 17, 12};
        Comparison found = Comparison.of(males, females, 1);
        assertThat(found.u()).isEqualTo(17);
        assertThat(found.pValue()).isCloseTo(1 / 9.0, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "7, 12", "20, 31"})
    void intervalsAreThoseOfResamplesThatAreDrawnOneByOne(int first, int second) {
        Random random = new Random(5);
        double[] one = lognormal(random, first, 2);
        double[] other = lognormal(random, second, 1);
        Interval interval = Comparison.of(one, other, 3).ratio();
        assertThatIs(interval, () -> median(drawn(one, random)) / median(drawn(other, random)), 0.025);

        // The interval of eight blocks is expanded: Student's t with 7 degrees of freedom instead of the normal
        // distribution.
        List<double[]> blocks = IntStream.range(0, 8)
                .mapToObj(block -> lognormal(random, block % 2 == 0 ? first : second, 1 + 0.1 * block))
                .toList();
        Interval ofBlocks = Comparison.median(blocks);
        double tail = NormalDistribution.of(0, 1).cumulativeProbability(-Math.sqrt(8 / 7.0) * 2.36462425);
        assertThatIs(
                ofBlocks,
                () -> median(IntStream.range(0, 8)
                        .mapToObj(block -> drawn(blocks.get(random.nextInt(8)), random))
                        .flatMapToDouble(Arrays::stream)
                        .toArray()),
                tail);
    }

    /** Its ends lie where the resamples put them, within what 10,000 of them leave open. */
    private static void assertThatIs(Interval interval, DoubleSupplier resample, double tail) {
        double[] values = DoubleStream.generate(resample).limit(40_000).sorted().toArray();
        double open = 5 * Math.sqrt(tail / Comparison.RESAMPLES);
        assertThat(interval.low()).isBetween(at(values, tail - open), at(values, tail + open));
        assertThat(interval.high()).isBetween(at(values, 1 - tail - open), at(values, 1 - tail + open));
    }

    private static double at(double[] sorted, double part) {
        return sorted[(int) Math.round(Math.min(Math.max(part, 0), 1) * (sorted.length - 1))];
    }

    private static double[] drawn(double[] from, Random random) {
        return random.ints(from.length, 0, from.length)
                .mapToDouble(index -> from[index])
                .toArray();
    }

    private static double median(double[] samples) {
        return Summary.of(samples).median();
    }

    @Tag("full")
    @Test
    void theIntervalOfARatioCoversTheTruthAboutNinetyFiveTimesInAHundred() {
        Random random = new Random(7);
        int covered = 0;
        int trials = 300;
        for (int trial = 0; trial < trials; trial++) {
            double[] before = lognormal(random, 60, 2.0);
            double[] after = lognormal(random, 60, 1.0);
            if (Comparison.of(before, after, trial).ratio().contains(2.0)) {
                covered++;
            }
        }
        assertThat(covered / (double) trials).isBetween(0.92, 0.99);
    }

    @Tag("full")
    @Test
    void forksCoverTheTruthThoughNoTwoSidesShareThem() {
        Random random = new Random(23);
        int covered = 0;
        int medianCovered = 0;
        int coveredAsIfAlone = 0;
        int trials = 120;
        for (int trial = 0; trial < trials; trial++) {
            List<double[]> before = forks(random, 5, 2.0);
            List<double[]> after = forks(random, 8, 1.0);
            covered += Comparison.ofForks(before, after, trial).ratio().contains(2.0) ? 1 : 0;
            medianCovered += Comparison.median(before).contains(2.0) ? 1 : 0;
            coveredAsIfAlone +=
                    Comparison.of(joined(before), joined(after), trial).ratio().contains(2.0) ? 1 : 0;
        }
        assertThat(covered / (double) trials).isBetween(0.88, 0.99);
        assertThat(medianCovered / (double) trials).isBetween(0.86, 0.99);
        assertThat(coveredAsIfAlone / (double) trials)
                .as("what is to be avoided")
                .isLessThan(0.75);
    }

    @Test
    void oneForkIsComparedByItsIterations() {
        double[] before = lognormal(new Random(3), 20, 2);
        double[] after = lognormal(new Random(4), 20, 1);
        Interval ratio = Comparison.ofForks(List.of(before), List.of(after), 1).ratio();
        assertThat(ratio.low()).isBetween(1.2, ratio.estimate());
        assertThat(ratio.high()).isBetween(ratio.estimate(), 3.0);
        assertThat(Comparison.forksPValue(List.of(before), List.of(after, after)))
                .isEmpty();
    }

    @Test
    void theRatioOfForksIsWelchsOverTheLogarithmsOfTheirMedians() {
        Interval ratio = Comparison.ofForks(
                        List.of(new double[] {200}, new double[] {220, 220, 220}, new double[] {230}),
                        List.of(new double[] {100}, new double[] {105}),
                        1)
                .ratio();
        // scipy.stats.ttest_ind(log([200, 220, 230]), log([100, 105]), equal_var=False).confidence_interval(),
        // exponentiated
        assertThat(ratio.estimate()).isCloseTo(Math.cbrt(200.0 * 220 * 230) / Math.sqrt(100.0 * 105), within(1e-9));
        assertThat(ratio.low()).isCloseTo(1.8085, within(1e-4));
        assertThat(ratio.high()).isCloseTo(2.4638, within(1e-4));
    }

    @Test
    void forksThatAllAgreeTellTheirMediansApart() {
        List<double[]> two = List.of(new double[] {2, 2}, new double[] {2, 2});
        List<double[]> three = List.of(new double[] {3, 3}, new double[] {3, 3});
        assertThat(Comparison.forksPValue(two, two)).hasValue(1);
        assertThat(Comparison.forksPValue(two, three)).hasValue(0);
    }

    @Test
    void forksThatLieApartKeepTheirMediansTogether() {
        List<double[]> first = List.of(new double[] {1, 1.01, 1.02}, new double[] {1.5, 1.51, 1.52});
        List<double[]> second = List.of(new double[] {1.1, 1.11, 1.12}, new double[] {1.6, 1.61, 1.62});
        assertThat(Comparison.forksPValue(first, second).orElseThrow()).isGreaterThan(0.5);
    }

    private static List<double[]> forks(Random random, int number, double median) {
        List<double[]> forks = new ArrayList<>();
        for (int fork = 0; fork < number; fork++) {
            forks.add(lognormal(random, 10, median * Math.exp(0.3 * random.nextGaussian())));
        }
        return forks;
    }

    private static double[] joined(List<double[]> blocks) {
        return blocks.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        double[] before = lognormal(new Random(1), 50, 2);
        double[] after = lognormal(new Random(2), 50, 1);
        assertThat(Comparison.of(before, after, 5)).isEqualTo(Comparison.of(before, after, 5));
    }

    @Test
    void aSummaryHoldsTheQuantilesOfItsSamples() {
        double[] samples = new double[101];
        for (int index = 0; index <= 100; index++) {
            samples[100 - index] = index;
        }
        Summary summary = Summary.of(samples);
        assertThat(summary.n()).isEqualTo(101);
        assertThat(summary.median()).isEqualTo(50);
        assertThat(summary.mean()).isEqualTo(50);
        assertThat(summary.min()).isZero();
        assertThat(summary.max()).isEqualTo(100);
        assertThat(summary.p95()).isCloseTo(95, within(1.0));
        assertThat(summary.p99()).isCloseTo(99, within(1.0));
        assertThat(samples[0]).as("samples keep their order").isEqualTo(100);
    }

    @Test
    void aSummaryOfManySamplesHasTheirMinimumAndMaximum() {
        double[] samples = lognormal(new Random(1), 10_000, 1);
        samples[5_000] = 1e6;
        samples[7_000] = 1e-6;
        assertThat(Summary.of(samples).max()).isEqualTo(1e6);
        assertThat(Summary.of(samples).min()).isEqualTo(1e-6);
    }

    static double[] lognormal(Random random, int n, double median) {
        double[] samples = new double[n];
        for (int index = 0; index < n; index++) {
            samples[index] = median * Math.exp(0.3 * random.nextGaussian());
        }
        return samples;
    }
}
