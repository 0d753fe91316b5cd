package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.stats.ChangePoints.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangePointsTest {

    private final Random random = new Random(1);

    /** Each division may be a wrong one in 5% of cases, so a trial of three series is not always right. */
    @Test
    void changesAreFoundWhereTheyAreInNearlyAllTrials() {
        int one = 0;
        int two = 0;
        int none = 0;
        for (int trial = 0; trial < 20; trial++) {
            List<List<Change>> changes = ChangePoints.of(List.of(
                    series(20, index -> index < 12 ? 0 : 1),
                    series(30, index -> index < 10 ? 0 : index < 20 ? 1 : 0),
                    series(20, index -> 0)));
            one += indexes(changes.get(0)).equals(List.of(12)) ? 1 : 0;
            two += indexes(changes.get(1)).equals(List.of(10, 20)) ? 1 : 0;
            none += changes.get(2).isEmpty() ? 1 : 0;
        }
        assertThat(List.of(one, two, none))
                .allSatisfy(right -> assertThat(right).isGreaterThanOrEqualTo(16));
    }

    private static List<Integer> indexes(List<Change> changes) {
        return changes.stream().map(Change::index).toList();
    }

    @Test
    void whatDoesNotChangeIsHardlyEverSaidTo() {
        int found = 0;
        for (int number = 0; number < 100; number++) {
            found += ChangePoints.of(List.of(series(15, index -> 0))).get(0).isEmpty() ? 0 : 1;
        }
        assertThat(found).isLessThanOrEqualTo(10);
    }

    @Test
    void theMoreSeriesThereAreTheMoreAChangeMustShow() {
        double[] small = series(10, index -> index < 5 ? 0 : 1);
        assertThat(ChangePoints.of(List.of(small)).get(0)).isNotEmpty();
        List<double[]> many = new ArrayList<>(List.of(small));
        for (int other = 0; other < 40; other++) {
            many.add(new double[10]);
        }
        assertThat(ChangePoints.of(many))
                .allSatisfy(changes -> assertThat(changes).isEmpty());
    }

    @Test
    void fewOrEqualValuesShowNothing() {
        assertThat(ChangePoints.of(List.of(new double[] {1, 1, 1, 9, 9}, new double[10], new double[0])))
                .containsExactly(List.of(), List.of(), List.of());
    }

    private double[] series(int size, IntToDoubleFunction level) {
        return IntStream.range(0, size)
                .mapToDouble(index -> level.applyAsDouble(index) + 0.1 * random.nextGaussian())
                .toArray();
    }
}
