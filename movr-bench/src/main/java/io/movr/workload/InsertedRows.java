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

    /** A number that nobody else inserts. */
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
     * @param mayBeThere whether it may have been inserted all the same
     */
    synchronized void giveBack(long number, boolean mayBeThere) {
        if (mayBeThere) {
            unknown.add(number);
        }
        returned.add(number);
    }

    /** Whether a row that is to be inserted may be there already. */
    synchronized boolean mayBeThere(long number) {
        return unknown.contains(number);
    }

    /** All rows below this number are there. */
    long certain() {
        return certain;
    }

    /** How many rows are known to be there. */
    synchronized long known() {
        return certain + ahead.size();
    }

    /** How many rows nobody knows of whether they are there. */
    synchronized long unknown() {
        return unknown.size();
    }
}
