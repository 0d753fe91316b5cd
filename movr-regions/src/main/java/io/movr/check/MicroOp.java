package io.movr.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a transaction on one list: an append of an element, or a read of all elements.
 *
 * @param kind what it does
 * @param key the list
 * @param value the element that is appended, unique in its list; 0 for a read
 * @param read the elements that a read returned, in their order; null for an append, and for a read without an answer
 */
record MicroOp(Kind kind, long key, long value, @Nullable List<Long> read) {

    /** What a step does. */
    public enum Kind {
        APPEND,
        READ
    }

    /** An append of an element to a list. */
    public static MicroOp append(long key, long value) {
        return new MicroOp(Kind.APPEND, key, value, null);
    }

    /** A read of a list; null for elements that are not known. */
    public static MicroOp read(long key, @Nullable List<Long> elements) {
        return new MicroOp(Kind.READ, key, 0, elements == null ? null : List.copyOf(elements));
    }
}
