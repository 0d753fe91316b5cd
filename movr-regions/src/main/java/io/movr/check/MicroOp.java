package io.movr.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a transaction on one list: an append of an element, or a read of all elements.
 *
 * @param kind append or read
 * @param key the list
 * @param value the appended element, unique in its list; 0 for a read
 * @param read the elements that a read returned, in order; {@code null} for an append, and for a read without a
 *     result
 */
record MicroOp(Kind kind, long key, long value, @Nullable List<Long> read) {

    /** The kind of a step. */
    public enum Kind {
        APPEND,
        READ
    }

    /** Returns an append of an element to a list. */
    public static MicroOp append(long key, long value) {
        return new MicroOp(Kind.APPEND, key, value, null);
    }

    /** Returns a read of a list; {@code null} for unknown elements. */
    public static MicroOp read(long key, @Nullable List<Long> elements) {
        return new MicroOp(Kind.READ, key, 0, elements == null ? null : List.copyOf(elements));
    }
}
