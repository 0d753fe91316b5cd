package io.movr.check;

import java.util.Locale;

/**
 * The anomalies of a history of transactions, with the names of Adya ("Weak Consistency", 1999), Elle (Kingsbury and
 * Alvaro, 2020) and Jepsen. A cycle is classified as the first type that matches it.
 */
enum AnomalyType {
    /** A cycle of writes that overwrite each other. */
    G0("dirty write"),
    /** A read of an element whose transaction failed. */
    G1A("aborted read"),
    /** A read of a list in a state that another transaction had not finished writing. */
    G1B("intermediate read"),
    /** A cycle of writes and reads. */
    G1C("circular information flow"),
    /** Transactions that read the same state of a list and then each appended to it. */
    LOST_UPDATE("lost update"),
    /** A cycle with exactly one read that misses a write. */
    G_SINGLE("read skew"),
    /** A cycle with at least two reads that miss a write, of which no two follow each other. */
    G_NONADJACENT("long fork"),
    /** A cycle with at least two reads that miss a write. */
    G2_ITEM("write skew"),
    /** A read that misses a write acknowledged before the reading transaction began. */
    STALE_READ("stale read"),
    /** A cycle with a real-time edge: one of its transactions ended before the next began. */
    REAL_TIME("order of real time"),
    /** A transaction that does not read its own earlier appends. */
    INTERNAL("own writes not seen"),
    /** An element that a list contains more than once. */
    DUPLICATE("element twice"),
    /** A read of a list that is not a prefix of the longest read of it. */
    INCOMPATIBLE_ORDER("two orders of a list"),
    /** An element that was read although no transaction appended it. */
    UNKNOWN_ELEMENT("element never appended"),
    /** An append of a committed transaction that is missing from the final state of the list. */
    LOST_APPEND("append lost");

    private final String title;

    AnomalyType(String title) {
        this.title = title;
    }

    /** Returns its name in two or three words. */
    public String title() {
        return title;
    }

    /** Returns its name as papers write it: {@code G1a}, {@code G-single}, {@code lost-update}. */
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
