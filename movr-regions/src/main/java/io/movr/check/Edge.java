package io.movr.check;

/**
 * A dependency between two committed transactions: in every serial order that explains the history, {@code from} comes
 * before {@code to}.
 *
 * @param key the list; 0 for {@link Kind#RT}
 * @param element what {@code to} appended, or for {@link Kind#WR} what {@code from} appended; 0 for {@link Kind#RT}
 */
record Edge(Kind kind, Transaction from, Transaction to, long key, long element) {

    /** Why one transaction comes before the other. */
    public enum Kind {
        /** {@code to} appended the element that stands in the list after an element of {@code from}. */
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
