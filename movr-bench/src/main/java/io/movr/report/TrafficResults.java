package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What traffic from several regions found before and after stages that place rows: what {@code results.json} of such a run
 * holds.
 *
 * @param schemaVersion of this format; it grows when a reader of the former one would misread
 * @param kind {@code traffic}
 * @param startedAt time in UTC, ISO 8601
 * @param tookSeconds from the start of the command to its end
 * @param command the words of the command line
 * @param complete whether all was measured, every acknowledged write was found once, and the load generator kept up
 * @param notes what a reader must know to judge it, such as where this engine differs from CockroachDB
 * @param timeline latency over time, a line a region and second
 * @param matrix operations by gateway and home of their rows
 * @param capacities the highest rates under an objective, where one was given
 */
public record TrafficResults(
        int schemaVersion,
        String kind,
        String startedAt,
        double tookSeconds,
        List<String> command,
        boolean complete,
        List<String> notes,
        Environment environment,
        LabResults.Dataset dataset,
        List<RegionOf> regions,
        Load load,
        List<LabResults.Check> checks,
        List<Phase> phases,
        Migration migration,
        List<Second> timeline,
        List<Cell> matrix,
        Ledger ledger,
        List<Capacity> capacities,
        List<Figure> figures) {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * A region.
     *
     * @param primary whether rows without a place are there
     * @param roundTripMs to each other region, as configured; empty where the distances are not ours
     */
    public record RegionOf(String name, boolean primary, List<String> cities, Map<String, Double> roundTripMs) {}

    /**
     * What was sent.
     *
     * @param arrivalsPerSecond of all regions together
     * @param secondsPerRun without the warm-up
     * @param remoteShare of the arrivals that ask for a city of another region
     */
    public record Load(
            String mix,
            double arrivalsPerSecond,
            double warmUpSeconds,
            double secondsPerRun,
            int runs,
            double remoteShare) {}

    /**
     * Traffic at one stage, or while it was left.
     *
     * @param id {@code before}, {@code during} or {@code after}
     * @param stage the stage of the schema, that which was left for {@code during}
     */
    public record Phase(String id, String stage, List<Run> runs, List<Operation> operations) {}

    /**
     * One run of the load generator.
     *
     * @param startedMs since 1970, of the steady part
     * @param requestsPerSecond that were answered in the steady part
     * @param answered requests, the refused ones among them
     * @param refused by a rule of the service, such as a vehicle that somebody else has taken
     * @param retriedWrites how often a write whose answer was lost was sent again
     * @param lagP99Ms how late the load generator itself was
     * @param cpuShare of one processor that it used, 1 for a whole one
     * @param bottleneck why the load generator and not the service was measured; nothing when it was not so
     */
    public record Run(
            int number,
            long startedMs,
            long endedMs,
            double requestsPerSecond,
            long answered,
            long refused,
            long failed,
            long retriedWrites,
            double lagP99Ms,
            double cpuShare,
            @Nullable String bottleneck) {}

    /**
     * One kind of request of one region in a phase, its latency counted from the moment at which it was due.
     *
     * @param region of the instance that was asked, {@code all} for all together
     * @param operation {@code all} for all together
     * @param remote whether the rows were at home in another region, nothing for both together
     * @param answered requests, the refused ones among them
     */
    public record Operation(
            String region,
            String operation,
            @Nullable Boolean remote,
            long answered,
            long refused,
            long failed,
            Interval p50Ms,
            Interval p95Ms,
            Interval p99Ms,
            double maxMs) {}

    /**
     * How the schema was moved on.
     *
     * @param startedMs since 1970
     * @param seconds until the last stage was reached and every row was at home
     * @param lockedMs how long tables were locked, by stage
     * @param underTraffic whether traffic went on meanwhile
     */
    public record Migration(
            String from,
            String to,
            List<String> stages,
            long startedMs,
            double seconds,
            Map<String, Long> lockedMs,
            boolean underTraffic) {}

    /**
     * Requests of one region that were due within one second.
     *
     * @param atMs the second's beginning, since 1970; those of the warm-up are here too, and nowhere else
     * @param maxMs latency of the slowest
     */
    public record Second(
            String phase,
            String region,
            long atMs,
            long answered,
            long failed,
            double p50Ms,
            double p99Ms,
            double maxMs) {}

    /**
     * One statement asked from one region about rows of another.
     *
     * @param predictedRoundTrips between the two regions, that the design says it takes
     * @param expectedMs what those take
     * @param agrees whether the median is about that much
     */
    public record Cell(
            String stage,
            String operation,
            String gateway,
            String home,
            Interval medianMs,
            int samples,
            int predictedRoundTrips,
            double expectedMs,
            boolean agrees) {}

    /**
     * Whether every write that was acknowledged is there exactly once.
     *
     * @param unknown writes whose answer was lost for good
     * @param faults what is missing or doubled
     */
    public record Ledger(long acknowledged, long unknown, List<String> faults) {}

    /**
     * The highest rate of arrivals at which an objective is kept.
     *
     * @param quantile of the latency since requests were due that must not exceed the limit, 0 to 1
     * @param highestKept arrivals a second of all regions together, 0 when none was found
     * @param lowestBroken the lowest rate that broke it, nothing when none did
     * @param reason why the search stopped
     */
    public record Capacity(
            String stage,
            double quantile,
            double limitMs,
            double highestKept,
            @Nullable Double lowestBroken,
            List<Probe> probes,
            String reason) {}

    /**
     * Traffic at one rate for some seconds.
     *
     * @param ms the quantile that was seen
     * @param kept whether the objective was kept: the quantile low enough, and hardly a request failed
     * @param why it was not, empty when it was
     * @param generatorLimit why the load generator and not the service was measured; nothing when it was not so
     */
    public record Probe(
            double rate,
            double requestsPerSecond,
            double ms,
            long failed,
            boolean kept,
            String why,
            @Nullable String generatorLimit) {}

    /**
     * A published comparison beside what was measured here.
     *
     * @param improvement above 1 where after is better
     */
    public record Figure(
            String id,
            String title,
            String metric,
            String unit,
            double before,
            double after,
            Interval improvement,
            boolean different,
            List<LabResults.Published> published) {}
}
