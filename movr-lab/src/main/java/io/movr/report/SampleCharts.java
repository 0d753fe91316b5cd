package io.movr.report;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Side;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Samples;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.descriptive.Quantile;

/** The chart of an experiment's samples: their distribution, and their order of measuring. */
final class SampleCharts {

    /** A side with its name. */
    record NamedSide(String name, Colour colour, Side side) {}

    private static final Quantile QUANTILE = Quantile.withDefaults();
    private static final double OUTLIER_QUANTILE = 0.99;
    /** Rare outliers must not squash the others: beyond this multiple of the 99th percentile they are only counted. */
    private static final double BOUND = 1.15;
    /** From this ratio of the slowest to the fastest sample on, the axis is logarithmic. */
    private static final double LOGARITHMIC = 6;

    private SampleCharts() {}

    /** Returns the sides that an experiment has. */
    static List<NamedSide> sides(Experiment experiment) {
        List<NamedSide> sides = new ArrayList<>();
        if (experiment.before() != null) {
            sides.add(new NamedSide("Before", Colour.BEFORE, experiment.before()));
        }
        if (experiment.control() != null) {
            sides.add(new NamedSide("Control", Colour.CONTROL, experiment.control()));
        }
        if (experiment.after() != null) {
            sides.add(new NamedSide("After", Colour.AFTER, experiment.after()));
        }
        return sides;
    }

    /** Returns the chart; empty if there are no samples. */
    static Block of(Experiment experiment) {
        List<NamedSide> sides = sides(experiment).stream()
                .filter(named -> !named.side().samplesMs().isEmpty())
                .toList();
        if (sides.isEmpty()) {
            return new Text("");
        }
        double fastest = sides.stream()
                .flatMap(named -> named.side().samplesMs().stream())
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        double slowest = sides.stream()
                .flatMap(named -> named.side().samplesMs().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
        double bound = Math.min(
                slowest,
                BOUND
                        * sides.stream()
                                .mapToDouble(named -> quantile(named.side(), OUTLIER_QUANTILE))
                                .max()
                                .orElseThrow());
        boolean isLog = fastest > 0 && bound / fastest > LOGARITHMIC;
        List<io.movr.report.model.Chart.Side> shown =
                sides.stream().map(SampleCharts::distribution).toList();
        String axis = isLog ? "ms, logarithmic" : "ms";
        return new Figure(
                "Distribution of the latencies of " + experiment.id()
                        + ", and the same samples in the order of measuring; the table below holds the medians",
                "Latency in " + axis + ". A dot is a sample, spread wider where samples are dense; the line is the"
                        + " median, the shade behind it its 95% interval, the bracket the middle half. The second plot"
                        + " shows the same samples in the order of measuring.",
                new Samples("ms", isLog, bound, true, shown));
    }

    private static io.movr.report.model.Chart.Side distribution(NamedSide named) {
        Side side = named.side();
        Interval median = side.medianMs();
        return new io.movr.report.model.Chart.Side(
                named.name(),
                ReportParts.number(median.estimate()) + " ms",
                named.colour(),
                median,
                List.of(quantile(side, 0.25), quantile(side, 0.75)),
                List.of(side.samplesMs()));
    }

    private static double quantile(Side side, double share) {
        return QUANTILE.evaluate(
                side.samplesMs().stream().mapToDouble(Double::doubleValue).toArray(), share);
    }
}
