package io.movr.staleness;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Measures the staleness of reads: one writer increments rows, 50 times a second, while others read them. A read is stale when
 * it began after a newer version had been acknowledged to the writer; its age is how long before that the first version that it
 * missed had been acknowledged. Writer and readers share a clock.
 */
public final class VersionedReads {

    /** The number of rows. */
    public static final int ROWS = 20;

    private static final long WRITE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration FIRST_VERSION = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_MILLIS = 100;
    private static final Duration SLOWEST_STATEMENT = Duration.ofSeconds(60);
    private static final long WRITER_SEED = 7;

    /** A source of connections. */
    @FunctionalInterface
    public interface Source {

        /** Opens a connection in autocommit mode, which the caller closes. */
        Connection open() throws SQLException;
    }

    /**
     * A group of equal readers.
     *
     * @param sql takes the key of a row and answers its version
     * @param count how many, side by side
     */
    public record Readers(Source source, String sql, int count) {}

    /**
     * The result of a group of readers.
     *
     * @param stale reads that began after a newer version had been acknowledged
     * @param medianMs of all reads, as the others without age in their name
     * @param ageP50Ms of the stale ones, 0 without any, as the other ages
     */
    public record Seen(
            long reads,
            long stale,
            double medianMs,
            double meanMs,
            double p99Ms,
            double ageP50Ms,
            double ageP99Ms,
            double ageMaxMs) {

        /** Returns the share of stale reads, 0 to 1. */
        public double staleShare() {
            return reads == 0 ? 0 : (double) stale / reads;
        }
    }

    /**
     * What was measured.
     *
     * @param seen by the readers' name
     */
    public record Outcome(long writes, double writeMedianMs, Map<String, Seen> seen) {}

    private final Source writer;
    private final String update;
    private final IntFunction<Object> key;

    /**
     * Measures existing rows.
     *
     * @param update takes a version, a BIGINT, and the key of a row
     * @param key of the row of a number from 0
     */
    public VersionedReads(Source writer, String update, IntFunction<Object> key) {
        this.writer = writer;
        this.update = update;
        this.key = key;
    }

    private static final class Group {
        private final Readers readers;
        private final ConcurrentHistogram latency = new ConcurrentHistogram(3);
        private final ConcurrentHistogram age = new ConcurrentHistogram(3);

        Group(Readers readers) {
            this.readers = readers;
        }

        Seen seen() {
            return new Seen(
                    latency.getTotalCount(),
                    age.getTotalCount(),
                    latency.getValueAtPercentile(50) / 1e6,
                    latency.getMean() / 1e6,
                    latency.getValueAtPercentile(99) / 1e6,
                    age.getValueAtPercentile(50) / 1e6,
                    age.getValueAtPercentile(99) / 1e6,
                    age.getMaxValue() / 1e6);
        }
    }

    /** When the versions of a row were acknowledged. */
    private static final class Row {
        private final Map<Long, Long> acknowledged = new ConcurrentHashMap<>();
        private volatile long latest;

        void written(long version) {
            acknowledged.put(version, System.nanoTime());
            latest = version;
        }
    }

    /**
     * Writes and reads, once all readers see rows that were written for this measurement.
     *
     * @param run how long, a second or more
     * @throws UserError when a statement fails, or readers do not see what was written within 30 s
     */
    public Outcome measure(Map<String, Readers> readers, Duration run) throws InterruptedException {
        return measure(readers, run, FIRST_VERSION);
    }

