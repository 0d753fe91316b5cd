package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;
import java.util.Map;

/**
 * The measures of many runs in the order of time, and where they changed.
 *
 * @param folder that they were read from
 * @param runs the oldest first
 */
public record HistoryResults(String folder, List<Run> runs, List<Series> series) {

    /**
     * A run.
     *
     * @param name of its bundle or file
     * @param startedAt time in UTC, ISO 8601
     * @param facts where it was measured, which may explain a change
     */
    public record Run(String name, String startedAt, Map<String, String> facts) {}

    /**
     * A measure.
     *
     * @param points in the order of the runs, which need not all have it
     * @param changes in the same order
     */
    public record Series(String name, String unit, List<Point> points, List<Change> changes) {}

    /**
     * What one run measured.
     *
     * @param run its number, from 0
     * @param value with its interval; all three numbers are the same if it has none
     */
    public record Point(int run, Interval value) {}

    /**
     * A change.
     *
     * @param run the first after it
     * @param before geometric mean since the change before it
     * @param after geometric mean up to the next change
     * @param pValue of a permutation test, adjusted for the number of measures
     * @param verdict {@code better} or {@code worse}
     * @param differences between this run and the one before, a line each
     */
    public record Change(
            int run, double before, double after, double pValue, String verdict, List<String> differences) {}
}
