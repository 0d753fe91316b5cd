package io.movr.check;

/**
 * A dependency between two committed transactions: {@code from} precedes {@code to} in every serial order that
 * explains the history.
 *
 * @param key the list; 0 for {@link Kind#RT}
 * @param element the element that {@code to} appended, or {@code from} for {@link Kind#WR}; 0 for {@link Kind#RT}
 */
record Edge(Kind kind, Transaction from, Transaction to, long key, long element) {

    /** The kind of a dependency. */
    public enum Kind {
        /** {@code to} appended the element that follows an element of {@code from} in the list. */
        WW(1),
        /** {@code to} read an element of {@code from}. */
        WR(2),
        /** {@code from} read the list without an element of {@code to}. */
        RW(4),
        /** {@code from} ended before {@code to} began. */
        RT(8);

        /** One bit, for sets of kinds. */
        final int mask;

        Kind(int mask) {
            this.mask = mask;
        }
    }
}
