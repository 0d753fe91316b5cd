package io.movr.cache;

import io.movr.cache.ResultCache.Rows;
import java.util.HashSet;
import java.util.Set;

/** A session of the database: what is known of it outlives the connection that was borrowed from a pool. */
final class Session {

    /** More than that are not told apart. */
    private static final int MAX_ROWS = 10_000;

    private final Set<Rows> written = new HashSet<>();
    private boolean writtenAnywhere;
    private boolean changedTables;
    private boolean begun;
    private volatile boolean changed;
    private volatile boolean isolationChanged;

    /** Returns whether it may understand statements otherwise than other sessions do: another role, path, setting, table. */
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

    /** Returns what was written since this was asked last. */
    Effects end() {
        Effects effects = new Effects(Set.copyOf(written), writtenAnywhere, changedTables);
        written.clear();
        writtenAnywhere = false;
        changedTables = false;
        begun = false;
        return effects;
    }
}
