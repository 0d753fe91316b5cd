package io.movr.dataset;

import java.util.concurrent.atomic.LongAdder;

/** How far a load has come; read by whoever shows it, while the load goes on. */
public final class LoadProgress {

    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile String step = "";
    private volatile String trouble = "";

    /** Rows handed to the server. */
    public long rows() {
        return rows.sum();
    }

    /** Bytes handed to the server. */
    public long bytes() {
        return bytes.sum();
    }

    /** What is going on beside the rows, such as a check of the foreign keys. */
    public String step() {
        return step;
    }

    /** What keeps the load waiting, such as a session that holds a lock; empty if nothing does. */
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

    void troubledBy(String newTrouble) {
        trouble = newTrouble;
    }
}
