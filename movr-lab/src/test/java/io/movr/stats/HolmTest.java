package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HolmTest {

    @Test
    void theExampleOfTheMethodsEncyclopediaArticleIsReproduced() {
        // https://en.wikipedia.org/wiki/Holm–Bonferroni_method, example: of four hypotheses the fourth and first fall.
        double[] adjusted = Holm.adjust(new double[] {0.01, 0.04, 0.03, 0.005});
        assertThat(adjusted).containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
    }

    @Test
    void anAdjustedValueIsTheLargestOfBonferronisOverAllFamiliesThatItBelongsTo() {
        // Holm's method is the closure of Bonferroni's (Marcus, Peritz and Gabriel 1976): so this is its definition.
        Random random = new Random(5);
        for (int trial = 0; trial < 50; trial++) {
            double[] pValues = random.doubles(1 + trial % 8, 0, 0.2).toArray();
            if (pValues.length > 2) {
                pValues[1] = pValues[0];
            }
            assertThat(Holm.adjust(pValues)).containsExactly(closure(pValues), within(1e-12));
        }
    }

    @Test
    void noFamilyIsNoTrouble() {
        assertThat(Holm.adjust(new double[0])).isEmpty();
    }

    private static double[] closure(double[] pValues) {
        double[] adjusted = new double[pValues.length];
        for (int family = 1; family < 1 << pValues.length; family++) {
            double least = 1;
            for (int index = 0; index < pValues.length; index++) {
                if ((family >> index & 1) == 1) {
                    least = Math.min(least, pValues[index]);
                }
            }
            double ofFamily = Math.min(1, Integer.bitCount(family) * least);
            for (int index = 0; index < pValues.length; index++) {
                if ((family >> index & 1) == 1) {
                    adjusted[index] = Math.max(adjusted[index], ofFamily);
                }
            }
        }
        return adjusted;
    }
}
