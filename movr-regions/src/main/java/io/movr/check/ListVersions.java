package io.movr.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A list of a history: its appends, its reads, and the order of its elements. */
final class ListVersions {

    /** The writer of an element that no transaction appended. */
    static final int NO_WRITER = -1;

    /** The reader of the final list. */
    static final int FINAL_READ = -1;

    final long key;

    /** The list's number, from 0. */
    final int number;

    final Map<Long, Element> elements = new HashMap<>();

    /** The reads of committed transactions, then the final list if it is known. */
    final List<Read> reads = new ArrayList<>();

    /** Whether a transaction of unknown outcome appended to the list. */
    boolean uncertain;

    /** The final list; {@code null} if it is not known. */
    @Nullable
    List<Long> finalElements;

    /** The elements of the longest read, in order. */
    List<Element> order = List.of();

    /** The elements of committed transactions that no read shows. They follow {@link #order} in an unknown order. */
    List<Element> unread = List.of();

    ListVersions(long key, int number) {
        this.key = key;
        this.number = number;
    }

    /** An element and its append. */
    static final class Element {
        final long value;
        final int writer;

        /** Whether its transaction appended more to the list afterwards. */
        boolean intermediate;

        /** Its position in the order; -1 if no read shows it. */
        int position = -1;

        Element(long value, int writer) {
            this.value = value;
            this.writer = writer;
        }
    }

    /** A read by a committed transaction, or the final read. */
    static final class Read {
        /** The index of the transaction in the history, or {@link #FINAL_READ}. */
        final int transaction;

        final List<Long> elements;

        /** The length of the prefix of the order that it shows; -1 if it is not a prefix. */
        int length = -1;

        Read(int transaction, List<Long> elements) {
            this.transaction = transaction;
            this.elements = elements;
        }

        List<Long> distinct() {
            return List.copyOf(new LinkedHashSet<>(elements));
        }

        /** Whether it was the last read of the list before the first append of its transaction. */
        boolean followedByAppend;

        /** Returns whether it is a prefix of the order and has every element once. */
        boolean isPrefixWithoutDuplicates() {
            return length == elements.size();
        }
    }

    /** Takes the longest read for the order of the elements, and finds the place of each read in it. */
    void inferOrder() {
        List<Long> longest = List.of();
        for (Read read : reads) {
            if (read.elements.size() > longest.size()) {
                longest = read.elements;
            }
        }
        if (new HashSet<>(longest).size() < longest.size()) {
            longest = List.of();
            for (Read read : reads) {
                List<Long> distinct = read.distinct();
                if (distinct.size() > longest.size()) {
                    longest = distinct;
                }
            }
        }
        order = new ArrayList<>(longest.size());
        for (long value : longest) {
            Element element = elements.computeIfAbsent(value, unknown -> new Element(unknown, NO_WRITER));
            element.position = order.size();
            order.add(element);
        }
        for (Read read : reads) {
            if (isPrefix(read.elements)) {
                read.length = read.elements.size();
            } else {
                List<Long> distinct = read.distinct();
                read.length = isPrefix(distinct) ? distinct.size() : -1;
            }
        }
    }

    private boolean isPrefix(List<Long> read) {
        if (read.size() > order.size()) {
            return false;
        }
        for (int place = 0; place < read.size(); place++) {
            if (read.get(place) != order.get(place).value) {
                return false;
            }
        }
        return true;
    }

    /** Returns the element at a position of the order, or behind it an element that no read shows. */
    Element element(int position) {
        return position < order.size() ? order.get(position) : unread.get(position - order.size());
    }

    /** Returns a read of the whole order. */
    Read longestRead() {
        for (Read read : reads) {
            if (read.length == order.size()) {
                return read;
            }
        }
        throw new IllegalStateException("list " + key + " was never read");
    }

    /** Returns the elements that a read contains more than once. */
    static Set<Long> duplicates(List<Long> read) {
        Set<Long> once = new HashSet<>();
        Set<Long> repeated = new LinkedHashSet<>();
        for (long value : read) {
            if (!once.add(value)) {
                repeated.add(value);
            }
        }
        return repeated;
    }
}
