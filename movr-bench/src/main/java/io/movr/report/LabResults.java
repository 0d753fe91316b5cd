package io.movr.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.movr.report.model.Report;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that one run of the laboratory found: what {@code results.json} holds, as {@code docs/results.schema.json}
 * describes it.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code lab}
 * @param startedAt time in UTC, ISO 8601
 * @param tookSeconds from the start of the command to its end
 * @param command the words of the command line
 * @param complete whether every experiment and every write that was asked for was measured and passed its checks
 * @param traffic what traffic from several regions found, {@code null} if that was not asked for
 * @param unit that medians are also given in, {@code null} if none was named
 * @param prices what the changes of experiments cost, {@code null} if no experiment of a folder changes the schema
 * @param growth how sides grow with the rows, {@code null} if no experiment was measured at several scales
 */
public record LabResults(
        int schemaVersion,
        String kind,
        String startedAt,
        double tookSeconds,
        List<String> command,
        boolean complete,
        Environment environment,
        Dataset dataset,
        Rules rules,
        List<Check> preflight,
        List<Experiment> experiments,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Traffic traffic,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Unit unit,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Price> prices,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Growth> growth)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return LabReport.of(this);
    }

    @Override
    public List<String> headlines() {
        return LabHeadline.of(this);
    }

    /**
     * Results of traffic alone, to which that is still to be added.
     *
     * @param startedAt of the command
     * @param rules that the laboratory measures by
     */
    public static LabResults of(TrafficResults traffic, Instant startedAt, Rules rules) {
        return new LabResults(
                SCHEMA_VERSION,
                "lab",
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                traffic.tookSeconds(),
                traffic.command(),
                false,
                traffic.environment(),
                traffic.dataset(),
                rules,
                traffic.checks(),
                List.of(),
                null,
                null,
                null,
                null);
    }

    /**
     * The same with what traffic found; complete when both are.
     *
     * @param seconds that both took
     */
    public LabResults with(Traffic found, double seconds) {
        return new LabResults(
                schemaVersion,
                kind,
                startedAt,
                seconds,
                command,
                found.complete() && areMeasured(experiments, prices),
                environment,
                dataset,
                rules,
                preflight,
                experiments,
                found,
                unit,
                prices,
                growth);
    }

    /** Whether all of some experiments, and all writes of some prices, were measured and passed their checks. */
    public static boolean areMeasured(List<Experiment> experiments, @Nullable List<Price> prices) {
        return Stream.concat(experiments.stream(), writes(prices).map(Write::measured))
                .allMatch(experiment -> experiment.status().equals("measured"));
    }

    private static Stream<Write> writes(@Nullable List<Price> prices) {
        return prices == null ? Stream.of() : prices.stream().flatMap(price -> price.writes().stream());
    }

    /**
     * What traffic from several regions found of published comparisons.
     *
     * @param bundle the folder of its own results, relative to this bundle
     * @param before the stage of its first runs
     * @param after the stage of its last runs
     * @param complete whether all that was asked for was measured, every acknowledged write was found once, and the load
     *     generator kept up
     * @param figures those that were asked for
     */
    public record Traffic(
            String bundle, String before, String after, boolean complete, List<TrafficResults.Figure> figures) {

        /**
         * Takes what was asked for.
         *
         * @param bundle the folder of the results, relative to the bundle of the laboratory
         * @param asked ids of published comparisons
         */
        public static Traffic of(TrafficResults results, String bundle, List<String> asked) {
            List<TrafficResults.Figure> figures = results.figures().stream()
                    .filter(figure -> asked.contains(figure.id()))
                    .toList();
            return new Traffic(
                    bundle,
                    results.migration().from(),
                    results.migration().to(),
                    results.complete() && figures.size() == asked.size(),
                    figures);
        }
    }

    /**
     * What a latency is counted in beside milliseconds, so that machines can be compared.
     *
     * @param calibration the name of the folder of the calibration that it comes from
     * @param meaning what a unit is, in a sentence
     */
    public record Unit(String calibration, double ms, String meaning) {

        /** The mean time of a read of one row by its key, as a calibration has measured it. */
        public static Unit ofRead(String calibration, double ms) {
            return new Unit(
                    calibration,
                    ms,
                    String.format(
                            Locale.ROOT,
                            "A unit is the mean time of a read of a row by its key on the calibrated machine, %.3f ms"
                                    + " (YCSB B, one worker), from the calibration %s.",
                            ms,
                            calibration));
        }
    }

    /**
     * The rows that were measured.
     *
     * @param scale name of the scale, or {@code custom}
     * @param rows number of rows by table
     * @param loadSeconds time that loading them took; in the laboratory with foreign keys and statistics, in traffic the
     *     rows alone, and nothing there when they had been loaded before
     */
    public record Dataset(
            String scale,
            long seed,
            List<String> cities,
            Map<String, Long> rows,
            @Nullable Double loadSeconds) {}

    /**
     * The rules that were measured by.
     *
     * @param leastSamples the fewest samples of a side
     * @param leastWarmUps executions on each connection that were not counted, at least
     * @param leastBlocks blocks of samples, each on connections of its own, at least
     * @param order the order in which sides took turns: A before, C the control (A again), B after
     * @param resamples of the bootstrap that gives intervals of medians, {@code null} where its distribution was computed
     */
    public record Rules(
            int leastSamples,
            int leastWarmUps,
            int leastBlocks,
            String order,
            @Nullable Integer resamples,
            double confidence) {}

    /**
     * One line of the preflight.
     *
     * @param status {@code ok}, {@code warning}, {@code problem} or {@code unknown}
     * @param remedy what to do about it, empty when it is ok
     */
    public record Check(String name, String status, String detail, String remedy) {}

    /**
     * One published comparison, measured.
     *
     * @param status {@code measured}, or {@code failed} when the answer or the plan was wrong
     * @param failure why it failed
     * @param lesson what the experiment teaches, in a sentence or two
     * @param notes what a reader must know to judge it, such as where this engine rightly plans otherwise
     * @param before side A
     * @param after side B
     * @param control side A again on another connection: it differs from A by noise alone
     * @param improvement median of before over median of after, as the geometric mean over blocks; above 1, after is faster
     * @param noise before over control, likewise
     * @param noiseFloor the factor, at least 1, within which a ratio is no difference
     * @param pValue of Student's t-test over the logarithms of the blocks' ratios
     * @param pAdjusted the same, adjusted by Holm over the experiments of the run; {@code null} of one that failed
     * @param different whether before and after differ by more than noise
     * @param published the verdicts
     * @param rows number of rows by table, of an experiment of a folder, empty for the others
     * @param byParameters what each row of parameters measured, {@code null} unless these differ in kind: then the improvement
     *     is the geometric mean of theirs
     */
    public record Experiment(
            String id,
            String title,
            String lesson,
            String status,
            @Nullable String failure,
            List<String> notes,
            @Nullable Side before,
            @Nullable Side after,
            @Nullable Side control,
            @Nullable Interval improvement,
            @Nullable Interval noise,
            double noiseFloor,
            double pValue,
            @Nullable Double pAdjusted,
            boolean different,
            List<Published> published,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, Long> rows,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<ParameterRow> byParameters) {

        /** The same, judged among the other experiments of its run. */
        public Experiment judged(double adjusted, boolean isDifferent, List<Published> verdicts) {
            return new Experiment(
                    id,
                    title,
                    lesson,
                    status,
                    failure,
                    notes,
                    before,
                    after,
                    control,
                    improvement,
                    noise,
                    noiseFloor,
                    pValue,
                    adjusted,
                    isDifferent,
                    verdicts,
                    rows,
                    byParameters);
        }
    }

    /**
     * What an experiment measured with one row of its parameters. The interval holds for this row alone: it is not corrected
     * for there being several.
     *
     * @param parameters the row, such as {@code depth = 100}
     * @param improvement as that of the experiment
     */
    public record ParameterRow(String parameters, Interval beforeMs, Interval afterMs, Interval improvement) {}

    /**
     * What the change of an experiment of a folder costs.
     *
     * @param experiment its id
     * @param beforeBuildSeconds time that before.sql took, {@code null} if there is none
     * @param afterBuildSeconds time that after.sql took, likewise
     * @param tables those of the plans of both sides
     * @param writes those that the folder names, then those of one row of a table
     * @param notMeasured what was not measured and why, a line each
     */
    public record Price(
            String experiment,
            @Nullable Double beforeBuildSeconds,
            @Nullable Double afterBuildSeconds,
            List<TableSize> tables,
            List<Write> writes,
            List<String> notMeasured) {

        /** The same with other results of the writes. */
        public Price with(List<Write> judged) {
            return new Price(experiment, beforeBuildSeconds, afterBuildSeconds, tables, judged, notMeasured);
        }
    }

    /**
     * What a table takes before any run has written it: on PostgreSQL bytes on disk, on CockroachDB bytes of live rows in one
     * replica before compression. {@code null} stands for a side that has no
     * such table, or whose server does not say.
     *
     * @param beforeBytes with all indexes
     * @param beforeIndexBytes of the indexes alone; on PostgreSQL the primary key has one, on CockroachDB it is the table
     */
    public record TableSize(
            String table,
            @Nullable Long beforeBytes,
            @Nullable Long afterBytes,
            @Nullable Long beforeIndexBytes,
            @Nullable Long afterIndexBytes) {}

    /**
     * A statement that writes, measured by the same rules as an experiment.
     *
     * @param name such as {@code insert into orders}, or what the folder calls it
     * @param maxSlowdownPercent by how much it may become slower, {@code null} if there is no bound
     * @param measured judged among the other writes of the run
     * @param beforeCost what else one execution costs the server on side A, {@code null} where the engine does not say
     * @param afterCost on side B
     */
    public record Write(
            String name,
            @Nullable Double maxSlowdownPercent,
            Experiment measured,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            WriteCost beforeCost,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            WriteCost afterCost) {

        /** The same, judged. */
        public Write with(Experiment judged) {
            return new Write(name, maxSlowdownPercent, judged, beforeCost, afterCost);
        }
    }

    /**
     * What one execution of a write costs a PostgreSQL server.
     *
     * @param walBytes bytes of the write-ahead log, its commit included; the median over executions
     * @param hotPercent the part of updated rows whose update no index took part in (heap-only tuples), {@code null} if no row
     *     was updated
     */
    public record WriteCost(long walBytes, @Nullable Double hotPercent) {}

    /**
     * An experiment of a folder at several scales.
     *
     * @param experiment the name of the folder
     * @param points the smallest scale first
     */
    public record Growth(String experiment, List<Point> points) {}

    /**
     * An experiment at one scale.
     *
     * @param scale how many times the rows of scale 1
     * @param experiment its id among the experiments of the run, which has everything else
     * @param beforeMs median of side A; {@code null}, as are the others, of one that failed
     * @param afterMs median of side B
     * @param improvement as that of the experiment
     */
    public record Point(
            int scale,
            String experiment,
            @Nullable Interval beforeMs,
            @Nullable Interval afterMs,
            @Nullable Interval improvement) {

        /** What an experiment has measured at a scale. */
        public static Point of(int scale, Experiment experiment) {
            Side before = experiment.before();
            Side after = experiment.after();
            return new Point(
                    scale,
                    experiment.id(),
                    before == null ? null : before.medianMs(),
                    after == null ? null : after.medianMs(),
                    experiment.improvement());
        }
    }

    /**
     * One side of an experiment.
     *
     * @param label what distinguishes it, in a few words
     * @param stage the stage of the schema that it ran on, or of a folder what its database was made of
     * @param statements the SQL, in order
     * @param answer what it answered, in a few words
     * @param latencyMs the samples in a few numbers
     * @param medianMs the median with its interval
     * @param medianUnits the median in units, {@code null} if there is none
     * @param samplesMs every sample, block after block in the order of measuring
     * @param rawFile where the samples with their times are, relative to the bundle
     */
    public record Side(
            String label,
            String stage,
            List<String> statements,
            String answer,
            Summary latencyMs,
            Interval medianMs,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double medianUnits,

            List<Double> samplesMs,
            String rawFile,
            List<Plan> plans) {}

    /**
     * The plan of one statement.
     *
     * @param expected what the experiment demands of it
     * @param found its scans, in a line
     * @param text the plan as the engine prints it
     * @param file the engine's whole answer, relative to the bundle
     * @param recommendations statements by which the engine would add indexes, empty where it recommends none
     */
    public record Plan(
            String statement, String expected, String found, String text, String file, List<String> recommendations) {}

    /**
     * What the measured ratio says of a published one.
     *
     * @param source which publication: {@code tuning-en}, {@code tuning-zh} or {@code multi-region-demo}, or what a folder
     *     names
     * @param engine engine and version that it was measured on
     * @param before published figure before; the ratio, of a folder that gives no more
     * @param after published figure after; then 1
     * @param improvement published ratio
     * @param medians ratio of medians of the published raw samples, where both sides have at least 20
     * @param weakEvidence whether a side of the published figure is a single run
     * @param verdict {@code reproduced}, {@code direction only}, {@code not reproduced} or {@code no difference}; of traffic
     *     with too few runs {@code not judged}
     * @param reason why, in a sentence
     */
    public record Published(
            String source,
            String engine,
            String conditions,
            String metric,
            String unit,
            double before,
            double after,
            double improvement,
            @Nullable Interval medians,
            boolean weakEvidence,
            String verdict,
            String reason) {}
}
