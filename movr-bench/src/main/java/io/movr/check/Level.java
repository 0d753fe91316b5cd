package io.movr.check;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a database promises of a history. */
public enum Level {
    /** Nothing of an aborted or unfinished transaction is read; a transaction may see two states. */
    READ_COMMITTED(
            EnumSet.of(AnomalyType.LOST_UPDATE, AnomalyType.G_SINGLE, AnomalyType.G2_ITEM, AnomalyType.REAL_TIME)),
    /** Every transaction reads one state, and of two that overlap and write the same row one fails. */
    SNAPSHOT(EnumSet.of(AnomalyType.G2_ITEM, AnomalyType.REAL_TIME)),
    /** As if one transaction ran after the other. */
    SERIALIZABLE(EnumSet.of(AnomalyType.REAL_TIME)),
    /** As if one transaction ran after the other, in an order that agrees with real time. */
    STRICT_SERIALIZABLE(EnumSet.noneOf(AnomalyType.class));

    private final Set<AnomalyType> allowed;

    Level(Set<AnomalyType> allowed) {
        this.allowed = allowed;
    }

    /** Whether a history at this level must not have it. */
    public boolean forbids(AnomalyType type) {
        return !allowed.contains(type);
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
