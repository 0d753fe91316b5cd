package io.movr.report;

import io.movr.report.LabResults.Check;
import io.movr.report.LabResults.Dataset;
import io.movr.report.LabResults.Rules;
import io.movr.stats.Interval;
import io.movr.stats.Share;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often the laboratory calls a difference where there is none: what {@code results.json} of
 * {@code movr lab --against-itself} holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code self-comparison}
 * @param startedAt in UTC, ISO 8601
 * @param tookSeconds until these results were written
 * @param command the words of the command line
 * @param complete whether all runs that were asked for were made
 * @param runsAsked runs that were asked for
 * @param samples of each side of an experiment
 * @param blocks that the samples of an experiment came in
 * @param anyDifference runs in which a difference was called in at least one experiment; Holm's method keeps this, the
 *     family-wise error rate, at or below 5%
 * @param experiments in the order of measuring
 */
public record SelfComparisonResults(
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
        int runsAsked,
        int samples,
        int blocks,
        Share anyDifference,
        List<Experiment> experiments)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public @Nullable String page() {
        return null;
    }

    /**
     * An experiment of which both sides are the same.
     *
     * @param id of the experiment whose side <em>before</em> ran on both sides
     * @param label of that side
     * @param stage of the schema
     * @param writes whether its statements write
     * @param statements the SQL, in order
     * @param differences runs in which a difference was called
     * @param covering runs in which the 95% interval of the ratio contains the true ratio, 1
     * @param ratio quantiles of the ratio over the runs: the median, with the 2.5% and the 97.5% quantile as ends
     * @param medianNoiseFloor median of the runs' noise floors, a factor of at least 1
     * @param planted effects that were added to the samples of one side
     * @param runs each
     */
    public record Experiment(
            String id,
            String label,
            String stage,
            boolean writes,
            List<String> statements,
            Share differences,
            Share covering,
            Interval ratio,
            double medianNoiseFloor,
            List<Planted> planted,
            List<Run> runs) {}

    /**
     * A known effect: the measured samples of one side were divided by a factor, and judged again among the unchanged
     * other experiments of their run.
     *
     * @param factor above 1
     * @param found runs in which a difference was called
     * @param foundWithoutFloor runs in which it would have been called if there were no noise floor
     */
    public record Planted(double factor, Share found, Share foundWithoutFloor) {}

    /**
     * What one run said of one experiment.
     *
     * @param number of the run, from 1
     * @param ratio median of before over median of after, which is the same thing
     * @param noise median of before over median of the control
     * @param pValue of the test
     * @param pAdjusted by Holm over the experiments of the run
     */
    public record Run(int number, Interval ratio, Interval noise, double pValue, double pAdjusted, boolean different) {}
}
