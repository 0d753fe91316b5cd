package io.movr.cache;

import io.movr.cache.ResultCache.Rows;
import java.util.HashSet;
import java.util.Set;

/** The tracked state of a database session, which outlives the connection that was borrowed from a pool. */
final class Session {

    /** The maximum of written rows that are tracked one by one. */
    private static final int MAX_ROWS = 10_000;

    private final Set<Rows> written = new HashSet<>();
    private boolean writtenAnywhere;
    private boolean changedTables;
    private boolean begun;
    private volatile boolean changed;
    private volatile boolean isolationChanged;

    /**
     * Returns whether statements may have another meaning than in other sessions, because of its role, search path, settings or
     * temporary tables.
     */
    boolean isChanged() {
        return changed;
    }

    void change() {
        changed = true;
    }

    /** Returns whether its isolation level was ever set. */
    boolean isIsolationChanged() {
        return isolationChanged;
    }

    void changeIsolation() {
        isolationChanged = true;
    }

    /** Returns whether a statement, and no method, has begun a transaction. */
    boolean hasBegun() {
        return begun;
    }

    void begin() {
        begun = true;
    }

    /** Returns whether its transaction has written. */
    boolean hasWritten() {
        return writtenAnywhere || !written.isEmpty();
    }

    void write(Effects effects) {
        changedTables |= effects.tables();
        writtenAnywhere |= effects.everyRow() || written.size() + effects.rows().size() > MAX_ROWS;
        if (!writtenAnywhere) {
            written.addAll(effects.rows());
        }
    }

    /** Returns the writes since the last call. */
    Effects end() {
        Effects effects = new Effects(Set.copyOf(written), writtenAnywhere, changedTables);
        written.clear();
        writtenAnywhere = false;
        changedTables = false;
        begun = false;
        return effects;
    }
}
