package io.movr.dataset;

import java.util.concurrent.atomic.LongAdder;

/** The progress of a running load. */
public final class LoadProgress {

    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile String step = "";
    private volatile String trouble = "";

    /** Returns rows handed to the server. */
    public long rows() {
        return rows.sum();
    }

    /** Bytes handed to the server. */
    public long bytes() {
        return bytes.sum();
    }

    /** Returns the current step of the load, such as a check of the foreign keys. */
    public String step() {
        return step;
    }

    /** Returns what the load waits for, such as a session that holds a lock; empty if nothing does. */
    public String trouble() {
        return trouble;
    }

    void sent(long moreRows, long moreBytes) {
        rows.add(moreRows);
        bytes.add(moreBytes);
    }

    void at(String newStep) {
        step = newStep;
    }

    void setTrouble(String newTrouble) {
        trouble = newTrouble;
    }
}
