package io.movr.study;

import io.movr.UserError;
import java.time.Duration;

/**
 * The plan of the study: what is measured, and the distances.
 *
 * @param distance round trip between client and database, 1 ms to 10 s
 * @param toPresence round trip between client and point of presence, below the distance
 * @param run length of each run under load; one of a second may hold no whole second, of which the medians are
 * @param rounds how often each way is measured, forward and in reverse
 * @param samples of each single statement in a round
 * @param concurrency workers of YCSB
 * @param rows of YCSB
 * @param scale of TPC-B
 * @param timeToLive of the cache's answers
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
        check(distance.toMillis() >= 1 && distance.toSeconds() <= 10, "--rtt is 1 ms to 10 s");
        check(
                !toPresence.isNegative() && toPresence.compareTo(distance) < 0,
                "--pop-rtt is 0 or more, and less than --rtt");
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
