package io.movr.benchmarks;

import io.movr.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A sender of requests at a fixed rate (an open model). The time of a request counts from the moment at which it was due,
 * not from the one at which it was sent: a sender or a service that falls behind shows in the latencies (no coordinated
 * omission).
 *
 * <p>Each sender waits for its own answer, because handing it from thread to thread would cost more than a fast service
 * takes; there are enough of them that one is free when a request is due, as long as the service keeps up.
 */
final class FixedRate {

    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Histogram latencyMicros = new SynchronizedHistogram(HIGHEST_MICROS, DIGITS);
    private final Histogram failedMicros = new SynchronizedHistogram(HIGHEST_MICROS, DIGITS);
    private final AtomicReference<String> firstFailure = new AtomicReference<>("");
    private final int senders;
    private double seconds;

    /** @param senders how many requests are unanswered at once, at most; others wait, and their time runs */
    FixedRate(int senders) {
        this.senders = senders;
    }

    /** Sends a request and waits for its answer. */
    interface Sender {

        /** Throws when the answer is not the wanted one. */
        void send(long number) throws IOException;
    }

    /** Receives every request that has ended, in the thread that sent it. */
    interface Observer {

        /**
         * A request ended.
         *
         * @param micros since it was due
         * @param failure why it was not answered as wanted, null if it was
         */
        void ended(long number, long micros, @Nullable String failure);
    }

    /** Sends at a rate for a time, then waits for the answers. */
    void run(double perSecond, Duration duration, Sender sender) throws InterruptedException {
        run(perSecond, duration, sender, (number, micros, failure) -> {});
    }

    /** As {@link #run(double, Duration, Sender)}; the observer is told of each request. */
    void run(double perSecond, Duration duration, Sender sender, Observer observer) throws InterruptedException {
        long count = Math.round(perSecond * duration.toNanos() / 1e9);
        double intervalNanos = 1e9 / perSecond;
        AtomicLong next = new AtomicLong();
        long begin = System.nanoTime();
        inParallel(senders, () -> {
            for (long mine = next.getAndIncrement(); mine < count; mine = next.getAndIncrement()) {
                send(sender, observer, mine, begin + (long) (mine * intervalNanos));
            }
        });
        seconds += Math.max(duration.toNanos(), System.nanoTime() - begin) / 1e9;
    }

    /**
     * Sends by each sender one request after the other, as fast as they are answered, and keeps no figures: Java compiles what
     * is called tens of thousands of times, which takes minutes at the rates that are measured.
     */
    void warmUp(Duration duration, Sender sender) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        long end = System.nanoTime() + duration.toNanos();
        inParallel(senders, () -> {
            while (System.nanoTime() < end) {
                try {
                    sender.send(next.getAndIncrement());
                } catch (IOException | RuntimeException failed) {
                    // What fails now fails when it is measured, too, and is counted then.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        });
    }

    private static void inParallel(int threads, Runnable work) throws InterruptedException {
        List<Thread> started = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            Thread thread = new Thread(work, "sender-" + number);
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        for (Thread thread : started) {
            thread.join();
        }
    }

    private void send(Sender sender, Observer observer, long number, long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        String failure = null;
        try {
            sender.send(number);
        } catch (IOException | RuntimeException failed) {
            failure = UserError.firstLine(failed);
            firstFailure.compareAndSet("", failure);
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due);
        (failure == null ? latencyMicros : failedMicros).recordValue(Math.min(micros, HIGHEST_MICROS));
        observer.ended(number, micros, failure);
    }

    /** Latencies of all that was answered as wanted, in microseconds. */
    Histogram latencyMicros() {
        return latencyMicros;
    }

    long errors() {
        return failedMicros.getTotalCount();
    }

    /** How the first request failed; empty if none did. */
    String firstFailure() {
        return Objects.requireNonNull(firstFailure.get());
    }

    /** The mean of all requests until they were answered or failed, in microseconds. */
    double meanMicros() {
        long answered = latencyMicros.getTotalCount();
        long all = answered + errors();
        return all == 0 ? 0 : (latencyMicros.getMean() * answered + failedMicros.getMean() * errors()) / all;
    }

    /** How long all runs took together, until the last answer of each. */
    double seconds() {
        return seconds;
    }
}
