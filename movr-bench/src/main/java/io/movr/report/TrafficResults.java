package io.movr.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.movr.report.model.Report;
import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What traffic from several regions found before and after stages that place rows: what {@code results.json} of such a run
 * holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code traffic}
 * @param startedAt time in UTC, ISO 8601
 * @param tookSeconds from the start of the command to its end
 * @param command the words of the command line
 * @param complete whether all was measured, every acknowledged write was found once, and the load generator kept up
 * @param notes what a reader must know to judge it, such as where this engine differs from CockroachDB
 * @param timeline latency over time, a line a region and second
 * @param latencyClassWidth what the {@linkplain Second#counts() classes} of its latencies grow by from one to the next;
 *     {@code null} in results of before 2026-11-26, which have none
 * @param matrix operations by gateway and home of their rows
 * @param promoReads promo codes read in every region while the primary region changes them, by stage and way of reading
 * @param placement where each table's rows were when traffic had been sent; empty where the engine does not tell
 * @param capacities the highest rates under an objective, where one was given
 * @param outage what requests saw of a region that was killed; {@code null} if none was
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
        @Nullable Double latencyClassWidth,
        List<Cell> matrix,
        List<PromoReads> promoReads,
        List<Placed> placement,
        Ledger ledger,
        List<Capacity> capacities,
        @Nullable Outage outage,
        List<Figure> figures)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 2;

    @Override
    public Report report() {
        return TrafficReport.of(this);
    }

    /**
     * What of a table is in a region.
     *
     * @param phase {@code before} or {@code after}
     * @param leaseholders of its ranges; of an engine without ranges, partitions
     * @param replicas of its ranges, leaseholders among them
     * @param bytes of the ranges whose leaseholders these are
     */
    public record Placed(
            String phase, String stage, String table, String region, long leaseholders, long replicas, long bytes) {}

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
     * @param uncountedSeconds of traffic before the first run at each stage, which counts nowhere
     * @param leastRuns at each stage that it takes for intervals that hold for other runs too; with fewer they are within
     *     these runs only, and nothing is judged
     * @param order {@code alternating} where runs before and after took turns on two databases side by side and pairs of
     *     them are compared, {@code sequential} where all before preceded all after; {@code null} in results of before
     *     2026-11-23, which are sequential
     */
    public record Load(
            String mix,
            double arrivalsPerSecond,
            double warmUpSeconds,
            double secondsPerRun,
            int runs,
            double remoteShare,
            double uncountedSeconds,
            int leastRuns,
            @Nullable String order) {

        /** What a ratio of runs that did not take turns leaves open. */
        public static final String DRIFT =
                "All runs before the migration precede all runs after it, so drift of the machine is not excluded.";

        static final String ALTERNATING = "alternating";

        /** Whether runs before and after took turns. */
        @JsonIgnore
        public boolean isAlternating() {
            return ALTERNATING.equals(order);
        }
    }

    /**
     * Traffic at one stage, or while it was left.
     *
     * @param id {@code before}, {@code during} or {@code after}
     * @param stage the stage of the schema, that which was left for {@code during}
     * @param closedLoop the same service with clients that wait; {@code null} if that was not measured
     */
    public record Phase(
            String id,
            String stage,
            List<Run> runs,
            List<Operation> operations,
            @Nullable ClosedLoop closedLoop) {}

    /**
     * Clients that each send the next request when the one before has been answered, all for cities of their own region.
     *
     * @param secondsPerRun without the warm-up
     * @param requestsPerSecond answered, of all regions together
     * @param byRegion the same of each region
     */
    public record ClosedLoop(
            int clientsPerRegion,
            double secondsPerRun,
            List<Run> runs,
            Interval requestsPerSecond,
            Map<String, Interval> byRegion) {}

    /**
     * One run of the load generator.
     *
     * @param startedMs since 1970, of the steady part
     * @param requestsPerSecond answers that came in a second of the steady part
     * @param duePerSecond requests that became due in a second of the steady part
     * @param answered requests that were due in the steady part, the refused ones among them
     * @param refused by a rule of the service, such as a vehicle that somebody else has taken
     * @param retriedWrites how often a write whose answer was lost was sent again; {@code null} if that is not known
     * @param transactionRetries how often the service tried a transaction again, after a serialization failure as a rule,
     *     from the start of the run to its end; {@code null} if that is not known
     * @param lagP99Ms how late the load generator itself was; {@code null} if that is not known
     * @param cpuShare of one processor that it used, 1 for a whole one; {@code null} if that is not known
     * @param gatlingReport Gatling's own page of the run, in the bundle; {@code null} if there is none
     * @param bottleneck why the run says little of the service: CPU steal was high, or the load generator was
     *     late, took the processors, was cut short, or does not tell; {@code null} if it was not so
     */
    public record Run(
            int number,
            long startedMs,
            long endedMs,
            double requestsPerSecond,
            double duePerSecond,
            long answered,
            long refused,
            long failed,
            @Nullable Long retriedWrites,
            @Nullable Long transactionRetries,
            @Nullable Double lagP99Ms,
            @Nullable Double cpuShare,
            @Nullable String gatlingReport,
            @Nullable String bottleneck) {}

    /**
     * One kind of request of one region in a phase, its latency counted from the moment at which it was due. Requests that
     * failed have no latency but for those that timed out, which count with the time after which they were given up: a
     * percentile that falls among these is a lower bound.
     *
     * @param region of the instance that was asked, {@code all} for all together
     * @param operation {@code all} for all together
     * @param remote whether the rows have another home region; {@code null} for both together
     * @param answered requests, the refused ones among them
     * @param failed requests, those that timed out among them
     * @param successShare of all requests that were answered, 0 to 1
     * @param requestsPerSecond answered
     * @param p50Ms with its interval, as the others; {@code null} if nothing was answered
     * @param maxMs the slowest, and from the fastest to the slowest of the runs' slowest in place of an interval
     */
    public record Operation(
            String region,
            String operation,
            @Nullable Boolean remote,
            long answered,
            long refused,
            long failed,
            long timedOut,
            double successShare,
            Interval requestsPerSecond,
            @Nullable Interval p50Ms,
            @Nullable Interval p95Ms,
            @Nullable Interval p99Ms,
            @Nullable Interval maxMs) {}

    /**
     * How the schema was moved on. Where runs alternate, it is that of the later stage's database before any traffic, or, under
     * traffic, that of the earlier stage's database when the runs are over.
     *
     * @param startedMs since 1970
     * @param seconds until the last stage was reached and every row was placed in its home region
     * @param lockedMs how long tables were locked, by stage
     * @param underTraffic whether traffic went on meanwhile
     * @param statements those that were run by themselves, in order; none where each stage is one transaction
     */
    public record Migration(
            String from,
            String to,
            List<String> stages,
            long startedMs,
            double seconds,
            Map<String, Long> lockedMs,
            boolean underTraffic,
            List<Statement> statements) {}

    /**
     * A statement of a migration, or the wait for rows to be placed, which has no stage's statement.
     *
     * @param startedMs since 1970
     * @param slowestMs latency of the slowest request that was due meanwhile; {@code null} if none was
     * @param slowestRegion of the instance that answered that request
     */
    public record Statement(
            String stage,
            String sql,
            long startedMs,
            double seconds,
            @Nullable Double slowestMs,
            @Nullable String slowestRegion) {}

    /**
     * Requests of one region that were due within one second.
     *
     * @param atMs the second's beginning, since 1970; those of the warm-up are here too, and nowhere else
     * @param p50Ms as the others of requests that have a latency; {@code null} if none has
     * @param maxMs latency of the slowest
     * @param counts how many of those that have a latency are in each class; that of class n is from
     *     {@link #latencyClassWidth} to the n-th power on, in milliseconds
     */
    public record Second(
            String phase,
            String region,
            long atMs,
            long answered,
            long failed,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            @Nullable Double maxMs,
            @Nullable SortedMap<Integer, Integer> counts) {}

    /**
     * One statement asked from one region about rows of another.
     *
     * @param predictedRoundTrips between the gateway and the leaseholder of the rows; {@code null} if the leaseholders of
     *     the rows are in several regions
     * @param expectedMs what those take, and of a write also its replication; {@code null} if nobody knows how far the
     *     regions are from each other, or where the leaseholder is
     * @param agrees whether the median is about that much; {@code null} if that is not known
     */
    public record Cell(
            String stage,
            String operation,
            String gateway,
            String home,
            Interval medianMs,
            int samples,
            @Nullable Integer predictedRoundTrips,
            @Nullable Double expectedMs,
            @Nullable Boolean agrees) {}

    /**
     * Promo codes, read in every region while the primary region changes them, 50 times a second.
     *
     * @param mode how they are placed or read
     * @param meaning of the mode
     * @param exact whether no read may be stale
     * @param writes that were acknowledged
     * @param writeMedianMs of an update of one, from the primary region
     */
    public record PromoReads(
            String stage,
            String mode,
            String meaning,
            boolean exact,
            long writes,
            double writeMedianMs,
            List<RegionReads> regions) {

        /** Whether reads were stale where none may be. */
        @JsonIgnore
        public boolean isWrong() {
            return exact && regions.stream().anyMatch(region -> region.stale() > 0);
        }
    }

    /**
     * What one reader in a region saw.
     *
     * @param stale reads that began after a newer version had been acknowledged
     * @param staleShare of all reads, 0 to 1
     * @param ageP50Ms of the stale ones: since the first version that they missed was acknowledged; 0 without any
     */
    public record RegionReads(
            String region,
            long reads,
            double medianMs,
            double p99Ms,
            long stale,
            double staleShare,
            double ageP50Ms,
            double ageMaxMs) {}

    /**
     * Whether every write that was acknowledged is there exactly once.
     *
     * @param unknown writes whose answer was lost for good
     * @param faults what is missing or doubled
     */
    public record Ledger(long acknowledged, long unknown, List<String> faults) {}

    /**
     * A region whose nodes were killed under traffic, and started again.
     *
     * @param killedMs since 1970
     * @param downSeconds from then until its nodes answered again
     */
    public record Outage(String stage, String region, long killedMs, double downSeconds, List<Affected> requests) {}

    /**
     * Requests that were due while a region was down.
     *
     * @param region of the instance that was asked
     * @param home region of the rows that were asked for
     * @param failed those that were not answered
     * @param stallSeconds the longest time from when one of them was due until one was answered, also after the region was
     *     back; {@code null} if no later one was
     */
    public record Affected(
            String region,
            String home,
            long requests,
            long failed,
            @Nullable Double stallSeconds) {}

    /**
     * The highest rate of arrivals at which an objective is kept.
     *
     * @param quantile of the latency since requests were due that must not exceed the limit, 0 to 1
     * @param highestKept arrivals a second of all regions together, {@code null} if none was found
     * @param lowestBroken the lowest rate that broke it, {@code null} if none did
     * @param reason why the search stopped
     */
    public record Capacity(
            String stage,
            double quantile,
            double limitMs,
            @Nullable Double highestKept,
            @Nullable Double lowestBroken,
            List<Probe> probes,
            String reason) {}

    /**
     * Traffic at one rate for some seconds.
     *
     * @param requestsPerSecond answered
     * @param ms the quantile of the latency, {@code null} if nothing was answered
     * @param inTime share of all requests, also of those that failed, that were answered within the limit
     * @param kept whether the objective was kept: that share is at least the quantile
     * @param why it was not, empty when it was
     * @param generatorLimit why the load generator and not the service was measured; {@code null} if it was not so
     */
    public record Probe(
            double rate,
            double requestsPerSecond,
            @Nullable Double ms,
            double inTime,
            long failed,
            boolean kept,
            String why,
            @Nullable String generatorLimit) {}

    /**
     * A published comparison beside what was measured here.
     *
     * @param improvement above 1 where after is better
     * @param noiseFloor the largest factor between two runs at the same stage, by which nothing is judged; {@code null} where there
     *     are too few runs
     * @param pAdjusted of the t-test over the logarithms of the runs' figures, Student's over pairs of runs that alternated and
     *     Welch's otherwise, adjusted by Holm over the figures; {@code null} where there are too few runs to tell
     * @param different whether before and after differ at the 5% level; false where there are too few runs to tell
     * @param published the verdicts, {@code not judged} where there are too few runs
     */
    public record Figure(
            String id,
            String title,
            String metric,
            String unit,
            Interval before,
            Interval after,
            Interval improvement,
            @Nullable Double noiseFloor,
            @Nullable Double pAdjusted,
            boolean different,
            List<LabResults.Published> published) {}
}
