package io.movr.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.movr.report.model.Report;
import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Results of traffic from several regions, before and after the schema stages that move rows to their home regions.
 *
 * @param tookSeconds time from the start of the command to its end
 * @param complete whether everything was measured, every acknowledged write was found exactly once, and the load
 *     generator was not the bottleneck
 * @param notes what a reader must know to judge the results, such as differences between this engine and CockroachDB
 * @param dataset the rows in the database
 * @param regions the regions
 * @param load the traffic that was sent
 * @param checks checks before the first run
 * @param phases the runs, by phase
 * @param migration the migration between the two stages
 * @param timeline latency over time, an entry per region and second
 * @param latencyClassWidth factor, above 1, between the lower bounds of consecutive
 *     {@linkplain Second#counts latency classes} of the timeline; {@code null} before 2026-11-26
 * @param matrix latency by operation, gateway and home region of the rows
 * @param promoReads reads of promo codes by stage and read mode
 * @param placement location of the rows of each table after the traffic; empty if the engine does not report it
 * @param ledger the check of acknowledged writes
 * @param capacities highest rates under an objective; empty if no objective was given
 * @param outage requests during the outage of a region; {@code null} if no region was killed
 * @param figures published comparisons
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

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 2;

    @Override
    public Report report() {
        return TrafficReport.of(this);
    }

    /**
     * The part of a table that is in one region.
     *
     * @param phase phase after which the location was read
     * @param stage schema stage
     * @param table name of the table
     * @param region name of the region
     * @param leaseholders number of leaseholders of its ranges in the region; number of partitions if the engine has
     *     no ranges
     * @param replicas number of replicas of its ranges in the region, including leaseholders
     * @param bytes size of the ranges whose leaseholders are in the region
     */
    public record Placed(
            @OneOf({"before", "after"}) String phase,
            String stage,
            String table,
            String region,
            long leaseholders,
            long replicas,
            long bytes) {}

    /**
     * A region.
     *
     * @param name name of the region
     * @param primary whether rows without a home region are in this region
     * @param cities cities whose home region this is
     * @param roundTripMs configured round-trip time to each other region; empty if movr does not set the distances
     */
    public record RegionOf(String name, boolean primary, List<String> cities, Map<String, Double> roundTripMs) {}

    /**
     * The traffic that was sent.
     *
     * @param mix name of the mix of operations
     * @param arrivalsPerSecond arrival rate of all regions together
     * @param warmUpSeconds length of the warm-up of each run
     * @param secondsPerRun length of a run without its warm-up
     * @param runs number of runs at each stage
     * @param remoteShare share of the arrivals that request a city of another region, 0 to 1
     * @param uncountedSeconds length of the traffic before the first run at each stage; no result counts it
     * @param leastRuns minimum number of runs at each stage for intervals that predict further runs; with fewer runs,
     *     the intervals are valid for these runs only, and nothing is judged
     * @param order {@code alternating} if runs before and after alternated on two databases, and pairs of them are
     *     compared; {@code sequential} if all runs before preceded all runs after; {@code null} before 2026-11-23, for
     *     sequential runs
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
            @OneOf({"alternating", "sequential"}) @Nullable String order) {

        /** The restriction on ratios of runs that did not alternate. */
        public static final String DRIFT =
                "All runs before the migration precede all runs after it, so drift of the machine is not excluded.";

        static final String ALTERNATING = "alternating";

        /** Returns whether runs before and after alternated. */
        @JsonIgnore
        public boolean isAlternating() {
            return ALTERNATING.equals(order);
        }
    }

    /**
     * The traffic at one schema stage, or during the migration.
     *
     * @param id name of the phase
     * @param stage schema stage; of {@code during}, the stage before the migration
     * @param runs runs in order
     * @param operations figures of all runs by region and operation
     * @param closedLoop figures of clients that wait for their answers; {@code null} if they were not measured
     */
    public record Phase(
            @OneOf({"before", "during", "after"}) String id,
            String stage,
            List<Run> runs,
            List<Operation> operations,
            @Nullable ClosedLoop closedLoop) {}

    /**
     * Clients that send their next request after the previous answer, all for cities of their own region.
     *
     * @param clientsPerRegion number of clients in each region
     * @param secondsPerRun length of a run without its warm-up
     * @param runs runs in order
     * @param requestsPerSecond answered requests per second of all regions together
     * @param byRegion answered requests per second by region
     */
    public record ClosedLoop(
            int clientsPerRegion,
            double secondsPerRun,
            List<Run> runs,
            Interval requestsPerSecond,
            Map<String, Interval> byRegion) {}

    /**
     * One run of the load generator. Its steady part follows the warm-up.
     *
     * @param number number of the run
     * @param startedMs start of the steady part in milliseconds since 1970
     * @param endedMs end of the steady part in milliseconds since 1970
     * @param requestsPerSecond answers per second of the steady part
     * @param duePerSecond requests that became due per second of the steady part
     * @param answered answered requests that were due in the steady part, including refused requests
     * @param refused requests refused by a rule of the service, such as for a vehicle in use
     * @param failed requests without an answer
     * @param retriedWrites repetitions of writes whose answer was lost; {@code null} if unknown
     * @param transactionRetries transactions that the service repeated from the start of the run to its end, usually
     *     after a serialization failure; {@code null} if unknown, absent before 2026-11-22
     * @param lagP99Ms 99th percentile of the delay of the load generator itself; {@code null} if unknown
     * @param cpuShare processor time of the load generator divided by elapsed time, 1 for one whole processor;
     *     {@code null} if unknown
     * @param gatlingReport Gatling's report of the run, relative to the bundle; {@code null} if there is none, absent
     *     before 2026-11-23
     * @param bottleneck why the run says little about the service: CPU steal was high, or the load generator was late,
     *     used up the processors, was cut short or reported nothing; {@code null} if none of these
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
     * One kind of request of one region in a phase. Latency is measured from the due time. A request that timed out
     * counts with its timeout, every other failed request has no latency: a percentile among timeouts is a lower
     * bound.
     *
     * @param region region of the instance that received the requests; {@code all} for all regions together
     * @param operation kind of request; {@code all} for all kinds together
     * @param remote whether the rows have another home region; {@code null} for both together
     * @param answered answered requests, including refused requests
     * @param refused requests refused by a rule of the service
     * @param failed requests without an answer, including timeouts
     * @param timedOut requests that timed out
     * @param successShare answered share of all requests, 0 to 1
     * @param requestsPerSecond answered requests per second
     * @param p50Ms median; {@code null}, as are the others, if no request has a latency
     * @param p95Ms 95th percentile
     * @param p99Ms 99th percentile
     * @param maxMs latency of the slowest request; its interval spans the slowest requests of the runs
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
     * The migration between two schema stages. If runs alternate, it is the migration of the second database before
     * any traffic; under traffic, it is the migration of the first database after the runs.
     *
     * @param from stage before
     * @param to stage after
     * @param stages applied stages in order
     * @param startedMs start in milliseconds since 1970
     * @param seconds time until the last stage was applied and every row was in its home region
     * @param lockedMs time for which tables were locked, by stage
     * @param underTraffic whether traffic was sent during the migration
     * @param statements separately executed statements in order; empty if each stage is one transaction, absent before
     *     2026-11-22
     */
    public record Migration(
            String from,
            String to,
            List<String> stages,
            long startedMs,
            double seconds,
            Map<String, Long> lockedMs,
            boolean underTraffic,
            @Nullable List<Statement> statements) {

        @Override
        public List<Statement> statements() {
            return statements == null ? List.of() : statements;
        }
    }

    /**
     * A statement of a migration, or the wait until rows are in their home regions.
     *
     * @param stage stage that executes the statement
     * @param sql SQL, or a description of the wait
     * @param startedMs start in milliseconds since 1970
     * @param seconds duration
     * @param slowestMs latency of the slowest request that was due during the statement; {@code null} if there was
     *     none
     * @param slowestRegion region of the instance that received that request
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
     * @param phase name of the phase
     * @param region region of the instance that received the requests
     * @param atMs beginning of the second in milliseconds since 1970; only the timeline includes the warm-up
     * @param answered answered requests
     * @param failed requests without an answer
     * @param p50Ms median; {@code null}, as are the others, if no request has a latency
     * @param p99Ms 99th percentile
     * @param maxMs latency of the slowest request
     * @param counts number of requests by latency class; class n begins at {@code latencyClassWidth} to the n-th
     *     power, in milliseconds; {@code null} before 2026-11-26
     */
    public record Second(
            @OneOf({"before", "during", "after"}) String phase,
            String region,
            long atMs,
            long answered,
            long failed,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            @Nullable Double maxMs,
            @Nullable SortedMap<Integer, Integer> counts) {}

    /**
     * The latency of one operation that is sent to one region and reads or writes rows of another.
     *
     * @param stage schema stage
     * @param operation kind of statement
     * @param gateway region that receives the statement
     * @param home home region of the rows
     * @param medianMs median with its interval
     * @param samples number of samples
     * @param predictedRoundTrips predicted round trips between gateway and leaseholder; {@code null} if the
     *     leaseholders of the rows are in several regions
     * @param expectedMs expected time of the round trips, for a write including replication; {@code null} if the
     *     distances or the leaseholder are unknown
     * @param agrees whether the median is close to the expected time; {@code null} if that is unknown
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
     * Reads of promo codes in every region, while the primary region updates them 50 times per second.
     *
     * @param stage schema stage
     * @param mode placement of the table or kind of read
     * @param meaning meaning of the mode, in a sentence
     * @param exact whether the mode permits no stale read
     * @param writes acknowledged writes
     * @param writeMedianMs median time of an update in the primary region
     * @param regions one reader per region
     */
    public record PromoReads(
            String stage,
            String mode,
            String meaning,
            boolean exact,
            long writes,
            double writeMedianMs,
            List<RegionReads> regions) {

        /** Returns whether a mode without stale reads had some. */
        @JsonIgnore
        public boolean isWrong() {
            return exact && regions.stream().anyMatch(region -> region.stale() > 0);
        }
    }

    /**
     * The reads of one reader in a region.
     *
     * @param region name of the region
     * @param reads number of reads
     * @param medianMs median of all reads
     * @param p99Ms 99th percentile of all reads
     * @param stale reads that began after a newer version was acknowledged
     * @param staleShare stale share of all reads, 0 to 1
     * @param ageP50Ms median age of stale reads: time since the first missed version was acknowledged; 0 if there are
     *     none
     * @param ageMaxMs maximum age of stale reads; 0 if there are none
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
     * The check that the database contains every acknowledged write exactly once.
     *
     * @param acknowledged acknowledged writes
     * @param unknown writes whose answer was lost, also after repetition
     * @param faults missing or duplicate writes, a line each
     */
    public record Ledger(long acknowledged, long unknown, List<String> faults) {}

    /**
     * The outage of a region whose nodes were killed under traffic and started again.
     *
     * @param stage schema stage
     * @param region killed region
     * @param killedMs time of the kill in milliseconds since 1970
     * @param downSeconds time from the kill until the nodes of the region answered again
     * @param requests requests during the outage, by region and home region of their rows
     */
    public record Outage(String stage, String region, long killedMs, double downSeconds, List<Affected> requests) {}

    /**
     * Requests that were due while a region was down.
     *
     * @param region region of the instance that received the requests
     * @param home home region of the requested rows
     * @param requests number of requests
     * @param failed requests without an answer
     * @param stallSeconds longest time from the due time of a request to the next answer, which may come after the
     *     outage; {@code null} if no later request was answered
     */
    public record Affected(
            String region,
            String home,
            long requests,
            long failed,
            @Nullable Double stallSeconds) {}

    /**
     * The highest arrival rate at which a latency objective is met.
     *
     * @param stage schema stage
     * @param quantile quantile of the latency from the due time that the objective limits, 0 to 1
     * @param limitMs maximum of that quantile
     * @param highestKept highest number of arrivals per second of all regions together that met the objective;
     *     {@code null} if none did
     * @param lowestBroken lowest number of arrivals per second that did not meet the objective; {@code null} if all
     *     did
     * @param probes measured rates in order
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
     * Traffic at one arrival rate for some seconds.
     *
     * @param rate arrivals per second
     * @param requestsPerSecond answered requests per second
     * @param ms quantile of the latency; {@code null} if no request was answered
     * @param inTime share of all requests, including failed requests, that were answered within the limit, 0 to 1
     * @param failed requests without an answer
     * @param kept whether the objective was met: that share is at least the quantile
     * @param why why the objective was not met; empty if it was met
     * @param generatorLimit why the probe measured the load generator and not the service; {@code null} if it measured
     *     the service
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
     * A published comparison, measured by traffic. The intervals are Student's on the logarithms of the runs' figures.
     * The interval of the improvement is Student's on pairs of runs that alternated, Welch's if runs did not
     * alternate.
     *
     * @param id id in the published figures
     * @param title what is compared
     * @param metric what {@code before} and {@code after} are
     * @param unit unit of {@code before} and {@code after}, such as {@code ms}
     * @param before figure before the migration
     * @param after figure after the migration
     * @param improvement ratio of the figures, above 1 if after is better
     * @param noiseFloor largest factor between two runs at the same stage, which judges nothing since 2026-11-23;
     *     {@code null} if there are too few runs
     * @param pAdjusted p-value of the t-test on the logarithms of the runs' figures (Student's on pairs of runs that
     *     alternated, Welch's otherwise), adjusted by Holm over the figures; {@code null} if there are too few runs,
     *     absent before 2026-11-23
     * @param different whether before and after differ at the 5% level; {@code false} if there are too few runs
     * @param published verdicts, one per published source; {@code not judged} if there are too few runs
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
