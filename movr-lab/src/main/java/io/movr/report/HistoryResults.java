package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;

/**
 * Measures of many runs in the order of time.
 *
 * @param folder folder of the runs
 * @param runs runs, the oldest first
 * @param series measures over the runs
 */
public record HistoryResults(String folder, List<Run> runs, List<Series> series) {

    /**
     * A run of a history.
     *
     * @param name name of its bundle or file
     * @param startedAt start of the run in UTC, ISO 8601
     * @param differences differences from the environment of the previous run, such as the version of the server
     */
    public record Run(String name, String startedAt, List<String> differences) {}

    /**
     * A measure over the runs.
     *
     * @param name name of the measure
     * @param unit unit of its values
     * @param points one point per run that has the measure, in the order of the runs
     */
    public record Series(String name, String unit, List<Point> points) {}

    /**
     * The value of a measure in one run.
     *
     * @param run number of the run, from 0
     * @param value value with its interval; all three numbers are equal if it has none
     */
    public record Point(int run, Interval value) {}
}
