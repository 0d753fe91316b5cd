package io.movr.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The mapping of schedule times to clock times. It begins when the first rider has been created. */
final class Timeline {

    private final Duration lead;
    private long firstNanos;
    private long firstEpochMillis;
    private boolean begun;

    /** @param lead how long before the start riders are created, so that none is created too late */
    Timeline(Duration lead) {
        this.lead = lead;
    }

    /** Fixes the first moment, once. */
    synchronized void begin() {
        if (!begun) {
            firstNanos = System.nanoTime() + lead.toNanos();
            firstEpochMillis = System.currentTimeMillis() + lead.toMillis();
            begun = true;
        }
    }

    synchronized boolean hasBegun() {
        return begun;
    }

    /** Returns when something is due, by {@link System#nanoTime}. */
    synchronized long nanosAt(long offsetMillis) {
        return firstNanos + TimeUnit.MILLISECONDS.toNanos(offsetMillis);
    }

    /** Returns when it is due in the schedule, what is due by {@link System#nanoTime}. */
    synchronized long offsetMillis(long nanos) {
        return Math.floorDiv(nanos - firstNanos, 1_000_000);
    }

    synchronized long epochMillis(long nanos) {
        return firstEpochMillis + offsetMillis(nanos);
    }
}
