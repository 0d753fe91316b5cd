package io.movr.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The frequency of each value, in which JMH keeps the samples of its sample mode. */
final class Histogram {

    private static final int MAX_BINS = 80;
    private static final List<String> PROBABILITIES = List.of("0.5", "0.9", "0.95", "0.99", "0.999", "1");

    private final NavigableMap<Double, Long> counts = new TreeMap<>();
    private long total;

    void add(double value, long count) {
        counts.merge(value, count, Long::sum);
        total += count;
    }

    void add(Histogram other) {
        other.counts.forEach(this::add);
    }

    boolean isEmpty() {
        return total == 0;
    }

    double least() {
        return counts.firstKey();
    }

    double greatest() {
        return counts.lastKey();
    }

    double mean() {
        double sum = 0;
        for (Map.Entry<Double, Long> entry : counts.entrySet()) {
            sum += entry.getKey() * entry.getValue();
        }
        return sum / total;
    }

    /** Returns the middle sample, or the mean of the two in the middle. */
    double median() {
        return (ofRank((total + 1) / 2) + ofRank(total / 2 + 1)) / 2;
    }

    /** Returns the quantiles of the samples, by their share. */
    Map<String, Double> quantiles() {
        Map<String, Double> quantiles = new LinkedHashMap<>();
        for (String probability : PROBABILITIES) {
            quantiles.put(probability, ofRank((long) Math.ceil(Double.parseDouble(probability) * total)));
        }
        return quantiles;
    }

    Histogram scaled(double factor) {
        if (factor == 1) {
            return this;
        }
        Histogram scaled = new Histogram();
        counts.forEach((value, count) -> scaled.add(value * factor, count));
        return scaled;
    }

    /**
     * Returns the samples in bins of equal width on a logarithmic axis, empty ones included: lower end, upper end, count.
     *
     * @param from not above the smallest sample, positive
     * @param to not below the largest
     */
    List<List<Double>> bins(double from, double to) {
        int number = to > from ? MAX_BINS : 1;
        double width = Math.log(to / from) / number;
        long[] inBin = new long[number];
        counts.forEach((value, count) -> {
            int bin = width == 0 ? 0 : (int) (Math.log(value / from) / width);
            inBin[Math.min(Math.max(bin, 0), number - 1)] += count;
        });
        List<List<Double>> bins = new ArrayList<>();
        for (int bin = 0; bin < number; bin++) {
            double upper = bin == number - 1 ? to : from * Math.exp(width * (bin + 1));
            bins.add(List.of(bin == 0 ? from : from * Math.exp(width * bin), upper, (double) inBin[bin]));
        }
        return bins;
    }

    private double ofRank(long rank) {
        long passed = 0;
        for (Map.Entry<Double, Long> entry : counts.entrySet()) {
            passed += entry.getValue();
            if (passed >= rank) {
                return entry.getKey();
            }
        }
        return counts.lastKey();
    }
}
