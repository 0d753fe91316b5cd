package io.movr.cache;

/**
 * The statistics of a cache since its creation.
 *
 * @param hits reads that it answered
 * @param misses cacheable reads that it sent to the database, {@code outdated} ones included
 * @param outdated misses with a cached answer that a write or its age had made invalid
 * @param bypassed reads that are not cacheable
 * @param evictions answers that were evicted or expired
 * @param invalidations rows and tables that writes made invalid
 * @param clearings times when everything was made invalid
 * @param entries answers in the cache now
 * @param bytes their estimated size
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

    /** Returns the share of hits among cacheable reads, from 0 to 1; 0 without reads. */
    public double hitRate() {
        return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
    }
}
