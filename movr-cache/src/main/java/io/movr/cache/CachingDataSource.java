package io.movr.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.movr.cache.Catalog.Table;
import io.movr.cache.ResultCache.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that answers reads from memory when it can. It replaces another data source without changes to the application.
 *
 * <p>It caches the answer to a SELECT that certainly depends only on rows of plain tables and on its parameters. The answer
 * is valid until it expires or until a write through this data source may have changed one of those rows. A write takes effect
 * when it is committed, before the commit returns. Statements that are not understood go to the database, and statements that
 * might write invalidate all answers.
 *
 * <p>All reads go to the database in a transaction of an isolation level above read committed, in a transaction that has
 * written, in a session that has ever changed its role or another setting, and for another user than the data source's. Writes
 * of other clients are visible when an answer expires, or when a {@link ChangeListener} receives them.
 *
 * <p>A connection opens one of the underlying data source only when it needs the database.
 */
public final class CachingDataSource extends DelegatingDataSource implements AutoCloseable {

    /** The time without caching after a commit with an unknown outcome, which may take effect later. */
    private static final Duration UNKNOWN_OUTCOME = Duration.ofSeconds(30);

    private static final Duration CATALOG_EVERY = Duration.ofSeconds(30);
    private static final Duration CATALOG_RETRY = Duration.ofMillis(500);
    private static final int MAX_STATEMENTS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(CachingDataSource.class);

    private final CacheSettings settings;
    private final ResultCache results;
    private final Cache<String, Sql> statements =
            Caffeine.newBuilder().maximumSize(MAX_STATEMENTS).build();
    private final Set<String> notKept = ConcurrentHashMap.newKeySet();
    private final Cache<Object, Session> sessions =
            Caffeine.newBuilder().weakKeys().build();
    private final AtomicLong catalogChanges = new AtomicLong();
    private final Semaphore catalogAwaited = new Semaphore(0);
    private final Thread background = new Thread(this::keepCatalog, "cache-catalog");
    private volatile boolean closed;
    private volatile @Nullable Catalog catalog;
    private volatile @Nullable Predicate<Table> notifyingTables;
    private final AtomicInteger escaped = new AtomicInteger();

    /** Wraps a data source whose connections all have the same user and settings. */
    public CachingDataSource(DataSource target, CacheSettings settings) {
        this(target, settings, Ticker.systemTicker());
    }

    CachingDataSource(DataSource target, CacheSettings settings, Ticker clock) {
        super(target);
        this.settings = settings;
        this.results = new ResultCache(settings, clock);
        background.setDaemon(true);
        background.start();
    }

    @Override
    public Connection getConnection() {
        return CachingConnection.open(this, null);
    }

