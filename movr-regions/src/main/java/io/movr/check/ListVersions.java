package io.movr.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One list of a history: who appended to it, who read it, and the order of its elements. */
final class ListVersions {

    /** Stands for the transaction of an element that nobody appended. */
    static final int NOBODY = -1;

    /** Stands for the reader of the list at the end. */
    static final int AT_THE_END = -1;

    final long key;

    /** The list's number, from 0. */
    final int number;

    final Map<Long, Element> elements = new HashMap<>();

    /** What committed transactions read; then, if it is known, the list at the end. */
    final List<Read> reads = new ArrayList<>();

    /** Whether a transaction of unknown outcome appended to it. */
    boolean uncertain;

    /** The list at the end; null if it is not known. */
    @Nullable
    List<Long> last;

    /** The elements of the longest read, in its order. */
    List<Element> order = List.of();

    /** Elements of committed transactions that no read shows: all come after {@link #order}, nobody knows in which order. */
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

        /** Its place in the order; -1 if no read has it. */
        int position = -1;

        Element(long value, int writer) {
            this.value = value;
            this.writer = writer;
        }
    }

    /** A read by a committed transaction, or of the list at the end. */
    static final class Read {
        /** Its place in the history, or {@link #AT_THE_END}. */
        final int transaction;

        final List<Long> elements;

        /** The number of elements of the order that it shows; -1 if it is not the beginning of the order. */
        int length = -1;

        Read(int transaction, List<Long> elements) {
            this.transaction = transaction;
            this.elements = elements;
        }

        List<Long> distinct() {
            return List.copyOf(new LinkedHashSet<>(elements));
        }

        /** Whether it was its transaction's last look at the list before it first appended to it. */
        boolean thenAppended;

        /** Whether it is the beginning of the order, with every element once. */
        boolean isGood() {
            return length == elements.size();
        }
    }

    /** Takes the longest read for the order of the elements, and finds the place of each read in it. */
    void arrange() {
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
            Element element = elements.computeIfAbsent(value, nobodys -> new Element(nobodys, NOBODY));
            element.position = order.size();
            order.add(element);
        }
        for (Read read : reads) {
            if (begins(read.elements)) {
                read.length = read.elements.size();
            } else {
                List<Long> distinct = read.distinct();
                read.length = begins(distinct) ? distinct.size() : -1;
            }
        }
    }

    private boolean begins(List<Long> read) {
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

    /** The element at a place of the order, or after it, one that no read shows. */
    Element element(int position) {
        return position < order.size() ? order.get(position) : unread.get(position - order.size());
    }

    /** The read that the order comes from. */
    Read longest() {
        for (Read read : reads) {
            if (read.length == order.size()) {
                return read;
            }
        }
        throw new IllegalStateException("list " + key + " was never read");
    }

    /** The elements that a read has more than once. */
    static Set<Long> repeated(List<Long> read) {
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
