package io.movr.check;

import java.util.Locale;

/**
 * What can be wrong with a history of transactions, in the words of Adya ("Weak Consistency", 1999), Elle (Kingsbury and
 * Alvaro, 2020) and Jepsen. The order is that in which a cycle is classified: the first that fits names it.
 */
enum AnomalyType {
    /** A cycle of writes that overwrite each other. */
    G0("dirty write"),
    /** A read of an element whose transaction failed. */
    G1A("aborted read"),
    /** A read of an element that its own transaction had not finished with. */
    G1B("intermediate read"),
    /** A cycle of writes and reads. */
    G1C("circular information flow"),
    /** Two transactions that read the same state of a list, and both appended to it. */
    LOST_UPDATE("lost update"),
    /** A cycle with exactly one read that misses a write. */
    G_SINGLE("read skew"),
    /** A cycle with at least two reads that miss a write, of which no two follow each other. */
    G_NONADJACENT("long fork"),
    /** A cycle with at least two reads that miss a write. */
    G2_ITEM("write skew"),
    /** A read that misses a write which was acknowledged before the reading transaction began. */
    STALE_READ("stale read"),
    /** A cycle that needs the order of real time: one transaction ended before another began. */
    REAL_TIME("order of real time"),
    /** A transaction that does not see its own appends as it made them. */
    INTERNAL("own writes not seen"),
    /** An element that stands in a list more than once. */
    DUPLICATE("element twice"),
    /** A read of a list that is not the beginning of the longest read of it. */
    INCOMPATIBLE_ORDER("two orders of a list"),
    /** An element that was read and that nobody appended. */
    UNKNOWN_ELEMENT("element of nobody"),
    /** An append of a committed transaction that is missing in the list at the end. */
    LOST_APPEND("append lost");

    private final String title;

    AnomalyType(String title) {
        this.title = title;
    }

    /** What it is, in two or three words. */
    public String title() {
        return title;
    }

    /** Its name as papers write it: {@code G1a}, {@code G-single}, {@code lost-update}. */
    public String id() {
        return switch (this) {
            case G0 -> "G0";
            case G1A -> "G1a";
            case G1B -> "G1b";
            case G1C -> "G1c";
            case G_SINGLE -> "G-single";
            case G_NONADJACENT -> "G-nonadjacent";
            case G2_ITEM -> "G2-item";
            default -> name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }
}
