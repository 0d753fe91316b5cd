package io.movr.check;

import java.util.Locale;

/** What a database promises of a history. Each level promises all that those before it do. */
enum Level {
    /** Nothing of an aborted or unfinished transaction is read; a transaction may see two states. */
    READ_COMMITTED,
    /** Every transaction reads one state, and of two that overlap and write the same row one fails. */
    SNAPSHOT,
    /** As if one transaction ran after the other. */
    SERIALIZABLE,
    /** As if one transaction ran after the other, in an order that agrees with real time. */
    STRICT_SERIALIZABLE;

    /**
     * Whether a history at this level must not have it. A stale read is forbidden at every level: databases with one current
     * state promise that a transaction sees what was acknowledged before it began, though the definitions of the weaker
     * levels do not.
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
