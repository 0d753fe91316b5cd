package io.movr.report;

import io.movr.report.TrafficResults.Capacity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What holding a load on the service found: what {@code results.json} of {@code movr serve --benchmark --hold} holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code hold}
 * @param startedAt when the command began, in UTC, ISO 8601
 * @param command the words of the command line
 * @param complete whether the load was held
 * @param settings what decides the run, by the names of the options
 * @param capacity the search for the highest sustainable rate; {@code null} if a rate was given
 * @param rate that was held, arrivals per second
 * @param windows into which the run is divided
 * @param first part of the run
 * @param last part of the run, as long as the first
 * @param reasons why the load was not held, empty if it was
 */
public record HoldResults(
        int schemaVersion,
        String kind,
        String startedAt,
        List<String> command,
        boolean complete,
        Environment environment,
        Map<String, String> settings,
        @Nullable Capacity capacity,
        double rate,
        List<Window> windows,
        Part first,
        Part last,
        List<String> reasons)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public @Nullable String page() {
        return null;
    }

    /**
     * The requests that were due in a part of the run, and the service at its end. A request that failed counts as slower
     * than all that were answered.
     *
     * @param endSeconds since the load began to be held
     * @param answered arrivals that were answered as wanted
     * @param failures arrivals that were not, by reason
     * @param liveHeapBytes of the heap after a full garbage collection
     * @param residentBytes of the process; {@code null} where the system does not tell
     * @param threads of the process
     * @param openFiles descriptors of the process
     */
    public record Window(
            double endSeconds,
            long answered,
            Map<String, Long> failures,
            double p50Ms,
            double p99Ms,
            double maxMs,
            long liveHeapBytes,
            @Nullable Long residentBytes,
            int threads,
            int openFiles) {

        /** Arrivals that were not answered as wanted. */
        public long errors() {
            return failures.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Windows together.
     *
     * @param windows how many
     * @param perSecond arrivals that were answered as wanted
     * @param liveHeapBytes the median of the windows
     * @param residentBytes the median of the windows; {@code null} where the system does not tell
     */
    public record Part(
            int windows,
            double perSecond,
            long errors,
            double p50Ms,
            double p99Ms,
            double maxMs,
            double liveHeapBytes,
            @Nullable Double residentBytes) {}
}