    Outcome measure(Map<String, Readers> readers, Duration run, Duration patience) throws InterruptedException {
        // Above all versions of former measurements.
        long first = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        Map<String, Group> groups = new LinkedHashMap<>();
        readers.forEach((name, of) -> groups.put(name, new Group(of)));
        Histogram writes = new Histogram(3);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Connection writing = writer.open()) {
            List<Row> rows = firstVersions(writing, first);
            for (Group group : groups.values()) {
                awaitFirst(group.readers, first, patience);
            }
            long end = System.nanoTime() + run.toNanos();
            List<Future<@Nullable Void>> running = new ArrayList<>();
            running.add(threads.submit(() -> {
                write(writing, rows, writes, end);
                return null;
            }));
            for (Group group : groups.values()) {
                for (int reader = 0; reader < group.readers.count(); reader++) {
                    SplittableRandom random = new SplittableRandom(reader);
                    running.add(threads.submit(() -> {
                        read(group, rows, first, random, end);
                        return null;
                    }));
                }
            }
            for (Future<@Nullable Void> one : running) {
                one.get(run.plus(SLOWEST_STATEMENT).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException | SQLException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new UserError("Staleness cannot be measured: " + UserError.firstLine(cause), cause);
        } finally {
            threads.shutdownNow();
        }
        Map<String, Seen> seen = new LinkedHashMap<>();
        groups.forEach((name, group) -> seen.put(name, group.seen()));
        return new Outcome(writes.getTotalCount(), writes.getValueAtPercentile(50) / 1e6, seen);
    }

    /**
     * Writes the first versions in one transaction, because each transaction that writes to a GLOBAL table waits for the clocks
     * of all regions.
     */
    private List<Row> firstVersions(Connection connection, long first) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            for (int number = 0; number < ROWS; number++) {
                write(statement, number, first);
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        List<Row> rows = new ArrayList<>();
        for (int number = 0; number < ROWS; number++) {
            Row row = new Row();
            row.written(first);
            rows.add(row);
        }
        return rows;
    }

    private void write(PreparedStatement statement, int number, long version) throws SQLException {
        statement.setLong(1, version);
        statement.setObject(2, key.apply(number));
        if (statement.executeUpdate() != 1) {
            throw new SQLException("the row '" + key.apply(number) + "' to count up is not there");
        }
    }

    /** Waits until readers see the first versions; followers and subscribers may lack the rows at first. */
    private void awaitFirst(Readers readers, long first, Duration patience) throws SQLException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            SQLException failure = null;
            try (Connection connection = readers.source().open();
                    PreparedStatement statement = connection.prepareStatement(readers.sql())) {
                if (version(statement, ROWS - 1) >= first) {
                    return;
                }
            } catch (SQLException failed) {
                failure = failed;
            }
            if (System.nanoTime() > end) {
                throw failure != null
                        ? failure
                        : new SQLException("readers do not see what was written " + patience.toSeconds() + " s ago");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    /** Returns the version of a row; a number below all versions if the row does not exist. */
    private long version(PreparedStatement statement, int number) throws SQLException {
        statement.setObject(1, key.apply(number));
        try (ResultSet answer = statement.executeQuery()) {
            return answer.next() ? answer.getLong(1) : -1;
        }
    }

    private void write(Connection connection, List<Row> rows, Histogram took, long end) throws SQLException {
        SplittableRandom random = new SplittableRandom(WRITER_SEED);
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            long due = System.nanoTime();
            while (due < end) {
                int number = random.nextInt(ROWS);
                Row row = rows.get(number);
                long version = row.latest + 1;
                long begun = System.nanoTime();
                write(statement, number, version);
                row.written(version);
                took.recordValue(System.nanoTime() - begun);
                due = Math.max(due + WRITE_EVERY_NANOS, System.nanoTime() - WRITE_EVERY_NANOS);
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
    }

    private void read(Group group, List<Row> rows, long first, SplittableRandom random, long end) throws SQLException {
        try (Connection connection = group.readers.source().open();
                PreparedStatement statement = connection.prepareStatement(group.readers.sql())) {
            while (System.nanoTime() < end) {
                int number = random.nextInt(ROWS);
                Row row = rows.get(number);
                long latest = row.latest;
                long begun = System.nanoTime();
                long version = version(statement, number);
                group.latency.recordValue(System.nanoTime() - begun);
                if (version < latest) {
                    long missed = row.acknowledged.getOrDefault(Math.max(version + 1, first), begun);
                    group.age.recordValue(Math.max(0, begun - missed));
                }
                LockSupport.parkNanos(READ_EVERY_NANOS);
            }
        }
    }
}
