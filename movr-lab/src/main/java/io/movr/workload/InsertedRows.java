package io.movr.workload;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Assigns the numbers of rows to insert, and tracks the number below which all rows certainly exist. Safe for use by
 * many threads.
 */
final class InsertedRows {

    private final Set<Long> ahead = new HashSet<>();
    private final Queue<Long> returned = new ArrayDeque<>();
    private final Set<Long> unknown = new HashSet<>();
    private long next;
    private volatile long certain;

    /** Begins with a number of existing rows, numbered from 0. */
    InsertedRows(long rows) {
        next = rows;
        certain = rows;
    }

    /** Returns a number that no other worker inserts. */
    synchronized long claim() {
        Long again = returned.poll();
        return again == null ? next++ : again;
    }

    /** Records that a row exists. */
    synchronized void inserted(long number) {
        unknown.remove(number);
        ahead.add(number);
        long limit = certain;
        while (ahead.remove(limit)) {
            limit++;
        }
        certain = limit;
    }

    /**
     * Returns the number of a row that was not inserted, so that another worker inserts it.
     *
     * @param mayExist whether it may have been inserted nevertheless
     */
    synchronized void giveBack(long number, boolean mayExist) {
        if (mayExist) {
            unknown.add(number);
        }
        returned.add(number);
    }

    /** Returns whether a row that is to be inserted may already exist. */
    synchronized boolean mayExist(long number) {
        return unknown.contains(number);
    }

    /** Returns the number below which all rows exist. */
    long certain() {
        return certain;
    }

    /** Returns how many rows certainly exist. */
    synchronized long known() {
        return certain + ahead.size();
    }

    /** Returns how many rows have an unknown outcome. */
    synchronized long unknown() {
        return unknown.size();
    }
}
