package io.movr.report.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a chart: its data with their units. The page draws it with Observable Plot; one function of the page's
 * script belongs to each kind.
 */
public sealed interface Chart {

    /** Returns the kind, by which the page finds its function. */
    String kind();

    /** Returns whether there is nothing to draw. */
    @JsonIgnore
    boolean isEmpty();

    /** The colours of the page's style sheet that charts use. */
    enum Colour {
        MEASURED,
        PUBLISHED,
        BEFORE,
        CONTROL,
        AFTER,
        INK,
        BETTER,
        WORSE,
        MUTED,
        GOOD,
        BAD,
        PART
    }

    /** The marks of a series. */
    enum Symbol {
        CIRCLE,
        DIAMOND,
        TRIANGLE,
        SQUARE,
        STAR,
        WYE
    }

    /**
     * What marks of one look stand for.
     *
     * @param isFilled whether marks are filled
     */
    record Series(String name, Colour colour, Symbol symbol, boolean isFilled) {}

    /**
     * Estimates with their intervals, a row for each thing measured, on a logarithmic axis.
     *
     * @param unit of the axis, such as {@code ×} or {@code ms}
     * @param reference a value that a line marks, {@code null} for none
     * @param below what a value below the reference means, empty for nothing
     * @param above what a value above the reference means
     * @param bandName what the band of a row is
     */
    record Intervals(
            String unit,
            @Nullable Double reference,
            String below,
            String above,
            String bandName,
            List<Series> series,
            List<IntervalRow> rows)
            implements Chart {

        @Override
        public String kind() {
            return "intervals";
        }

        @Override
        public boolean isEmpty() {
            return rows.stream().allMatch(row -> row.marks().isEmpty());
        }
    }

    /**
     * A row of intervals.
     *
     * @param band a range behind the marks, such as the noise; {@code null} for none
     */
    record IntervalRow(String name, @Nullable Band band, List<IntervalMark> marks) {

        /** Returns the range within which a ratio is no difference; {@code null} if the noise floor is not known. */
        public static @Nullable Band noise(@Nullable Double noiseFloor) {
            return noiseFloor == null || noiseFloor < 1 ? null : new Band(1 / noiseFloor, noiseFloor);
        }

        /** A range. */
        public record Band(double low, double high) {}
    }

    /**
     * An estimate in a row.
     *
     * @param series the name of its series
     * @param lane the name of the line within the row, empty for the only one
     * @param isInterval whether the ends are known
     */
    record IntervalMark(String series, String lane, Interval value, boolean isInterval, String text) {}

    /**
     * Lines or points over two axes.
     *
     * @param xName what the horizontal axis is, with its unit
     * @param yName what the vertical axis is, with its unit
     * @param ticks the names of places on the horizontal axis, empty for numbers
     * @param marked a place that a line marks, {@code null} for none
     */
    record Lines(
            String xName,
            boolean isLogX,
            String yName,
            boolean isLogY,
            Map<Double, String> ticks,
            List<Line> lines,
            @Nullable Double marked)
            implements Chart {

        @Override
        public String kind() {
            return "lines";
        }

        @Override
        public boolean isEmpty() {
            return lines.stream().allMatch(line -> line.points().isEmpty());
        }
    }

    /** How the points of a line are joined. */
    enum Stroke {
        SOLID,
        DASHED,
        NONE
    }

    /** A line. */
    record Line(String name, Colour colour, Stroke stroke, List<Point> points) {}

    /**
     * A point of a line.
     *
     * @param low the lower end of its interval, equal to {@code y} if there is none
     * @param label a name beside the point, empty for none
     * @param text what a reader who points at it sees
     */
    record Point(double x, double y, double low, double high, String label, String text) {}

    /**
     * Samples as dots, a row for each side, with the median and its interval.
     *
     * @param bound samples above it are counted at the edge
     * @param isOrdered whether a second plot shows the same samples in the order of measuring
     */
    record Samples(String unit, boolean isLog, double bound, boolean isOrdered, List<Side> sides) implements Chart {

        @Override
        public String kind() {
            return "samples";
        }

        @Override
        public boolean isEmpty() {
            return sides.isEmpty();
        }
    }

    /**
     * A side of {@link Samples}.
     *
     * @param groups samples by the process that measured them, which stand on lines of their own; one group for none
     */
    record Side(
            String name,
            String detail,
            Colour colour,
            @Nullable Interval median,
            List<Double> quartiles,
            List<List<Double>> groups) {}

    /** Bars from zero. */
    record Bars(String unit, List<Bar> bars) implements Chart {

        @Override
        public String kind() {
            return "bars";
        }

        @Override
        public boolean isEmpty() {
            return bars.isEmpty();
        }
    }

    /** A bar. */
    record Bar(String name, double value, Colour colour, String text) {}

    /** Distributions as areas over a logarithmic axis, a row for each, with marks at quantiles. */
    record Densities(String unit, List<Density> rows) implements Chart {

        @Override
        public String kind() {
            return "densities";
        }

        @Override
        public boolean isEmpty() {
            return rows.isEmpty();
        }
    }

    /**
     * A distribution.
     *
     * @param bins lower end, upper end and number of samples of each bin
     * @param quantiles values by name, such as {@code p99}
     */
    record Density(String name, Colour colour, List<List<Double>> bins, Map<String, Double> quantiles) {}

    /**
     * Latency each second by region, with stretches without traffic shortened, and percentiles of a span that a reader
     * chooses.
     *
     * @param latencyClassWidth the ratio of the ends of a class of latencies
     * @param ticks the seconds that the axis names, by their place
     * @param bands phases, from left to right
     * @param regions in their order
     */
    record Timeline(
            @Nullable Double latencyClassWidth,
            Map<Double, String> ticks,
            List<Stretch> bands,
            List<Double> breaks,
            List<String> regions,
            List<Second> seconds)
            implements Chart {

        @Override
        public String kind() {
            return "timeline";
        }

        @Override
        public boolean isEmpty() {
            return seconds.isEmpty();
        }
    }

    /**
     * A stretch of time.
     *
     * @param label its name at the top, empty for none
     * @param kind {@code before}, {@code during}, {@code after} or {@code migration}
     * @param isCounted whether its requests are in the figures
     */
    record Stretch(String label, String kind, boolean isCounted, double from, double until) {}

    /**
     * What the requests of a region that were due within one second measured.
     *
     * @param x the place on the axis
     * @param second since the first phase began
     * @param counts number of latencies by class; empty if they were not recorded
     */
    record Second(
            String region,
            String phase,
            int stretch,
            double x,
            long second,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            @Nullable Double maxMs,
            long answered,
            long failed,
            Map<String, Long> counts) {}
}
