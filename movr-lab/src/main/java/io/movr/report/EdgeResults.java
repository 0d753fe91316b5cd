package io.movr.report;

import io.movr.report.model.Report;
import io.movr.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of the study of a cache near the client.
 *
 * @param tookSeconds time from the start of the command to its end
 * @param complete whether every answer and every row was correct
 * @param faults wrong answers and wrong rows, a line each
 * @param distances simulated distances
 * @param timeToLiveMs time to live of cached answers in the runs under load
 * @param runs runs under load
 * @param figures published comparisons
 * @param staleness age of cached answers, by mode
 * @param conclusions where the cache pays and where it does not, a sentence each
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

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return EdgeReport.of(this);
    }

    /**
     * Round-trip times in milliseconds.
     *
     * @param databaseMs between client and database
     * @param presenceMs between client and point of presence
     * @param presenceToDatabaseMs between point of presence and database
     * @param openingMs additional time of a new connection to the point of presence
     */
    public record Distances(double databaseMs, double presenceMs, double presenceToDatabaseMs, double openingMs) {}

    /**
     * One run under load.
     *
     * @param workload name of the workload
     * @param way way to the database: {@code direct}, through a cache at a point of presence, or through a cache near
     *     the client
     * @param clients number of clients
     * @param seconds length of the run
     * @param operations successful operations
     * @param errors failed operations
     * @param perSecond successful operations per second
     * @param hitRate share of reads that the cache answered, including the ramp-up, 0 to 1; {@code null} without a
     *     cache
     * @param invalidations answers that writes removed from the cache
     * @param evictions answers that the cache removed for space
     */
    public record Run(
            String workload,
            @OneOf({"direct", "presence", "near"}) String way,
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
     * @param id id in the published figures
     * @param what what is compared
     * @param metric what {@code before} and {@code after} are
     * @param unit unit of {@code before} and {@code after}, such as {@code ms}
     * @param before median of all samples without a cache
     * @param after median of all samples with the cache
     * @param improvement ratio of the medians, above 1 if the cache is better
     * @param noiseFloor factor, at least 1, by which measurements without a cache differ from each other
     * @param pAdjusted p-value of Welch's t-test on the logarithms of the medians of the measurements, adjusted by
     *     Holm over the figures; {@code null} if there are too few measurements, absent before 2026-11-23
     * @param different whether the two ways differ: the adjusted p-value is below 5%, and the interval is outside the
     *     noise
     * @param published verdicts, one per published source
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
     * The age of answers in one mode of the cache.
     *
     * @param mode name of the mode
     * @param meaning meaning of the mode, in a sentence
     * @param reads number of reads
     * @param stale reads that began after a newer version was acknowledged
     * @param staleShare stale share of all reads, 0 to 1
     * @param medianMs median time of a read
     * @param p99Ms 99th percentile of the time of a read
     * @param meanMs mean time of a read
     * @param ageP50Ms median age of stale reads: time since the first missed version was acknowledged
     * @param ageP99Ms 99th percentile of the age of stale reads
     * @param ageMaxMs maximum age of stale reads
     * @param faults stale reads that the mode forbids, a line each
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
