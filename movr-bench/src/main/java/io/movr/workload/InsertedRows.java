package io.movr.workload;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Hands out the numbers of rows to insert, and knows up to which number all rows are there for certain. Safe for use by
 * many threads.
 */
final class InsertedRows {

    private final Set<Long> ahead = new HashSet<>();
    private final Queue<Long> returned = new ArrayDeque<>();
    private final Set<Long> unknown = new HashSet<>();
    private long next;
    private volatile long certain;

    /** Begins where so many rows are there, numbered from 0. */
    InsertedRows(long rows) {
        next = rows;
        certain = rows;
    }

    /** Returns a number that nobody else inserts. */
    synchronized long claim() {
        Long again = returned.poll();
        return again == null ? next++ : again;
    }

    /** The row is there. */
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
     * The row was not inserted: somebody else shall do it.
     *
     * @param mayExist whether it may have been inserted all the same
     */
    synchronized void giveBack(long number, boolean mayExist) {
        if (mayExist) {
            unknown.add(number);
        }
        returned.add(number);
    }

    /** Returns whether a row that is to be inserted may be there already. */
    synchronized boolean mayExist(long number) {
        return unknown.contains(number);
    }

    /** Returns the number below which all rows exist. */
    long certain() {
        return certain;
    }

    /** Returns how many rows are known to be there. */
    synchronized long known() {
        return certain + ahead.size();
    }

    /** Returns how many rows nobody knows of whether they are there. */
    synchronized long unknown() {
        return unknown.size();
    }
}
