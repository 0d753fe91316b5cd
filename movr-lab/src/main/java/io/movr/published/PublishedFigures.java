package io.movr.published;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.movr.report.LabResults.Published;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The published comparisons, and their raw samples where these were printed.
 *
 * <p>Sources: {@code tuning-en} and {@code tuning-zh} are the English and the Chinese edition of CockroachDB's SQL
 * tuning tutorial for MovR.
 */
public final class PublishedFigures {

    /** The throughput of clients in several regions. */
    public static final String MULTI_REGION_QPS = "multi-region-qps";

    /** The 99th percentile of their latency. */
    public static final String MULTI_REGION_P99 = "multi-region-p99";

    /** The minimum number of samples for a median. */
    private static final int MIN_SAMPLES = 20;

    private static final int CUT_OFF = 400;

    private static final long SEED = 1;

    /**
     * A published comparison.
     *
     * @param improvement before over after for a latency, after over before for a throughput: above 1 is better
     */
    public record Figure(
            String id,
            String source,
            String topic,
            String engine,
            String conditions,
            String metric,
            String unit,
            double before,
            double after,
            double improvement) {

        /**
         * Returns the figure with its verdict.
         *
         * @param medians the ratio of medians of its raw samples, {@code null} if these were not printed
         * @param singleRun whether a side of it is a single run
         */
        public Published judged(@Nullable Interval medians, boolean singleRun, String verdict, String reason) {
            return new Published(
                    source,
                    engine,
                    conditions,
                    metric,
                    unit,
                    before,
                    after,
                    improvement,
                    medians,
                    singleRun,
                    verdict,
                    reason);
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Samples(String id, String source, String statement, List<Double> samples) {}

    private final List<Figure> figures;
    private final List<Samples> samples;

    /** Reads the figures that come with the product. */
    public static PublishedFigures load() {
        return new PublishedFigures();
    }

    private PublishedFigures() {
        try (Reader csv = new InputStreamReader(resource("published-results.csv"), StandardCharsets.UTF_8);
                CSVParser rows = CSVFormat.RFC4180
                        .builder()
                        .setHeader()
                        .setSkipHeaderRecord(true)
                        .get()
                        .parse(csv);
                InputStream json = resource("published-samples.json")) {
            figures = rows.stream().map(PublishedFigures::figure).toList();
            samples = List.of(new JsonMapper().readValue(json, Samples[].class));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the ids of the experiments, in the order of the tutorial. */
    public List<String> experiments() {
        return figures.stream().map(Figure::id).distinct().toList();
    }

    /** Returns what was published of an experiment, one for each source. */
    public List<Figure> of(String experiment) {
        return figures.stream().filter(figure -> figure.id().equals(experiment)).toList();
    }

    /**
     * Returns every statement whose samples were published, but for the INSERT of 100 rows, of which the source holds only the
     * first {@value #CUT_OFF} characters.
     */
    public static List<String> statements() {
        return load().samples.stream()
                .map(Samples::statement)
                .filter(statement -> statement.length() < CUT_OFF)
                .distinct()
                .toList();
    }

    /**
     * Returns the ratio of the medians of the raw samples, which is what a measured ratio of medians compares with: published
     * averages hold the first, cold runs. Where a side is several statements, their samples are added up run by run.
     */
    public Optional<Interval> ratioOfMedians(Figure figure) {
        double[] before = side(figure, "before");
        double[] after = side(figure, "after");
        if (before.length < MIN_SAMPLES || after.length < MIN_SAMPLES) {
            return Optional.empty();
        }
        return Optional.of(Comparison.of(before, after, SEED).ratio());
    }

    /** Returns whether a side of the published comparison was run only once. */
    public boolean isSingleRun(Figure figure) {
        return side(figure, "before").length == 1 || side(figure, "after").length == 1;
    }

    private double[] side(Figure figure, String side) {
        String whole = figure.id() + "." + side;
        List<double[]> parts = samples.stream()
                .filter(sample -> sample.source().equals(figure.source()))
                .filter(sample -> sample.id().equals(whole) || sample.id().startsWith(whole + "."))
                .map(sample -> sample.samples().stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray())
                .toList();
        int runs = parts.stream().mapToInt(part -> part.length).min().orElse(0);
        double[] sums = new double[runs];
        for (double[] part : parts) {
            Arrays.setAll(sums, run -> sums[run] + part[run]);
        }
        return sums;
    }

    private static Figure figure(CSVRecord row) {
        return new Figure(
                row.get("id"),
                row.get("source"),
                row.get("topic"),
                row.get("engine"),
                row.get("conditions"),
                row.get("metric"),
                row.get("unit"),
                Double.parseDouble(row.get("before")),
                Double.parseDouble(row.get("after")),
                Double.parseDouble(row.get("improvement")));
    }

    private static InputStream resource(String name) throws IOException {
        InputStream stream = PublishedFigures.class.getResourceAsStream(name);
        if (stream == null) {
            throw new IOException("The published figures " + name + " are missing from the jar");
        }
        return stream;
    }
}
