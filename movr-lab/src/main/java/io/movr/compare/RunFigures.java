package io.movr.compare;

import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one run of a load generator: one value of each measure. The seconds of a run are not taken as samples,
 * because runs differ by more than their seconds tell.
 */
final class RunFigures {

    static final String PER_SECOND = "ops/s";
    static final String MILLISECONDS = "ms/op";

    private final Path file;
    private final Map<String, String> setup;
    private final Map<Identity, Measured> measured = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> zeros = new ArrayList<>();

    /**
     * Starts with no figure.
     *
     * @param setup how it was run, by what a reader calls it
     */
    RunFigures(Path file, Map<String, String> setup) {
        this.file = file;
        this.setup = Map.copyOf(setup);
    }

    void addRate(String benchmark, double perSecond) {
        add(benchmark, "thrpt", Map.of(), PER_SECOND, perSecond);
    }

    /** Adds a latency; the mode says which, such as {@code avgt} or {@code p95}. */
    void addLatency(String benchmark, String mode, double milliseconds) {
        add(benchmark, mode, Map.of(), MILLISECONDS, milliseconds);
    }

    void add(String benchmark, String mode, Map<String, String> params, String unit, double value) {
        if (Double.isFinite(value) && value > 0) {
            put(new Measured(benchmark, mode, params, unit, setup, List.<double[]>of(new double[] {value}), null));
        } else {
            zeros.add(benchmark + " (" + mode + ")");
        }
    }

    /** Adds the distribution of latencies in milliseconds, their mean and their high percentiles. */
    void addLatencies(String benchmark, Histogram latencies) {
        put(new Measured(
                benchmark,
                "sample",
                Map.of(),
                MILLISECONDS,
                setup,
                List.<double[]>of(new double[] {latencies.median()}),
                latencies));
        addLatency(benchmark, "avgt", latencies.mean());
        Map<String, Double> quantiles = latencies.quantiles();
        List.of("95", "99").forEach(percent -> {
            Double quantile = quantiles.get("0." + percent);
            addLatency(benchmark, "p" + percent, quantile == null ? Double.NaN : quantile);
        });
    }

    /** Says that a line, which looks like a figure, was not read. */
    void leftOut(int line, String text) {
        warn("line " + line + " left out, as it is not understood: '" + text.strip() + "'.");
    }

    void warn(String sentence) {
        warnings.add(file + ": " + sentence);
    }

    /**
     * Returns all of them.
     *
     * @throws UserError if there is none
     */
    FileContent content() {
        if (measured.isEmpty()) {
            throw new UserError(file + " has no value above zero: measure it again");
        }
        if (!zeros.isEmpty()) {
            warn((zeros.size() == 1 ? "1 value that is" : zeros.size() + " values that are")
                    + " zero left out, as zero has no ratio; the first is of " + zeros.get(0) + ".");
        }
        return new FileContent(List.copyOf(measured.values()), List.copyOf(warnings));
    }

    /** Adds a measure; a number distinguishes measures of the same name. */
    private void put(Measured one) {
        Measured named = one;
        for (int number = 2; measured.containsKey(named.identity()); number++) {
            named = new Measured(
                    one.benchmark() + " (" + number + ")",
                    one.mode(),
                    one.params(),
                    one.unit(),
                    one.setup(),
                    one.forks(),
                    one.histogram());
        }
        measured.put(named.identity(), named);
    }
}
