package io.movr.workload;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Measures the overhead of the runner, from its creation to its end. */
final class RunnerWatch {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Histogram lagNanos = new SynchronizedHistogram(OperationResult.DIGITS);
    private final long begunNanos = System.nanoTime();
    private final long processorNanos = system.getProcessCpuTime();
    private final long collectionMillis = collectionMillis();
    private final Thread thread;
    private volatile boolean ended;

    RunnerWatch() {
        thread = new Thread(this::watch, "runner-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!ended) {
            long due = System.nanoTime() + PAUSE_NANOS;
            for (long left = PAUSE_NANOS; left > 0 && !ended; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            lagNanos.recordValue(Math.max(0, System.nanoTime() - due));
        }
    }

    /** Returns how late a thread of this process woke up until now, at the 99th percentile, in milliseconds. */
    double lagMsP99() {
        return OperationResult.milliseconds(lagNanos, 0.99);
    }

    /**
     * Ends the watch.
     *
     * @param ownShare as {@link RunnerCost} has it
     */
    RunnerCost end(double ownShare) throws InterruptedException {
        ended = true;
        LockSupport.unpark(thread);
        thread.join();
        double available = (double) (System.nanoTime() - begunNanos) * system.getAvailableProcessors();
        return new RunnerCost(
                Math.min(1, (system.getProcessCpuTime() - processorNanos) / available),
                ownShare,
                lagMsP99(),
                (collectionMillis() - collectionMillis) / 1e3);
    }

    private static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