    /** Returns a connection of another user, whose reads are not cached; its writes invalidate answers. */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return CachingConnection.open(this, targetOf().getConnection(username, password));
    }

    @Override
    public void close() {
        closed = true;
        background.interrupt();
    }

    /** Waits until it has read the catalog, before which it caches nothing; returns whether it has. */
    public boolean awaitReady(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (catalog == null) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }

    public CacheStatistics statistics() {
        return results.statistics();
    }

    /** Registers its metrics as {@code movr.cache.*}. */
    public void bindTo(MeterRegistry meters) {
        counter(meters, "movr.cache.requests", "Reads that the cache could answer", "hit", CacheStatistics::hits);
        counter(meters, "movr.cache.requests", "Reads that the cache could answer", "miss", CacheStatistics::misses);
        counter(
                meters,
                "movr.cache.requests",
                "Reads that the cache could answer",
                "bypass",
                CacheStatistics::bypassed);
        counter(meters, "movr.cache.evictions", "Answers that gave way, or grew old", "", CacheStatistics::evictions);
        counter(
                meters,
                "movr.cache.invalidations",
                "Rows and tables that writes made invalid",
                "rows",
                CacheStatistics::invalidations);
        counter(
                meters,
                "movr.cache.invalidations",
                "Rows and tables that writes made invalid",
                "everything",
                CacheStatistics::clearings);
        Gauge.builder("movr.cache.entries", this, cache -> cache.statistics().entries())
                .description("Answers in the cache")
                .register(meters);
        Gauge.builder("movr.cache.size", this, cache -> cache.statistics().bytes())
                .description("What the answers weigh, estimated")
                .baseUnit("bytes")
                .register(meters);
    }

    private void counter(
            MeterRegistry meters,
            String name,
            String description,
            String kind,
            ToDoubleFunction<CacheStatistics> count) {
        FunctionCounter.Builder<CachingDataSource> counter = FunctionCounter.builder(
                        name, this, cache -> count.applyAsDouble(cache.statistics()))
                .description(description);
        (kind.isEmpty() ? counter : counter.tag("kind", kind)).register(meters);
    }

    DataSource targetOf() {
        return Objects.requireNonNull(getTargetDataSource());
    }

    ResultCache results() {
        return results;
    }

    long largestResultBytes() {
        return settings.largestResultBytes();
    }

    Sql read(String sql) {
        return statements.get(sql, SqlReader::read);
    }

    void excludeFromCache(String sql) {
        if (notKept.size() < MAX_STATEMENTS) {
            notKept.add(sql);
        }
    }

    /** Returns the catalog; {@code null} while the cache must not be used. */
    @Nullable
    Catalog catalogForReading() {
        return results.answers() && escaped.get() == 0 && (isInvalidationUp() || !settings.requireChanges())
                ? catalog
                : null;
    }

    /** Returns which rows an answer depends on; {@code null} if it must not be cached. */
    @Nullable
    List<Rows> rows(String sql, Sql.Read read, Catalog known, Map<Integer, Parameter> parameters) {
        Predicate<Table> enough = settings.requireChanges() ? notifyingTables : table -> true;
        return enough == null || notKept.contains(sql)
                ? null
                : Reach.of(read, known, parameters, enough.and(this::isCached)).orElse(null);
    }

    private boolean isCached(Table table) {
        return !settings.uncachedTables().contains(table.root().table());
    }

    Effects effects(Sql sql, Map<Integer, Parameter> parameters) {
        if (sql instanceof Sql.Write write) {
            Catalog known = catalog;
            return known == null ? Effects.EVERY_ROW : Reach.of(write, known, parameters);
        }
        return sql == Sql.Other.UNKNOWN ? Effects.ANYTHING : Effects.NONE;
    }

    /** Invalidates the answers that depend on written rows. */
    void apply(Effects effects) {
        if (effects.tables()) {
            synchronized (catalogChanges) {
                catalog = null;
                catalogChanges.incrementAndGet();
            }
            catalogAwaited.release();
        }
        if (effects.everyRow()) {
            results.clear();
        } else {
            effects.rows().forEach(results::invalidate);
        }
    }

    /** Suspends the cache after a write with an unknown outcome. */
    void outcomeUnknown() {
        results.suspend(UNKNOWN_OUTCOME);
    }

    /** Records that the caller has obtained the driver's connection, and may change anything through it until it is closed. */
    void escapes() {
        escaped.incrementAndGet();
    }

    void returns() {
        apply(Effects.ANYTHING);
        escaped.decrementAndGet();
    }

    /** Returns the tracked state of a connection's session. */
    Session session(Connection connection) throws SQLException {
        Object physical = connection.isWrapperFor(PGConnection.class)
                ? connection.unwrap(PGConnection.class)
                : connection.unwrap(Connection.class);
        return sessions.get(physical, unused -> new Session());
    }

    /** Marks invalidation as up, for some of the tables. */
    void invalidationUp(Predicate<Table> tables) {
        // Writes while there was no listener were missed.
        results.clear();
        notifyingTables = tables;
        LOG.info("Invalidation is up: the database notifies of writes of other clients");
    }

    /** Marks invalidation as down. */
    void invalidationDown() {
        results.clear();
        notifyingTables = null;
    }

    boolean isInvalidationUp() {
        return notifyingTables != null;
    }

    /** Invalidates rows that another client has written. */
    void changedElsewhere(Rows rows) {
        results.invalidate(rows);
    }

    void changedElsewhere() {
        apply(Effects.EVERY_ROW);
    }

    /** Reads the catalog again, after another client may have changed tables. */
    void tablesChangedElsewhere() {
        apply(Effects.ANYTHING);
    }

    @Nullable
    Catalog catalog() {
        return catalog;
    }

    /** Reads the catalog periodically, and at once after a possible change. */
    private void keepCatalog() {
        try {
            while (!closed) {
                boolean read = readCatalog();
                catalogAwaited.tryAcquire((read ? CATALOG_EVERY : CATALOG_RETRY).toMillis(), TimeUnit.MILLISECONDS);
                catalogAwaited.drainPermits();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean readCatalog() {
        long before = catalogChanges.get();
        try (Connection connection = targetOf().getConnection()) {
            Catalog fresh = Catalog.read(connection);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            if (!fresh.equals(catalog)) {
                // What was kept was kept by what was known before.
                catalog = null;
                results.clear();
            }
            synchronized (catalogChanges) {
                if (before == catalogChanges.get()) {
                    catalog = fresh;
                }
            }
            return true;
        } catch (SQLException | RuntimeException failed) {
            LOG.debug("The cache cannot read the catalog", failed);
            catalog = null;
            return false;
        }
    }
}
