package io.movr.workload;

import io.movr.UserError;
import io.movr.database.RetryPolicy;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload: a thread and a connection for each worker.
 *
 * <p>Without a rate each worker sends its next operation as soon as it has the answer to the last (a closed model). With a rate,
 * operations are due at regular intervals, the next free worker takes each, and its time counts from when it was due: a database
 * that falls behind shows in the latencies (no coordinated omission).
 *
 * <p>A serialization failure or a deadlock is tried again, with a random pause, inside the time of its operation. Every
 * failure and every retry is counted by its cause.
 */
public final class Runner {

    private static final long CONNECT_LIMIT_SECONDS = 120;
    private static final long GRACE_SECONDS = 30;
    private static final long LAST_GRACE_SECONDS = 10;
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    private static final Duration MAX_PAUSE = Duration.ofMillis(128);

    private final Workload workload;
    private final ConnectionSource source;
    private final RunPlan plan;
    private final RunListener listener;

    private final List<Recorded> recorded = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final CountDownLatch ready;
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch finished;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicLong nextDue = new AtomicLong();
    private final AtomicLong claimed = new AtomicLong();
    private final LongAdder sent = new LongAdder();
    private final AtomicReference<@Nullable Exception> notStarted = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    private final double intervalNanos;
    private final long measureFrom;
    private final long end;
    private long origin;
    private volatile boolean stopping;
    private volatile boolean stoppedFromOutside;

    public Runner(Workload workload, ConnectionSource source, RunPlan plan, RunListener listener) {
        this.workload = workload;
        this.source = source;
        this.plan = plan;
        this.listener = listener;
        intervalNanos = plan.maxRate() > 0 ? 1e9 / plan.maxRate() : 0;
        measureFrom = plan.ramp().toNanos();
        Duration duration = plan.duration();
        end = duration == null ? Long.MAX_VALUE : measureFrom + duration.toNanos();
        ready = new CountDownLatch(plan.concurrency());
        finished = new CountDownLatch(plan.concurrency());
        for (String operation : workload.operations()) {
            recorded.add(new Recorded(operation, plan));
        }
    }

