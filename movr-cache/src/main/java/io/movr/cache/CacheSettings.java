package io.movr.cache;

import io.movr.UserError;
import java.time.Duration;
import java.util.Set;

/**
 * The limits of a cache.
 *
 * @param timeToLive the maximum age of an answer, counted from the query to the database, above 0
 * @param entries the maximum number of answers, at least 1
 * @param memoryBytes the maximum of their estimated size together, at least 1
 * @param largestResultBytes the maximum size of one answer; larger ones are not cached
 * @param requireChanges whether answers are given only while a {@link ChangeListener} receives writes of other clients, and only
 *     from tables that notify of writes
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
