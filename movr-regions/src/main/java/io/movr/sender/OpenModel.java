package io.movr.sender;

import io.movr.UserError;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals in an open model: each arrival is due at a scheduled time, independently of earlier ones, and its latency
 * counts from that time. If the maximum number of arrivals is in flight, the next one fails without being sent.
 */
public final class OpenModel implements AutoCloseable {

    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long POLL_MILLIS = 5;

    /** The requests of an arrival. */
    public interface Action {

        /**
         * Starts an arrival without waiting for a response.
         *
         * @return completes at the end of the arrival with the reason why it failed, or with an empty text
         */
        CompletionStage<String> begin(long number);
    }

    /** Receives each arrival that has ended. */
    public interface Listener {

        /**
         * Reports the end of an arrival.
         *
         * @param nanos the time since it was due
         * @param failure the reason why it failed; empty if it succeeded
         */
        void ended(long number, long nanos, String failure);
    }

    private final DoubleUnaryOperator gapNanos;
    private final int maxInFlight;
    private final Action action;
    private final Listener listener;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile double perSecond;
    private volatile boolean closed;
    private @Nullable Thread thread;

    private OpenModel(DoubleUnaryOperator gapNanos, int maxInFlight, Action action, Listener listener) {
        this.gapNanos = gapNanos;
        this.maxInFlight = maxInFlight;
        this.action = action;
        this.listener = listener;
    }

    /**
     * Sends arrivals at equal intervals for a time, and waits until all have ended.
     *
     * @return the seconds until the last one has ended, at least the duration
     */
    public static double run(double perSecond, Duration duration, int maxInFlight, Action action, Listener listener)
            throws InterruptedException {
        OpenModel even = new OpenModel(rate -> 1e9 / rate, maxInFlight, action, listener);
        even.rate(perSecond);
        long begin = System.nanoTime();
        even.send(Math.round(perSecond * duration.toNanos() / 1e9));
        while (even.inFlight.get() > 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return Math.max(duration.toNanos(), System.nanoTime() - begin) / 1e9;
    }

    /** Starts a Poisson process in its own thread, with a rate of 0. */
    public static OpenModel poisson(String name, long seed, int maxInFlight, Action action, Listener listener) {
        SplittableRandom random = new SplittableRandom(seed);
        OpenModel poisson =
                new OpenModel(rate -> -Math.log(1 - random.nextDouble()) / rate * 1e9, maxInFlight, action, listener);
        Thread sending = new Thread(() -> poisson.send(Long.MAX_VALUE), name);
        sending.setDaemon(true);
        sending.start();
        poisson.thread = sending;
        return poisson;
    }

    /** Changes the rate within 200 ms; 0 for no arrivals. */
    public void rate(double arrivalsPerSecond) {
        perSecond = arrivalsPerSecond;
    }

    private void send(long count) {
        double rate = 0;
        long begin = 0;
        double dueNanos = 0;
        for (long number = 0; number < count && !closed; ) {
            double wanted = perSecond;
            if (rate != wanted) {
                rate = wanted;
                begin = System.nanoTime();
                dueNanos = gapNanos.applyAsDouble(rate);
            }
            long due = begin + (long) dueNanos;
            long wait = rate == 0 ? MAX_PARK_NANOS : due - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(Math.min(wait, MAX_PARK_NANOS));
            } else {
                arrive(number++, due);
                dueNanos += gapNanos.applyAsDouble(rate);
            }
        }
    }

    private void arrive(long number, long due) {
        if (inFlight.get() >= maxInFlight) {
            listener.ended(number, System.nanoTime() - due, maxInFlight + " arrivals are in flight");
            return;
        }
        inFlight.incrementAndGet();
        CompletionStage<String> outcome;
        try {
            outcome = action.begin(number);
        } catch (RuntimeException failed) {
            outcome = CompletableFuture.failedFuture(failed);
        }
        var unused = outcome.whenComplete((failure, thrown) -> {
            try {
                listener.ended(number, System.nanoTime() - due, thrown == null ? failure : UserError.firstLine(thrown));
            } finally {
                inFlight.decrementAndGet();
            }
        });
    }

    /** Ends the schedule. Arrivals that are in flight continue. */
    @Override
    public void close() {
        closed = true;
        if (thread == null) {
            return;
        }
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
