package io.movr.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The distribution of the median in a bootstrap of blocks, which draws as many blocks and as many samples of each block as there
 * are, both with replacement. It is computed instead of drawn: of a drawn block the samples up to a value are a mixture of
 * binomial distributions, of all of them the sum of as many such numbers, and the median is at most that value if they are at
 * least half of all. Of an even number of samples both middle ones are looked at, and their quantiles are averaged.
 */
final class ResampledMedian {

    /** Probabilities that no digit of a result depends on. */
    private static final double NEGLIGIBLE = 1e-18;

    private final double[] values;
    private final List<double[]> blocks;
    private final int most;
    private final int step;
    private final Map<Integer, Reached> known = new HashMap<>();

    /** The probabilities that the lower and the upper one of the middle samples are at most a value. */
    private record Reached(double lower, double upper) {}

    /** @param blocks at least one, none of them empty */
    ResampledMedian(List<double[]> blocks) {
        this.blocks = blocks.stream()
                .map(block -> DoubleStream.of(block).sorted().toArray())
                .toList();
        this.values = blocks.stream()
                .flatMapToDouble(Arrays::stream)
                .distinct()
                .sorted()
                .toArray();
        this.most = blocks.stream().mapToInt(block -> block.length).max().orElseThrow();
        boolean sameParity = blocks.stream().allMatch(block -> block.length % 2 == most % 2);
        this.step = sameParity ? 2 : 1;
    }

    /** Returns the value up to which the median lies with a probability between 0 and 1. */
    double quantile(double probability) {
        double lower = smallest(place -> reached(place).lower() >= probability);
        double upper = smallest(place -> reached(place).upper() >= probability);
        return (lower + upper) / 2;
    }

    private double smallest(IntPredicate enough) {
        int below = -1;
        int found = values.length - 1;
        while (found - below > 1) {
            int middle = (below + found) / 2;
            if (enough.test(middle)) {
                found = middle;
            } else {
                below = middle;
            }
        }
        return values[found];
    }

    private Reached reached(int place) {
        return known.computeIfAbsent(place, any -> reached(values[place]));
    }

    private Reached reached(double value) {
        double[] ofBlock = ofBlock(value);
        double[] sum = {1};
        int first = -blocks.size() * most;
        for (int block = 0; block < blocks.size(); block++) {
            sum = sumOf(sum, ofBlock);
            int from = 0;
            while (sum[from] < NEGLIGIBLE) {
                from++;
            }
            int to = sum.length;
            while (sum[to - 1] < NEGLIGIBLE) {
                to--;
            }
            sum = Arrays.copyOfRange(sum, from, to);
            first += step * from;
        }
        double lower = 0;
        double upper = 0;
        for (int index = 0; index < sum.length; index++) {
            int surplus = first + step * index;
            lower += surplus >= 0 ? sum[index] : 0;
            upper += surplus > 0 ? sum[index] : 0;
        }
        return new Reached(lower, upper);
    }

    /**
     * Returns the distribution of a drawn block's surplus, the samples up to a value less those above, from the least that
     * one can have.
     */
    private double[] ofBlock(double value) {
        double[] mixture = new double[2 * most / step + 1];
        for (double[] block : blocks) {
            int place = Arrays.binarySearch(block, value);
            int upTo = place < 0 ? -place - 1 : place + 1;
            while (upTo < block.length && block[upTo] == value) {
                upTo++;
            }
            BinomialDistribution drawn = BinomialDistribution.of(block.length, upTo / (double) block.length);
            for (int count = 0; count <= block.length; count++) {
                mixture[(2 * count - block.length + most) / step] += drawn.probability(count) / blocks.size();
            }
        }
        return mixture;
    }

    private static double[] sumOf(double[] one, double[] other) {
        double[] sum = new double[one.length + other.length - 1];
        for (int added = 0; added < other.length; added++) {
            if (other[added] > NEGLIGIBLE) {
                for (int index = 0; index < one.length; index++) {
                    sum[index + added] += one[index] * other[added];
                }
            }
        }
        return sum;
    }
}
