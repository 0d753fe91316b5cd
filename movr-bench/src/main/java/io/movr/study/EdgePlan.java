package io.movr.study;

import io.movr.UserError;
import java.time.Duration;

/**
 * What is measured, and how far apart things are.
 *
 * @param distance round trip between client and database, 1 ms to 10 s
 * @param toPresence round trip between client and point of presence, below the distance
 * @param run length of each run under load, at least a second
 * @param rounds how often each way is measured, forth and back, 1 to 20
 * @param samples of each single statement in a round, at least 5
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
        // A run of one second may hold no whole second, of which the medians are.
        check(run.toSeconds() >= 2 && run.toHours() <= 1, "--seconds is 2 to 3600");
        check(rounds >= 1 && rounds <= 20, "--rounds is 1 to 20");
        check(samples >= 5 && samples <= 10_000, "--samples is 5 to 10000");
        check(concurrency >= 1 && concurrency <= 250, "--concurrency is 1 to 250");
        check(!timeToLive.isZero() && !timeToLive.isNegative(), "--ttl is above 0");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new UserError(rule);
        }
    }
}
