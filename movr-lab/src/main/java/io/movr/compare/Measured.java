package io.movr.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark of one result.
 *
 * @param benchmark full name
 * @param mode of JMH: {@code thrpt}, {@code avgt}, {@code sample} or {@code ss}; of other programs also {@code stddev},
 *     {@code max}, a percentile such as {@code p95}, {@code bytes} or {@code allocs}
 * @param unit of the values
 * @param setup how it was run, such as threads and warm-up, by what a reader calls it
 * @param forks one array a fork: one positive value an iteration, in sample mode the median of the iteration's samples
 * @param histogram of all samples, in sample mode only
 */
record Measured(
        String benchmark,
        String mode,
        Map<String, String> params,
        String unit,
        Map<String, String> setup,
        List<double[]> forks,
        @Nullable Histogram histogram) {

    /** The identity by which results are matched. */
    record Identity(String benchmark, String mode, Map<String, String> params) {}

    Identity identity() {
        return new Identity(benchmark, mode, params);
    }

    boolean lowerIsBetter() {
        return !mode.equals("thrpt");
    }

    /**
     * Returns whether each fork is a run with one value: then only runs tell how far two values of the same thing lie
     * apart.
     */
    boolean isOneValueEach() {
        return forks.stream().allMatch(fork -> fork.length == 1);
    }

    int iterations() {
        return forks.stream().mapToInt(fork -> fork.length).sum();
    }

    double mean() {
        return histogram == null
                ? forks.stream().flatMapToDouble(Arrays::stream).average().orElseThrow()
                : histogram.mean();
    }

    Measured scaled(double factor, String toUnit) {
        List<double[]> scaled = forks.stream()
                .map(fork -> Arrays.stream(fork).map(value -> value * factor).toArray())
                .toList();
        return new Measured(
                benchmark, mode, params, toUnit, setup, scaled, histogram == null ? null : histogram.scaled(factor));
    }

    /** Returns the same benchmark with the forks of another run of it, in the same unit, after its own. */
    Measured with(Measured more) {
        List<double[]> together = new ArrayList<>(forks);
        together.addAll(more.forks);
        Histogram all = null;
        if (histogram != null && more.histogram != null) {
            all = new Histogram();
            all.add(histogram);
            all.add(more.histogram);
        }
        return new Measured(benchmark, mode, params, unit, setup, together, all);
    }
}
