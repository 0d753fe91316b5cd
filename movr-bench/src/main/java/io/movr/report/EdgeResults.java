package io.movr.report;

import io.movr.report.model.Report;
import io.movr.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cache near the client was worth: what {@code results.json} of such a run holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code edge}
 * @param startedAt time in UTC, ISO 8601
 * @param complete whether every answer and every row was right
 * @param faults what was not
 * @param timeToLiveMs of the cache's answers in the runs under load
 * @param conclusions where the cache pays and where not, a sentence each
 */
public record EdgeResults(
        int schemaVersion,
        String kind,
        String startedAt,
        double tookSeconds,
        List<String> command,
        boolean complete,
        List<String> faults,
        Environment environment,
        Distances distances,
        double timeToLiveMs,
        List<Run> runs,
        List<Figure> figures,
        List<Staleness> staleness,
        List<String> conclusions)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return EdgeReport.of(this);
    }

    /**
     * Round trips.
     *
     * @param databaseMs between client and database
     * @param presenceMs between client and point of presence
     * @param presenceToDatabaseMs between point of presence and database
     * @param openingMs what a new connection takes over the way to the point of presence
     */
    public record Distances(double databaseMs, double presenceMs, double presenceToDatabaseMs, double openingMs) {}

    /**
     * One run under load.
     *
     * @param way {@code direct}, {@code presence} or {@code near}
     * @param hitRate from 0 to 1, the ramp included; {@code null} without a cache
     */
    public record Run(
            String workload,
            String way,
            int clients,
            double seconds,
            long operations,
            long errors,
            double perSecond,
            double p50Ms,
            double p99Ms,
            @Nullable Double hitRate,
            long invalidations,
            long evictions) {}

    /**
     * A published comparison, measured.
     *
     * @param before direct, the median of all samples
     * @param after with the cache
     * @param improvement above 1 where the cache is better
     * @param noiseFloor by how much the direct way differs from itself
     * @param pAdjusted of Welch's t-test between the logarithms of the medians of each way's measurements, adjusted by Holm
     *     over the figures; {@code null} where there are too few of them to judge
     * @param different whether the two ways differ: the adjusted p-value is below 5%, and the interval outside the noise
     */
    public record Figure(
            String id,
            String what,
            String metric,
            String unit,
            Interval before,
            Interval after,
            Interval improvement,
            double noiseFloor,
            @Nullable Double pAdjusted,
            boolean different,
            List<LabResults.Published> published) {}

    /**
     * How old what was read was.
     *
     * @param stale reads that began after a newer version had been acknowledged
     * @param ageP50Ms of the stale ones: since the first version that they missed was acknowledged
     * @param faults stale reads where none may be
     */
    public record Staleness(
            String mode,
            String meaning,
            long reads,
            long stale,
            double staleShare,
            double medianMs,
            double p99Ms,
            double meanMs,
            double ageP50Ms,
            double ageP99Ms,
            double ageMaxMs,
            List<String> faults) {}
}
