package io.movr.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.movr.cache.Sql.Name;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Cached answers by statement and parameters. A write searches for no answers: each answer carries the versions of its tables
 * from <em>before</em> the query, and is valid as long as these are current. So a read that began before a write and ends after
 * it leaves an answer that is invalid from the start.
 */
final class ResultCache {

    /** The number of versions of a table; rows that share one cost hits, and never a wrong answer. */
    private static final int STRIPES = 4_096;

    /**
     * A statement with its parameters.
     *
     * @param parameters values that never change
     */
    record Key(String sql, List<Parameter> parameters) {}

    /** All rows of a table, or those with a key. */
    record Rows(Name table, @Nullable Object key) {}

    /** The state of some rows at a time. */
    record Versions(List<Rows> rows, List<Long> versions, long everything, long nanoTime) {}

    private record Entry(Versions versions, Snapshot answer) {}

    /** Counts the writes to a table. */
    private static final class Table {
        private final AtomicLong any = new AtomicLong();
        private final AtomicLong whole = new AtomicLong();
        private final AtomicLongArray stripes = new AtomicLongArray(STRIPES);

        /** Returns the version of some rows, which increases whenever they may have changed. */
        long version(@Nullable Object key) {
            return key == null ? any.get() : whole.get() + stripes.get(stripe(key));
        }

        void changed(@Nullable Object key) {
            if (key == null) {
                whole.incrementAndGet();
            } else {
                stripes.incrementAndGet(stripe(key));
            }
            any.incrementAndGet();
        }

        private static int stripe(Object key) {
            int hash = key.hashCode() * 0x9E3779B9;
            return (hash ^ (hash >>> 16)) & (STRIPES - 1);
        }
    }

    private final Cache<Key, Entry> entries;
    private final Map<Name, Table> tables = new ConcurrentHashMap<>();
    private final AtomicLong everything = new AtomicLong();
    private final CacheSettings settings;
    private final Ticker clock;
    private volatile long suspendedUntil;
    private volatile boolean suspended;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder outdated = new LongAdder();
    private final LongAdder bypassed = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder invalidations = new LongAdder();
    private final LongAdder clearings = new LongAdder();

    ResultCache(CacheSettings settings, Ticker clock) {
        this.settings = settings;
        this.clock = clock;
        // One bound for both: an entry weighs its share of the memory at least.
        long least = Math.max(1, settings.memoryBytes() / settings.entries());
        this.entries = Caffeine.newBuilder()
                .ticker(clock)
                .expireAfterWrite(settings.timeToLive())
                .maximumWeight(settings.memoryBytes())
                .weigher((Key key, Entry entry) ->
                        (int) Math.min(Integer.MAX_VALUE, Math.max(least, weight(key, entry))))
                .evictionListener((key, entry, cause) -> {
                    if (cause == RemovalCause.SIZE || cause == RemovalCause.EXPIRED) {
                        evictions.increment();
                    }
                })
                .build();
    }

    private static long weight(Key key, Entry entry) {
        long parameters = key.parameters().stream()
                .mapToLong(
                        parameter -> 48 + 2L * String.valueOf(parameter.value()).length())
                .sum();
        return 200
                + parameters
                + 48L * entry.versions().rows().size()
                + entry.answer().bytes();
    }

    /** Returns the versions before a read; must be called before the query. */
    Versions versions(List<Rows> rows) {
        long all = everything.get();
        List<Long> versions =
                rows.stream().map(row -> table(row.table()).version(row.key())).toList();
        return new Versions(rows, versions, all, clock.read());
    }

    /** Returns the answer, if there is a valid one. */
    @Nullable
    Snapshot find(Key key) {
        Entry entry = entries.getIfPresent(key);
        if (entry == null) {
            misses.increment();
            return null;
        }
        if (!isCurrent(entry.versions())) {
            entries.asMap().remove(key, entry);
            misses.increment();
            outdated.increment();
            return null;
        }
        hits.increment();
        return entry.answer();
    }

    /** Caches an answer, unless it is too large or no longer valid. */
    void keep(Key key, Versions before, Snapshot answer) {
        if (answer.bytes() <= settings.largestResultBytes() && isCurrent(before) && answers()) {
            entries.put(key, new Entry(before, answer));
        }
    }

    /** Returns whether the versions are unchanged and not expired. */
    boolean isCurrent(Versions versions) {
        if (versions.everything() != everything.get()
                || clock.read() - versions.nanoTime() >= settings.timeToLive().toNanos()) {
            return false;
        }
        for (int index = 0; index < versions.rows().size(); index++) {
            Rows rows = versions.rows().get(index);
            if (table(rows.table()).version(rows.key()) != versions.versions().get(index)) {
                return false;
            }
        }
        return true;
    }

    private Table table(Name name) {
        return tables.computeIfAbsent(name, unused -> new Table());
    }

    /** Invalidates the answers that depend on some rows. */
    void invalidate(Rows rows) {
        table(rows.table()).changed(rows.key());
        invalidations.increment();
    }

    /** Invalidates all answers. */
    void clear() {
        everything.incrementAndGet();
        entries.invalidateAll();
        clearings.increment();
    }

    /** Invalidates all answers, and disables the cache for some time. */
    void suspend(Duration time) {
        suspendedUntil = clock.read() + time.toNanos();
        suspended = true;
        clear();
    }

    boolean answers() {
        if (suspended && clock.read() - suspendedUntil >= 0) {
            suspended = false;
        }
        return !suspended;
    }

    void bypassed() {
        bypassed.increment();
    }

    CacheStatistics statistics() {
        entries.cleanUp();
        return new CacheStatistics(
                hits.sum(),
                misses.sum(),
                outdated.sum(),
                bypassed.sum(),
                evictions.sum(),
                invalidations.sum(),
                clearings.sum(),
                entries.estimatedSize(),
                entries.policy().eviction().orElseThrow().weightedSize().orElse(0));
    }
}
