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
 * Results of one run of the laboratory.
 *
 * @param tookSeconds time from the start of the command to its end
 * @param complete whether every requested experiment and write was measured and passed its checks
 * @param dataset the measured rows
 * @param rules the rules of the measurement
 * @param preflight checks before the measurement
 * @param experiments in the order of measurement; comparisons that need traffic are in {@code traffic}
 * @param traffic comparisons that were measured by traffic from several regions; absent if none was requested
 * @param unit unit in which medians are given in addition to milliseconds; absent if no calibration was named
 * @param prices costs of the schema changes of experiment folders; absent if no folder changes the schema
 * @param growth experiments at several scales; absent if there are none, and before 2026-11-24
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

    /** The version of the format that movr writes. */
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
     * Returns results without experiments, to which {@link #with} adds those of the traffic.
     *
     * @param startedAt start of the command
     * @param rules rules of the laboratory
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
     * Returns a copy with the comparisons of traffic, which is complete if both are.
     *
     * @param seconds time that both took
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

    /** Returns the command of the run, such as {@code movr lab}. */
    String program() {
        return command.contains("experiment") ? "movr experiment" : "movr lab";
    }

    /** Returns whether all experiments and all writes of the prices were measured and passed their checks. */
    public static boolean areMeasured(List<Experiment> experiments, @Nullable List<Price> prices) {
        return Stream.concat(experiments.stream(), writes(prices).map(Write::measured))
                .allMatch(experiment -> experiment.status().equals("measured"));
    }

    private static Stream<Write> writes(@Nullable List<Price> prices) {
        return prices == null ? Stream.of() : prices.stream().flatMap(price -> price.writes().stream());
    }

    /**
     * Published comparisons that were measured by traffic from several regions.
     *
     * @param bundle folder of the results of the traffic, relative to this bundle
     * @param before schema stage of the runs before the migration
     * @param after schema stage of the runs after the migration
     * @param complete whether every requested comparison was measured, every acknowledged write was found exactly
     *     once, and the load generator was not the bottleneck
     * @param figures the requested comparisons
     */
    public record Traffic(
            String bundle, String before, String after, boolean complete, List<TrafficResults.Figure> figures) {

        /**
         * Selects the requested comparisons.
         *
         * @param bundle folder of the results, relative to the bundle of the laboratory
         * @param asked ids of the requested comparisons
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
     * A unit of latency with which different machines can be compared.
     *
     * @param calibration name of the folder of the calibration that measured the unit
     * @param ms length of the unit, above 0: mean time of a read of one row by its key
     * @param meaning definition of the unit, in a sentence
     */
    public record Unit(String calibration, double ms, String meaning) {

        /** Returns the unit that a calibration measured: the mean time of a read of one row by its key. */
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
     * The rows of a measured database.
     *
     * @param scale name of the scale; {@code custom} if the numbers of rows are those of no named scale
     * @param seed seed of the row generator
     * @param cities cities in the order of the row generator
     * @param rows number of rows by table
     * @param loadSeconds time to load the rows, in the laboratory with foreign keys and statistics, in traffic the
     *     rows alone; {@code null} if the rows were loaded before the run
     */
    public record Dataset(
            @OneOf({"tiny", "quick", "tutorial", "custom"}) String scale,
            long seed,
            List<String> cities,
            Map<String, Long> rows,
            @Nullable Double loadSeconds) {}

    /**
     * The rules of a measurement.
     *
     * @param leastSamples minimum number of samples of a side
     * @param leastWarmUps minimum number of executions on each connection before its first sample
     * @param leastBlocks minimum number of blocks of samples; each block uses new connections
     * @param order order in which the sides alternate: A is before, C is the control (A again), B is after
     * @param resamples number of bootstrap resamples for the intervals of medians; {@code null} since 2026-11-24, as
     *     the distribution is computed; before 2026-11-23 also for the intervals of ratios
     * @param confidence confidence level of the intervals, 0 to 1
     */
    public record Rules(
            int leastSamples,
            int leastWarmUps,
            int leastBlocks,
            String order,
            @Nullable Integer resamples,
            double confidence) {}

    /**
     * One line of the checks before a measurement.
     *
     * @param name what was checked
     * @param status {@code unknown} if the check was not possible
     * @param detail what was found
     * @param remedy what to do about it; empty if the status is {@code ok}
     */
    public record Check(
            String name,
            @OneOf({"ok", "warning", "problem", "unknown"}) String status,
            String detail,
            String remedy) {}

    /**
     * One comparison of two sides: a published comparison, or an experiment folder.
     *
     * @param id id in the published figures, or name of the folder; of a write, id of its experiment, a point and name
     *     of the write
     * @param title what is compared
     * @param lesson what the experiment teaches, in one or two sentences
     * @param status {@code failed} if an answer or a plan was wrong
     * @param failure the wrong answer or plan; {@code null} if the experiment was measured
     * @param notes what a reader must know to judge the result, such as a plan that this engine rightly chooses
     *     differently
     * @param before side A; {@code null}, as are the other sides, if the experiment failed
     * @param after side B
     * @param control side A again on other connections; it differs from A by noise alone
     * @param improvement median of before divided by median of after, as the geometric mean over blocks; above 1 if
     *     after is faster; {@code null} if the experiment failed
     * @param noise median of before divided by median of control, likewise
     * @param noiseFloor factor, at least 1, within which a ratio is no difference
     * @param pValue p-value of Student's t-test on the logarithms of the blocks' ratios of before to after, 0 to 1;
     *     before 2026-11-23 of the Mann-Whitney U test on block medians
     * @param pAdjusted p-value adjusted by Holm over the experiments of the run, of a write over the writes of the
     *     run; {@code null} if the experiment failed, absent before 2026-11-23
     * @param different whether before and after differ by more than noise
     * @param published verdicts, one per published source
     * @param rows number of rows by table; absent if the experiment has no folder
     * @param byParameters results of each row of parameters, if the rows differ in kind; the improvement of the
     *     experiment is then the geometric mean of their improvements
     */
    public record Experiment(
            String id,
            String title,
            String lesson,
            @OneOf({"measured", "failed"}) String status,
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

        /** Returns a copy that is judged among the other experiments of the run. */
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
     * The result of an experiment with one row of its parameters. The interval is valid for this row alone: it is not
     * corrected for the number of rows.
     *
     * @param parameters the row, such as {@code depth = 100}
     * @param beforeMs median of side A
     * @param afterMs median of side B
     * @param improvement median of before divided by median of after
     */
    public record ParameterRow(String parameters, Interval beforeMs, Interval afterMs, Interval improvement) {}

    /**
     * The cost of the schema change of an experiment folder.
     *
     * @param experiment id of the experiment
     * @param beforeBuildSeconds time to run before.sql; {@code null} if there is none
     * @param afterBuildSeconds time to run after.sql; {@code null} if there is none
     * @param tables tables in the plans of both sides
     * @param writes the writes that the folder names, then the writes of one row of each table
     * @param notMeasured what was not measured and why, a line each
     */
    public record Price(
            String experiment,
            @Nullable Double beforeBuildSeconds,
            @Nullable Double afterBuildSeconds,
            List<TableSize> tables,
            List<Write> writes,
            List<String> notMeasured) {

        /** Returns a copy with other results of the writes. */
        public Price with(List<Write> judged) {
            return new Price(experiment, beforeBuildSeconds, afterBuildSeconds, tables, judged, notMeasured);
        }
    }

    /**
     * The size of a table before any run has written to it: on PostgreSQL bytes on disk, on CockroachDB bytes of live
     * rows in one replica before compression. A size is {@code null} if the side has no such table or the server does
     * not report it.
     *
     * @param table name, with its schema unless that is {@code public}
     * @param beforeBytes size on side A with all indexes
     * @param afterBytes size on side B with all indexes
     * @param beforeIndexBytes size of the indexes alone on side A; on PostgreSQL the primary key has an index, on
     *     CockroachDB it is the table
     * @param afterIndexBytes size of the indexes alone on side B
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
     * @param name name, such as {@code insert into orders}, or the name in the folder
     * @param maxSlowdownPercent permitted slowdown; {@code null} if there is no bound
     * @param measured result, judged among the other writes of the run
     * @param beforeCost further costs of one execution on side A; absent if the engine does not report them
     * @param afterCost further costs of one execution on side B; absent if the engine does not report them
     */
    public record Write(
            String name,
            @Nullable Double maxSlowdownPercent,
            Experiment measured,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            WriteCost beforeCost,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            WriteCost afterCost) {

        /** Returns a copy with a judged result. */
        public Write with(Experiment judged) {
            return new Write(name, maxSlowdownPercent, judged, beforeCost, afterCost);
        }
    }

    /**
     * The cost of one execution of a write to a PostgreSQL server.
     *
     * @param walBytes bytes of the write-ahead log, including the commit; median over executions
     * @param hotPercent percentage of updated rows whose update changed no index (heap-only tuples), 0 to 100;
     *     {@code null} if no row was updated
     */
    public record WriteCost(long walBytes, @Nullable Double hotPercent) {}

    /**
     * An experiment of a folder at several scales.
     *
     * @param experiment name of the folder
     * @param points one point per scale, the smallest scale first
     */
    public record Growth(String experiment, List<Point> points) {}

    /**
     * An experiment at one scale.
     *
     * @param scale multiple of the rows of scale 1
     * @param experiment id of the experiment among the experiments of the run
     * @param beforeMs median of side A; {@code null} if the experiment failed
     * @param afterMs median of side B; {@code null} if the experiment failed
     * @param improvement median of before divided by median of after; {@code null} if the experiment failed
     */
    public record Point(
            int scale,
            String experiment,
            @Nullable Interval beforeMs,
            @Nullable Interval afterMs,
            @Nullable Interval improvement) {

        /** Returns the figures of an experiment at a scale. */
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
     * @param label what distinguishes the side, in a few words
     * @param stage schema stage of the database; for an experiment folder, what its database was made from
     * @param statements SQL statements in order
     * @param answer answer of the statements, in a few words
     * @param latencyMs summary of the samples
     * @param medianMs median with its interval
     * @param medianUnits median in units; absent if there is no unit
     * @param samplesMs every sample, block after block in the order of measurement
     * @param rawFile file of the samples with their times, relative to the bundle
     * @param plans one plan per statement
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
     * @param statement SQL
     * @param expected plan that the experiment requires
     * @param found scans of the plan, in a line
     * @param text the plan as a tree
     * @param file file of the engine's complete answer, relative to the bundle
     * @param recommendations statements for indexes that the engine recommends; empty if there are none, absent before
     *     2026-11-22
     */
    public record Plan(
            String statement,
            String expected,
            String found,
            String text,
            String file,
            @Nullable List<String> recommendations) {}

    /**
     * The verdict on one published ratio.
     *
     * @param source publication: {@code tuning-en}, {@code tuning-zh}, {@code multi-region-demo} or
     *     {@code edge-cache}; for an experiment folder, the source that it names
     * @param engine engine and version of the published measurement
     * @param conditions conditions of the published measurement
     * @param metric published metric, such as {@code avg latency}
     * @param unit unit of the published figures, such as {@code ms}
     * @param before published figure before the change; if a folder gives a ratio only, that ratio
     * @param after published figure after the change; if a folder gives a ratio only, 1
     * @param improvement published ratio
     * @param medians ratio of the medians of the published samples; {@code null} unless both sides have at least 20
     *     samples
     * @param weakEvidence whether a side of the published figure is a single run
     * @param verdict {@code not judged} if traffic had too few runs
     * @param reason reason for the verdict, in a sentence
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

            @OneOf({"reproduced", "direction only", "not reproduced", "no difference", "not judged"})
            String verdict,

            String reason) {}
}
