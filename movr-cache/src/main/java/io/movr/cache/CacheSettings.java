package io.movr.cache;

import io.movr.UserError;
import java.time.Duration;
import java.util.Set;

/**
 * What a cache keeps, and for how long.
 *
 * @param timeToLive how old an answer may be, counted from when the database was asked, above 0
 * @param entries how many answers are kept at most, at least 1
 * @param memoryBytes how much they may weigh together, estimated, at least 1
 * @param largestResultBytes what a single answer may weigh; larger ones are not kept
 * @param requireChanges whether answers are given only while a {@link ChangeListener} hears of writes made elsewhere, and
 *     only from tables that tell of them
 * @param uncachedTables names of tables whose rows are read from the database each time
 */
public record CacheSettings(
        Duration timeToLive,
        long entries,
        long memoryBytes,
        long largestResultBytes,
        boolean requireChanges,
        Set<String> uncachedTables) {

    public CacheSettings {
        uncachedTables = Set.copyOf(uncachedTables);
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new UserError("A cache's time to live must be above 0, not " + timeToLive);
        }
        if (entries < 1 || memoryBytes < 1 || largestResultBytes < 1) {
            throw new UserError("A cache needs room for an entry at least: entries " + entries + ", memory "
                    + memoryBytes + " bytes, largest result " + largestResultBytes + " bytes");
        }
    }

    /** Returns the defaults of the service: a minute, 100,000 answers, 64 MiB, 1 MiB for one. */
    public static CacheSettings standard() {
        return new CacheSettings(Duration.ofMinutes(1), 100_000, 64 << 20, 1 << 20, false, Set.of());
    }

    public CacheSettings withTimeToLive(Duration other) {
        return new CacheSettings(other, entries, memoryBytes, largestResultBytes, requireChanges, uncachedTables);
    }

    public CacheSettings withRequiredChanges() {
        return new CacheSettings(timeToLive, entries, memoryBytes, largestResultBytes, true, uncachedTables);
    }
}
