package io.movr.check;

import java.util.Locale;

/**
 * The consistency levels of a history, from the weakest to the strongest. Each level includes the guarantees of the
 * levels before it.
 */
enum Level {
    /** No read shows writes of an aborted or unfinished transaction; a transaction may read several states. */
    READ_COMMITTED,
    /** Every transaction reads one state, and one of two concurrent transactions that write the same row fails. */
    SNAPSHOT,
    /** The history is equivalent to a serial order. */
    SERIALIZABLE,
    /** The history is equivalent to a serial order that agrees with real time. */
    STRICT_SERIALIZABLE;

    /**
     * Returns whether this level forbids an anomaly. A stale read is forbidden at every level: both databases
     * guarantee that a transaction sees the writes acknowledged before it began, although the definitions of the
     * weaker levels do not.
     */
    public boolean forbids(AnomalyType type) {
        return switch (type) {
            case G0, G1A, G1B, G1C, STALE_READ, INTERNAL, DUPLICATE, INCOMPATIBLE_ORDER, UNKNOWN_ELEMENT, LOST_APPEND ->
                true;
            case LOST_UPDATE, G_SINGLE, G_NONADJACENT -> compareTo(SNAPSHOT) >= 0;
            case G2_ITEM -> compareTo(SERIALIZABLE) >= 0;
            case REAL_TIME -> this == STRICT_SERIALIZABLE;
        };
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
