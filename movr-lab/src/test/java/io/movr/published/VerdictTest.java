package io.movr.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

    @ParameterizedTest
    @CsvSource({
        // measured, published, verdict
        "3.00, 3.11, REPRODUCED",
        "1.60, 3.11, DIRECTION_ONLY",
        "7.00, 3.11, DIRECTION_ONLY",
        "9.10, 18.15, REPRODUCED",
        "9.00, 18.15, DIRECTION_ONLY",
        "1.13, 1.25, REPRODUCED",
        "1.11, 1.25, DIRECTION_ONLY",
        "0.32, 3.11, NOT_REPRODUCED",
        "1.20, 0.80, NOT_REPRODUCED",
        "0.80, 0.80, REPRODUCED",
        "0.50, 0.80, DIRECTION_ONLY",
    })
    void aRealDifferenceIsJudgedByItsDirectionAndSize(double measured, double published, Verdict expected) {
        assertThat(Verdict.of(around(measured), true, 1.01, published).verdict())
                .isEqualTo(expected);
    }

    @Test
    void sidesThatWereSwappedAreNotReproduced() {
        Random random = new Random(3);
        double[] slow = lognormal(random, 3);
        double[] fast = lognormal(random, 1);
        Comparison swapped = Comparison.of(fast, slow, 1);
        boolean different = Comparison.isDifference(swapped.ratio(), swapped.pValue(), 1.05);
        assertThat(different).isTrue();
        assertThat(Verdict.of(swapped.ratio(), different, 1.05, 3.11).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Tag("full")
    @Test
    void identicalDistributionsShowNoDifference() {
        Random random = new Random(11);
        int called = 0;
        int trials = 200;
        for (int trial = 0; trial < trials; trial++) {
            double[] before = lognormal(random, 1);
            double[] control = lognormal(random, 1);
            double[] after = lognormal(random, 1);
            Comparison measured = Comparison.of(before, after, trial);
            double floor = Comparison.of(before, control, trial).ratio().noiseFloor();
            if (Comparison.isDifference(measured.ratio(), measured.pValue(), floor)) {
                called++;
            }
        }
        assertThat(called).as("false alarms in %s trials", trials).isLessThanOrEqualTo(trials / 50);
    }

    @Test
    void aDifferenceInsideTheNoiseIsNone() {
        Comparison measured = new Comparison(new Interval(1.04, 1.02, 1.06), 0, 1e-9);
        assertThat(Comparison.isDifference(measured.ratio(), measured.pValue(), 1.03))
                .isFalse();
        assertThat(Comparison.isDifference(measured.ratio(), measured.pValue(), 1.01))
                .isTrue();
        assertThat(Verdict.of(measured.ratio(), false, 1.03, 1.58).verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    }

    @Test
    void aRatioThatRanksDoNotSupportIsNone() {
        assertThat(Comparison.isDifference(new Interval(2, 1.5, 2.5), 0.2, 1.01))
                .isFalse();
    }

    @Test
    void theNoiseFloorCountsBothDirections() {
        assertThat(new Interval(1, 0.8, 1.1).noiseFloor()).isEqualTo(1.25);
        assertThat(new Interval(1, 0.95, 1.2).noiseFloor()).isEqualTo(1.2);
    }

    private static Interval around(double ratio) {
        return new Interval(ratio, ratio * 0.99, ratio * 1.01);
    }

    private static double[] lognormal(Random random, double median) {
        double[] samples = new double[40];
        for (int index = 0; index < samples.length; index++) {
            samples[index] = median * Math.exp(0.3 * random.nextGaussian());
        }
        return samples;
    }
}
