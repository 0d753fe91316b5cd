package io.movr.study;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.edge.CacheSettings;
import io.movr.edge.CachingDataSource;
import io.movr.edge.ChangeFeed;
import io.movr.edge.ChangeListener;
import io.movr.edge.ChangeTriggers;
import io.movr.report.EdgeResults.Staleness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * How old what is read may be: writers count rows up, readers far away read them. A read is stale when it began after a
 * newer version was acknowledged to its writer; its age is how long ago the first version that it missed was
 * acknowledged. Writers and readers share a clock.
 */
final class StalenessProbe {

    private static final int ROWS = 20;
    private static final int READERS = 4;
    private static final long WRITE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final String READ = "SELECT version FROM edge_versions WHERE id = ?";
    private static final String WRITE = "UPDATE edge_versions SET version = ? WHERE id = ?";

    private final EdgePlan plan;
    private final Cluster cluster;
    private final Gateway database;
    private final Gateway far;
    private final Consumer<String> progress;

    StalenessProbe(EdgePlan plan, Cluster cluster, Gateway database, Gateway far, Consumer<String> progress) {
        this.plan = plan;
        this.cluster = cluster;
        this.database = database;
        this.far = far;
        this.progress = progress;
    }

    List<Staleness> measure() throws SQLException, InterruptedException {
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE edge_versions (id INT PRIMARY KEY, version BIGINT NOT NULL)");
            statement.execute("INSERT INTO edge_versions SELECT n, 0 FROM generate_series(0, " + (ROWS - 1) + ") n");
        }
        List<Staleness> all = new ArrayList<>();
        all.add(probe("direct", "nothing: every read asks the database", EdgeStudy.unpooled(far), null, READ, true));
        for (Duration ttl : List.of(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(3))) {
            try (CachingDataSource cache =
                    EdgeStudy.cached(far, CacheSettings.standard().withTimeToLive(ttl))) {
                all.add(probe(
                        "ttl-" + ttl.toMillis() + "ms",
                        "answers are kept for " + ttl.toMillis() + " ms",
                        cache,
                        null,
                        READ,
                        false));
            }
        }
        try (CachingDataSource cache = EdgeStudy.cached(far, CacheSettings.standard())) {
            all.add(probe("written-through", "writes pass through the cache too", cache, cache, READ, true));
        }
        if (cluster.engine() == Engine.COCKROACHDB) {
            all.add(probe(
                    "follower-reads",
                    "the nearest replica answers, as of some seconds ago",
                    EdgeStudy.unpooled(far),
                    null,
                    "SELECT version FROM edge_versions AS OF SYSTEM TIME follower_read_timestamp() WHERE id = ?",
                    false));
            all.add(probe(
                    "bounded-staleness",
                    "the nearest replica answers, as late as it can and at most 10 s ago",
                    EdgeStudy.unpooled(far),
                    null,
                    "SELECT version FROM edge_versions AS OF SYSTEM TIME with_max_staleness('10s') WHERE id = ?",
                    false));
        }
        Staleness notified = notified();
        if (notified != null) {
            all.add(notified);
        }
        Staleness global = cluster.engine() == Engine.COCKROACHDB ? global() : null;
        if (global != null) {
            all.add(global);
        }
        return all;
    }

    /** Triggers tell of writes, or a changefeed; whether a cluster has the latter is not for us to decide. */
    private @Nullable Staleness notified() throws SQLException, InterruptedException {
        boolean triggers = cluster.engine() == Engine.POSTGRESQL;
        try (Connection connection = database.connect("movr-edge")) {
            if (triggers) {
                ChangeTriggers.install(connection);
            } else if (cluster.embedded()) {
                ChangeFeed.enable(connection);
            }
        }
        try (CachingDataSource cache =
                        EdgeStudy.cached(far, CacheSettings.standard().withRequiredChanges());
                ChangeListener listener = new ChangeListener(cache, () -> far.connect("movr-edge-listener"))) {
            if (listener.awaitHearing(Duration.ofSeconds(60))) {
                return probe("notification", "the database tells of writes", cache, null, READ, false);
            }
            if (triggers) {
                throw new Refusal(
                        "The cache could not listen to " + far.shown() + " within 60 s: " + listener.obstacle());
            }
            progress.accept("Notification needs a changefeed: " + listener.obstacle());
            return null;
        } finally {
            if (triggers) {
                try (Connection connection = database.connect("movr-edge")) {
                    ChangeTriggers.remove(connection);
                }
            }
        }
    }

    /** Only a database with regions has such tables. */
    private @Nullable Staleness global() throws SQLException, InterruptedException {
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE edge_versions SET LOCALITY GLOBAL");
        } catch (SQLException withoutRegions) {
            progress.accept("GLOBAL tables need a database with regions: " + Refusal.firstLine(withoutRegions));
            return null;
        }
        return probe(
                "global-table",
                "a GLOBAL table, read at the nearest replica",
                EdgeStudy.unpooled(far),
                null,
                READ,
                true);
    }

    /** The versions of a row, as they were acknowledged; a version's number is its place. */
    private static final class Row {
        private final ConcurrentHashMap<Long, Long> acknowledged = new ConcurrentHashMap<>();
        private volatile long latest;
    }

    /**
     * Measures one way.
     *
     * @param writes where writers write; directly at the database when it is nothing
     * @param exact whether no read may be stale
     */
    private Staleness probe(
            String mode, String meaning, DataSource reads, @Nullable DataSource writes, String sql, boolean exact)
            throws SQLException, InterruptedException {
        progress.accept("Staleness, " + mode);
        List<Row> rows = new ArrayList<>();
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE edge_versions SET version = 0");
        }
        for (int id = 0; id < ROWS; id++) {
            rows.add(new Row());
        }
        ConcurrentHistogram latency = new ConcurrentHistogram(3);
        ConcurrentHistogram age = new ConcurrentHistogram(3);
        List<String> faults = new ArrayList<>();
        long end = System.nanoTime() + plan.run().toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
        try {
            List<Future<Void>> running = new ArrayList<>();
            running.add(threads.submit(() -> {
                try (Connection connection = writes == null ? database.connect("movr-edge") : writes.getConnection()) {
                    write(connection, rows, end);
                }
                return null;
            }));
            for (int reader = 0; reader < READERS; reader++) {
                SplittableRandom random = new SplittableRandom(reader);
                running.add(threads.submit(() -> {
                    try (Connection connection = reads.getConnection()) {
                        read(connection, sql, rows, random, end, latency, age);
                    }
                    return null;
                }));
            }
            for (Future<Void> one : running) {
                one.get(plan.run().toSeconds() + 60, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | java.util.concurrent.TimeoutException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new Refusal("Staleness, " + mode + ": " + Refusal.firstLine(cause), cause);
        } finally {
            threads.shutdownNow();
        }
        if (exact && age.getTotalCount() > 0) {
            faults.add("Staleness, " + mode + ": " + age.getTotalCount() + " reads were stale, where none may be");
        }
        return new Staleness(
                mode,
                meaning,
                latency.getTotalCount(),
                age.getTotalCount(),
                latency.getTotalCount() == 0 ? 0 : (double) age.getTotalCount() / latency.getTotalCount(),
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                latency.getMean() / 1e6,
                age.getValueAtPercentile(50) / 1e6,
                age.getValueAtPercentile(99) / 1e6,
                age.getMaxValue() / 1e6,
                faults);
    }

    private static void write(Connection connection, List<Row> rows, long end) throws SQLException {
        SplittableRandom random = new SplittableRandom(7);
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            long due = System.nanoTime();
            while (due < end) {
                int id = random.nextInt(ROWS);
                Row row = rows.get(id);
                long version = row.latest + 1;
                statement.setLong(1, version);
                statement.setInt(2, id);
                statement.executeUpdate();
                row.acknowledged.put(version, System.nanoTime());
                row.latest = version;
                due = Math.max(due + WRITE_EVERY_NANOS, System.nanoTime() - WRITE_EVERY_NANOS);
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
    }

    private static void read(
            Connection connection,
            String sql,
            List<Row> rows,
            SplittableRandom random,
            long end,
            ConcurrentHistogram latency,
            ConcurrentHistogram age)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            while (System.nanoTime() < end) {
                int id = random.nextInt(ROWS);
                Row row = rows.get(id);
                long latest = row.latest;
                long begun = System.nanoTime();
                statement.setInt(1, id);
                long version;
                try (ResultSet answer = statement.executeQuery()) {
                    version = answer.next() ? answer.getLong(1) : -1;
                }
                latency.recordValue(System.nanoTime() - begun);
                if (version < latest) {
                    Long missed = row.acknowledged.get(version + 1);
                    age.recordValue(Math.max(0, begun - (missed == null ? begun : missed)));
                }
                LockSupport.parkNanos(READ_EVERY_NANOS);
            }
        }
    }
}
