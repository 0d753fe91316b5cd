package io.movr.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.ArraySampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Where the distribution of a series changes: divisive estimation of change points by energy statistics (E-divisive; Matteson and
 * James 2014, "A nonparametric approach for multiple change point analysis of multivariate data", Journal of the American
 * Statistical Association 109), with distances to the power of one. A part is divided where the two sides differ most, if a
 * permutation test says that values in any other order would hardly divide as well; then each side is divided likewise.
 */
public final class ChangePoints {

    /** The fewest values between two changes. */
    public static final int LEAST_VALUES = 3;

    private static final int LEAST_PERMUTATIONS = 1_999;
    /** So that the smallest p-value that there can be is small for many series too. */
    private static final int PERMUTATIONS_OF_A_SERIES = 100;

    private static final long SEED = 1;
    private static final double ROUNDING = 1e-9;

    private final double[] values;
    private final int family;
    private final int permutations;
    private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);

    /** @param family number of series */
    private ChangePoints(double[] values, int family) {
        this.values = values;
        this.family = family;
        this.permutations = Math.max(LEAST_PERMUTATIONS, PERMUTATIONS_OF_A_SERIES * family - 1);
    }

    /**
     * A place where a part is divided.
     *
     * @param index of the first value after the change
     * @param pValue adjusted for the number of series
     */
    public record Change(int index, double pValue) {}

    /**
     * The changes of each of several series. The p-value of the first division of each is adjusted by {@link Holm} over the
     * series, that of each later one is multiplied by their number.
     *
     * @return a list for each series, its changes in the order of their places
     */
    public static List<List<Change>> of(List<double[]> series) {
        List<ChangePoints> all =
                series.stream().map(one -> new ChangePoints(one, series.size())).toList();
        List<Change> first =
                all.stream().map(one -> one.division(0, one.values.length)).toList();
        double[] adjusted =
                Holm.adjust(first.stream().mapToDouble(Change::pValue).toArray());
        List<List<Change>> changes = new ArrayList<>();
        for (int index = 0; index < all.size(); index++) {
            List<Change> found = new ArrayList<>();
            if (adjusted[index] < Comparison.ALPHA) {
                ChangePoints one = all.get(index);
                Change change = new Change(first.get(index).index(), adjusted[index]);
                found.add(change);
                one.divide(0, change.index(), found);
                one.divide(change.index(), one.values.length, found);
                found.sort(Comparator.comparing(Change::index));
            }
            changes.add(found);
        }
        return changes;
    }

    private void divide(int from, int to, List<Change> found) {
        Change change = division(from, to);
        double adjusted = Math.min(1, family * change.pValue());
        if (adjusted < Comparison.ALPHA) {
            found.add(new Change(change.index(), adjusted));
            divide(from, change.index(), found);
            divide(change.index(), to, found);
        }
    }

    /** The best division of a part, with a p-value of 1 if it has too few values for any. */
    private Change division(int from, int to) {
        if (to - from < 2 * LEAST_VALUES) {
            return new Change(from, 1);
        }
        double[] part = Arrays.copyOfRange(values, from, to);
        Division best = Division.of(part);
        int asGood = 0;
        for (int permutation = 0; permutation < permutations; permutation++) {
            ArraySampler.shuffle(random, part);
            // A permutation that is the same but for rounding is as good.
            if (Division.of(part).statistic() >= best.statistic() - ROUNDING * Math.abs(best.statistic())) {
                asGood++;
            }
        }
        return new Change(from + best.index(), (asGood + 1.0) / (permutations + 1));
    }

    /** Where two sides differ most, and by how much. */
    private record Division(int index, double statistic) {

        /**
         * Compares the values up to each place with those from there to each end: to the very end only, a value that goes up
         * and comes back would hide the change.
         */
        static Division of(double[] part) {
            double[][] sums = sums(part);
            Division best = new Division(0, Double.NEGATIVE_INFINITY);
            for (int place = LEAST_VALUES; place <= part.length - LEAST_VALUES; place++) {
                for (int end = place + LEAST_VALUES; end <= part.length; end++) {
                    double left = sums[place][place] / 2;
                    double right = (sums[end][end] - 2 * sums[place][end] + sums[place][place]) / 2;
                    double between = sums[place][end] - sums[place][place];
                    double before = place;
                    double after = end - place;
                    double energy = 2 * between / (before * after)
                            - left / (before * (before - 1) / 2)
                            - right / (after * (after - 1) / 2);
                    double statistic = before * after / (before + after) * energy;
                    if (statistic > best.statistic()) {
                        best = new Division(place, statistic);
                    }
                }
            }
            return best;
        }

        /** Sums of the distances between the first values of one number and the first of another. */
        private static double[][] sums(double[] part) {
            double[][] sums = new double[part.length + 1][part.length + 1];
            for (int one = 0; one < part.length; one++) {
                for (int other = 0; other < part.length; other++) {
                    sums[one + 1][other + 1] = sums[one][other + 1]
                            + sums[one + 1][other]
                            - sums[one][other]
                            + Math.abs(part[one] - part[other]);
                }
            }
            return sums;
        }
    }
}
