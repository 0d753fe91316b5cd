package io.movr.cache;

/**
 * What a cache has done since it was made.
 *
 * @param hits reads that it answered
 * @param misses reads that it asked the database for and could have answered, {@code outdated} ones included
 * @param outdated misses of which it had an answer that a write or time had made invalid
 * @param bypassed statements that read and that it may not answer
 * @param evictions answers that gave way to others, or whose time was over
 * @param invalidations writes that made answers invalid, as many as rows or tables were named
 * @param clearings times when everything was made invalid
 * @param entries answers that it holds now
 * @param bytes what they weigh, estimated
 */
public record CacheStatistics(
        long hits,
        long misses,
        long outdated,
        long bypassed,
        long evictions,
        long invalidations,
        long clearings,
        long entries,
        long bytes) {

    /** Hits of all reads that could have been hits, from 0 to 1; 0 without any. */
    public double hitRate() {
        return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
    }
}