    /**
     * Runs, once, and returns when every worker has ended.
     *
     * @throws UserError when the workers cannot connect
     * @throws InterruptedException if it is interrupted, after its workers have been asked to end
     */
    public RunResult run() throws InterruptedException {
        if (started.getAndSet(true)) {
            throw new IllegalStateException("A runner runs once");
        }
        SplittableRandom seeds = new SplittableRandom(plan.seed());
        for (int number = 0; number < plan.concurrency(); number++) {
            workers.add(new Worker(number, workload.session(seeds.nextLong())));
        }
        try {
            workers.forEach(Worker::start);
            if (!ready.await(CONNECT_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new UserError("The workers have not connected after " + CONNECT_LIMIT_SECONDS
                        + " s: lower --concurrency, or look at the server");
            }
            Exception failed = notStarted.get();
            if (failed != null) {
                throw new UserError("A worker cannot begin: " + UserError.firstLine(failed), failed);
            }
            return measure();
        } finally {
            stopping = true;
            go.countDown();
            abandon();
        }
    }

    /** Ends the run early: operations in progress are completed, and count. */
    public void stop() {
        stoppedFromOutside = true;
        stopping = true;
    }

    private RunResult measure() throws InterruptedException {
        Instant startedAt = Instant.now().plus(plan.ramp());
        origin = System.nanoTime();
        go.countDown();
        while (now() < measureFrom && !stopping) {
            if (finished.await(Math.min(measureFrom - now(), MAX_PARK_NANOS), TimeUnit.NANOSECONDS)) {
                break;
            }
        }
        RunnerWatch watch = new RunnerWatch();
        listener.measuringBegins();
        long last = measureFrom;
        long every = plan.displayEvery().toNanos();
        long graceEnd = Long.MAX_VALUE;
        for (long next = measureFrom + every; ; next += every) {
            boolean done = awaitFinish(Math.min(next, graceEnd));
            if (!done && now() >= graceEnd) {
                workers.forEach(Worker::abort);
                done = finished.await(LAST_GRACE_SECONDS, TimeUnit.SECONDS);
                break;
            }
            if (done) {
                break;
            }
            if (graceEnd == Long.MAX_VALUE && (stopping || now() >= end)) {
                graceEnd = now() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
            }
            long at = now();
            listener.tick(tick(at, last, watch));
            last = at;
        }
        Throwable unexpected = defect.get();
        if (unexpected != null) {
            throw new IllegalStateException("A worker ended unexpectedly", unexpected);
        }
        long ended = Math.max(now(), measureFrom + 1);
        listener.lastTick(tick(ended, last, watch));
        return new RunResult(
                workload.name(),
                plan,
                startedAt,
                (ended - measureFrom) / 1e9,
                recorded.stream()
                        .filter(Recorded::seen)
                        .map(one -> one.cumulative)
                        .sorted(Comparator.comparing(OperationResult::name))
                        .toList(),
                overdue(ended),
                firstFailure.get(),
                stoppedFromOutside,
                watch.end(ownShare()));
    }

    /** Waits for the workers until a time; returns whether they have all ended. */
    private boolean awaitFinish(long until) throws InterruptedException {
        long asked = stopping ? now() : Long.MAX_VALUE;
        while (true) {
            long left = until - now();
            if (left <= 0) {
                return finished.getCount() == 0;
            }
            if (finished.await(Math.min(left, MAX_PARK_NANOS), TimeUnit.NANOSECONDS)) {
                return true;
            }
            if (stopping && asked == Long.MAX_VALUE) {
                // The grace begins now, not at the next tick, which may be a day away.
                return false;
            }
        }
    }

    private Tick tick(long at, long last, RunnerWatch watch) {
        double interval = Math.max(1, at - last) / 1e9;
        List<Tick.Part> parts = new ArrayList<>();
        long errors = 0;
        for (Recorded one : recorded) {
            OperationResult part = one.take();
            errors += one.cumulative.errors();
            if (one.seen()) {
                parts.add(new Tick.Part(part, one.cumulative));
            }
        }
        parts.sort(Comparator.comparing(part -> part.cumulative().name()));
        return new Tick((at - measureFrom) / 1e9, interval, errors, watch.lagMsP99(), parts);
    }

    private long overdue(long ended) {
        boolean enough = plan.maxOps() > 0 && claimed.get() >= plan.maxOps();
        if (intervalNanos == 0 || enough) {
            return 0;
        }
        long due = (long) Math.ceil(Math.min(ended, end) / intervalNanos);
        // An operation that was due a moment ago may just not have been taken yet.
        long missing = due - sent.sum();
        return missing <= plan.concurrency() && ended < end ? 0 : Math.max(0, missing);
    }

    private double ownShare() {
        double own = 0;
        double all = 0;
        for (Worker worker : workers) {
            own += worker.ownNanos;
            all += worker.ownNanos + worker.serviceNanos + worker.parkedNanos;
        }
        return all == 0 ? 0 : own / all;
    }

    private void abandon() throws InterruptedException {
        if (!finished.await(LAST_GRACE_SECONDS, TimeUnit.SECONDS)) {
            workers.forEach(Worker::abort);
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    /** The records of an operation. */
    private static final class Recorded {

        private final StripedRecorder response;
        private final @Nullable StripedRecorder service;
        private final StripedRecorder failed;
        private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
        private final Map<String, LongAdder> retries = new ConcurrentHashMap<>();
        private final OperationResult cumulative;

        Recorded(String name, RunPlan plan) {
            response = new StripedRecorder(plan.concurrency());
            service = plan.maxRate() > 0 ? new StripedRecorder(plan.concurrency()) : null;
            failed = new StripedRecorder(1);
            cumulative = OperationResult.none(name);
        }

        void succeeded(int worker, long responseNanos, long serviceNanos) {
            response.record(worker, responseNanos);
            if (service != null) {
                service.record(worker, serviceNanos);
            }
        }

        void failed(String cause, long responseNanos) {
            failed.record(0, responseNanos);
            count(failures, cause);
        }

        void retried(String cause) {
            count(retries, cause);
        }

        boolean seen() {
            return cumulative.count() > 0 || cumulative.errors() > 0;
        }

        /** Adds the new records to the total, and returns them; causes are not separated by interval. */
        OperationResult take() {
            Histogram newResponse = response.take();
            OperationResult part = new OperationResult(
                    cumulative.name(),
                    newResponse,
                    service == null ? newResponse : service.take(),
                    failed.take(),
                    Map.of(),
                    Map.of());
            cumulative.add(part);
            cumulative.failures().putAll(sums(failures));
            cumulative.retries().putAll(sums(retries));
            return part;
        }

        private static void count(Map<String, LongAdder> counts, String cause) {
            counts.computeIfAbsent(cause, unseen -> new LongAdder()).increment();
        }

        private static Map<String, Long> sums(Map<String, LongAdder> counts) {
            Map<String, Long> sums = new TreeMap<>();
            counts.forEach((cause, count) -> sums.put(cause, count.sum()));
            return sums;
        }
    }

    /** One worker: its thread, its session and its connection. */
    private final class Worker {

        private final int number;
        private final Session session;
        private final RetryPolicy retries = new RetryPolicy(plan.retries() + 1, FIRST_PAUSE, MAX_PAUSE);
        private final Thread thread;
        private volatile @Nullable Connection connection;
        private long ownNanos;
        private long serviceNanos;
        private long parkedNanos;

        Worker(int number, Session session) {
            this.number = number;
            this.session = session;
            thread = new Thread(this::run, "worker-" + number);
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        /** Aborts the connection of a worker that waits for an answer. */
        void abort() {
            Connection open = connection;
            if (open != null) {
                try {
                    open.abort(Runnable::run);
                } catch (SQLException gone) {
                    // The connection is closed in any case.
                    connection = null;
                }
            }
        }

        private void run() {
            try {
                if (!plan.reconnect()) {
                    open();
                }
            } catch (SQLException | RuntimeException failed) {
                notStarted.compareAndSet(null, failed);
            } finally {
                ready.countDown();
            }
            try {
                go.await();
                if (notStarted.get() == null) {
                    work();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error unexpected) {
                defect.compareAndSet(null, unexpected);
                stopping = true;
            } finally {
                close();
                finished.countDown();
            }
        }

        private void work() {
            long previous = now();
            parkUntil((long) ((double) measureFrom * number / plan.concurrency()));
            while (!stopping) {
                long before = now();
                long due = intervalNanos == 0 ? before : (long) (nextDue.getAndIncrement() * intervalNanos);
                if (due >= end) {
                    return;
                }
                parkUntil(due);
                long begun = now();
                if (stopping || begun >= end) {
                    return;
                }
                boolean measured = due >= measureFrom;
                if (measured && plan.maxOps() > 0 && claimed.getAndIncrement() >= plan.maxOps()) {
                    return;
                }
                Recorded operation = recorded.get(session.draw());
                sent.increment();
                long start = now();
                SQLException failure = perform(operation, measured);
                long done = now();
                long counted = intervalNanos == 0 ? start : due;
                if (failure != null) {
                    fail(operation, failure, measured, done - counted);
                } else if (measured) {
                    operation.succeeded(number, done - counted, done - start);
                }
                if (measured) {
                    long parked = begun - before;
                    ownNanos += Math.max(0, start - previous - parked);
                    serviceNanos += done - start;
                    parkedNanos += parked;
                }
                previous = done;
            }
        }

        private void fail(Recorded operation, SQLException failure, boolean measured, long nanos) {
            session.giveUp(Failure.isOutcomeUnknown(failure));
            if (measured) {
                operation.failed(Failure.cause(failure), nanos);
            }
            if (stoppedFromOutside) {
                return;
            }
            firstFailure.compareAndSet(null, operation.cumulative.name() + ": " + UserError.firstLine(failure));
            listener.failed(operation.cumulative.name(), failure);
            if (!plan.tolerateErrors()) {
                stopping = true;
            } else if (connection == null) {
                // A worker without a connection would otherwise fail as fast as it can.
                LockSupport.parkNanos(MAX_PARK_NANOS);
            }
        }

        /** Executes the drawn operation, with retries where the database requires them; returns its final failure, if any. */
        private @Nullable SQLException perform(Recorded operation, boolean measured) {
            for (int attempt = 1; ; attempt++) {
                try {
                    if (connection == null) {
                        open();
                    }
                    session.execute();
                    if (plan.reconnect()) {
                        close();
                    }
                    return null;
                } catch (SQLException failed) {
                    reset(failed);
                    if (!SqlState.isRetryable(failed) || retries.isLast(attempt) || stopping) {
                        return failed;
                    }
                    if (measured) {
                        operation.retried(Failure.cause(failed));
                    }
                    LockSupport.parkNanos(retries.pause(attempt).toNanos());
                }
            }
        }

        private void open() throws SQLException {
            Connection opened;
            try {
                opened = source.open();
            } catch (UserError refused) {
                String state = refused.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
                throw new SQLException(refused.getMessage(), state, refused);
            }
            connection = opened;
            Isolation isolation = plan.isolation();
            if (isolation != null) {
                opened.setTransactionIsolation(isolation.jdbc());
            }
            session.open(opened);
        }

        private void reset(SQLException failed) {
            Connection open = connection;
            if (open == null) {
                return;
            }
            try {
                if (!Failure.isConnectionLost(failed) && !plan.reconnect()) {
                    if (!open.getAutoCommit()) {
                        open.rollback();
                    }
                    return;
                }
            } catch (SQLException lost) {
                failed.addSuppressed(lost);
            }
            close();
        }

        private void close() {
            Connection open = connection;
            connection = null;
            if (open != null) {
                try {
                    open.close();
                } catch (SQLException gone) {
                    // The server has already closed it, which an operation has reported before.
                    return;
                }
            }
        }

        private void parkUntil(long time) {
            for (long left = time - now(); left > 0 && !stopping; left = time - now()) {
                LockSupport.parkNanos(Math.min(left, MAX_PARK_NANOS));
            }
        }
    }
}
