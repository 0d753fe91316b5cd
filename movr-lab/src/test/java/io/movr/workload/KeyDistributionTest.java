package io.movr.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.UserError;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class KeyDistributionTest {

    private static final int DRAWS = 1_000_000;
    private static final double LEAST_P = 1e-4;

    @Test
    void ranksFollowTheProbabilitiesOfTheGenerator() {
        int items = 100;
        Zipfian zipfian = new Zipfian(items, Zipfian.THETA);
        SplittableRandom random = new SplittableRandom(7);
        long[] counts = new long[items];
        for (int draw = 0; draw < DRAWS; draw++) {
            counts[(int) zipfian.next(random)]++;
        }
        double[] expected = approximation(items);
        assertThat(ChiSquareTest.withDefaults().test(expected, counts).getPValue())
                .isGreaterThan(LEAST_P);
    }

    @Test
    void theApproximationIsNearTheLawItself() {
        int items = 1_000;
        double[] drawn = approximation(items);
        double zeta = 0;
        for (int item = 1; item <= items; item++) {
            zeta += Math.pow(item, -Zipfian.THETA);
        }
        double apart = 0;
        for (int rank = 0; rank < items; rank++) {
            apart += Math.abs(drawn[rank] - Math.pow(rank + 1, -Zipfian.THETA) / zeta) / 2;
        }
        // The first two ranks are exact; all others together are off by a few in a hundred.
        assertThat(drawn[0]).isCloseTo(1 / zeta, within(1e-9));
        assertThat(drawn[1]).isCloseTo(Math.pow(2, -Zipfian.THETA) / zeta, within(1e-9));
        assertThat(apart).isLessThan(0.05);
    }

    /** The probability of each rank by the published formula, solved for the random number at which it changes. */
    private static double[] approximation(int items) {
        double theta = Zipfian.THETA;
        double zeta = 0;
        for (int item = 1; item <= items; item++) {
            zeta += Math.pow(item, -theta);
        }
        double two = 1 + Math.pow(2, -theta);
        double eta = (1 - Math.pow(2.0 / items, 1 - theta)) / (1 - two / zeta);
        double[] probabilities = new double[items];
        probabilities[0] = 1 / zeta;
        probabilities[1] = Math.pow(2, -theta) / zeta;
        double from = two / zeta;
        for (int rank = 2; rank < items; rank++) {
            double to = Math.min(1, (Math.pow((rank + 1.0) / items, 1 - theta) - 1) / eta + 1);
            probabilities[rank] = Math.max(0, to - from);
            from = Math.max(from, to);
        }
        return probabilities;
    }

    @Test
    void itGrowsIntoTheGeneratorOfMoreItems() {
        Zipfian grown = new Zipfian(10, Zipfian.THETA);
        grown.grow(5_000);
        Zipfian made = new Zipfian(5_000, Zipfian.THETA);
        SplittableRandom one = new SplittableRandom(3);
        SplittableRandom other = new SplittableRandom(3);
        for (int draw = 0; draw < 10_000; draw++) {
            assertThat(grown.next(one)).isEqualTo(made.next(other));
        }
    }

    @Test
    void theLatestRowsAreReadMostAndTheNewestMostOfAll() {
        int rows = 1_000;
        long[] counts = draw(KeyDistribution.LATEST, rows, DRAWS);
        double[] expected = approximation(rows);
        assertThat(counts[rows - 1] / (double) DRAWS).isCloseTo(expected[0], within(0.005));
        assertThat(counts[rows - 2] / (double) DRAWS).isCloseTo(expected[1], within(0.005));
        long older = 0;
        for (int row = 0; row < rows / 2; row++) {
            older += counts[row];
        }
        assertThat(older).isLessThan(DRAWS / 4);
    }

    @Test
    void theLatestRowIsTheOneThatWasJustInserted() {
        KeyDistribution.Generator latest =
                KeyDistribution.LATEST.generators(100).get();
        SplittableRandom random = new SplittableRandom(1);
        long newest = 0;
        for (int draw = 0; draw < 10_000; draw++) {
            long row = latest.next(random, 200);
            assertThat(row).isBetween(0L, 199L);
            newest += row == 199 ? 1 : 0;
        }
        assertThat(newest).isGreaterThan(1_000);
    }

    @Test
    void uniformRequestsGoToEveryRowAlike() {
        long[] counts = draw(KeyDistribution.UNIFORM, 100, DRAWS);
        assertThat(ChiSquareTest.withDefaults().test(counts).getPValue()).isGreaterThan(LEAST_P);
    }

    @Test
    void popularRowsLieAllOverTheTable() {
        int rows = 10_000;
        long[] counts = draw(KeyDistribution.ZIPFIAN, rows, DRAWS);
        int favourite = (int) (KeyDistribution.hash(0) % rows);
        // One over the sum of all 1 / i^0.99 up to ten thousand million.
        assertThat(counts[favourite] / (double) DRAWS).isCloseTo(1 / 26.469, within(0.002));
        long[] tenths = new long[10];
        int touched = 0;
        for (int row = 0; row < rows; row++) {
            tenths[row * 10 / rows] += counts[row];
            touched += counts[row] > 0 ? 1 : 0;
        }
        assertThat(touched).isEqualTo(rows);
        assertThat(Arrays.stream(tenths).min().orElseThrow()).isGreaterThan(DRAWS / 20);
    }

    @Test
    void hashesAreThoseOfYcsb() {
        // The FNV-1a hash of eight zero bytes is 0xA8C7F832281A39C5, a negative number as Java has it.
        assertThat(KeyDistribution.hash(0)).isEqualTo(-0xA8C7F832281A39C5L);
        assertThat(Ycsb.key(0)).isEqualTo("user6284781860667377211");
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        assertThatThrownBy(() -> KeyDistribution.named("pareto"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("choose zipfian, uniform, latest");
    }

    private static long[] draw(KeyDistribution distribution, int rows, int draws) {
        KeyDistribution.Generator generator = distribution.generators(rows).get();
        SplittableRandom random = new SplittableRandom(11);
        long[] counts = new long[rows];
        for (int draw = 0; draw < draws; draw++) {
            counts[(int) generator.next(random, rows)]++;
        }
        return counts;
    }
}
