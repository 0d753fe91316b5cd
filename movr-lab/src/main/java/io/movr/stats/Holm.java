package io.movr.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's step-down adjustment (Holm 1979): among many comparisons of which none is a difference, the chance that any
 * adjusted p-value falls below a level is at most that level, however the comparisons depend on each other.
 */
public final class Holm {

    private Holm() {}

    /**
     * Adjusts the p-values of one family.
     *
     * @return the adjusted ones, at most 1, in the order of those given
     */
    public static double[] adjust(double[] pValues) {
        int[] order = IntStream.range(0, pValues.length)
                .boxed()
                .sorted(Comparator.comparingDouble(index -> pValues[index]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[pValues.length];
        double least = 0;
        for (int rank = 0; rank < order.length; rank++) {
            least = Math.max(least, Math.min(1, (order.length - rank) * pValues[order[rank]]));
            adjusted[order[rank]] = least;
        }
        return adjusted;
    }
}
