package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;

/**
 * The measures of many runs in the order of time.
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
     * @param differences between its environment and that of the run before it, such as the version of the server
     */
    public record Run(String name, String startedAt, List<String> differences) {}

    /**
     * A measure.
     *
     * @param points in the order of the runs, which need not all have it
     */
    public record Series(String name, String unit, List<Point> points) {}

    /**
     * What one run measured.
     *
     * @param run its number, from 0
     * @param value with its interval; all three numbers are the same if it has none
     */
    public record Point(int run, Interval value) {}
}
