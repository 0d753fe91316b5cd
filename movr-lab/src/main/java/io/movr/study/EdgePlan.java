package io.movr.study;

import io.movr.UserError;
import java.time.Duration;

/**
 * The settings of the study: the distances, and the size of the measurements.
 *
 * @param distance the round trip between client and database, 1 ms to 10 s
 * @param toPresence the round trip between client and point of presence, less than the distance
 * @param run the duration of each run under load, more than 1 s, because medians are of whole seconds
 * @param rounds the number of rounds; each round measures the paths in forward and in reverse order
 * @param samples the number of samples of each single statement for each path
 * @param concurrency the number of workers of YCSB
 * @param rows the number of rows of YCSB
 * @param scale the scale of TPC-B
 * @param timeToLive the time to live of cached results
 */
public record EdgePlan(
        Duration distance,
        Duration toPresence,
        Duration run,
        int rounds,
        int samples,
        int concurrency,
        long rows,
        int scale,
        Duration timeToLive) {

    public EdgePlan {
        check(distance.toMillis() >= 1 && distance.toSeconds() <= 10, "--rtt is out of range: 1 ms to 10 s");
        check(
                !toPresence.isNegative() && toPresence.compareTo(distance) < 0,
                "--pop-rtt is out of range: at least 0, and less than --rtt");
    }

    /**
     * Returns a plan by its scale.
     *
     * @throws UserError if there is no such scale, or a distance is out of range
     */
    public static EdgePlan of(String scale, Duration distance, Duration toPresence) {
        return switch (scale) {
            case "quick" ->
                new EdgePlan(distance, toPresence, Duration.ofSeconds(8), 2, 30, 100, 10_000, 8, Duration.ofMinutes(1));
            case "tiny" ->
                new EdgePlan(distance, toPresence, Duration.ofSeconds(2), 2, 10, 5, 200, 1, Duration.ofMinutes(1));
            default -> throw new UserError("There is no scale '" + scale + "' of this study: choose tiny or quick");
        };
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new UserError(rule);
        }
    }
}
