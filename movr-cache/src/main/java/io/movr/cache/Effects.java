package io.movr.cache;

import io.movr.cache.ResultCache.Rows;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The possible effects of statements.
 *
 * @param rows rows and tables
 * @param everyRow whether it may be rows of any table
 * @param tables whether tables may have been changed or dropped
 */
record Effects(Collection<Rows> rows, boolean everyRow, boolean tables) {

    static final Effects NONE = new Effects(Set.of(), false, false);
    static final Effects EVERY_ROW = new Effects(Set.of(), true, false);
    static final Effects ANYTHING = new Effects(Set.of(), true, true);

    boolean isEmpty() {
        return rows.isEmpty() && !everyRow;
    }

    Effects and(Effects others) {
        if (others.isEmpty()) {
            return this;
        }
        Set<Rows> all = new HashSet<>(rows);
        all.addAll(others.rows());
        return new Effects(all, everyRow || others.everyRow(), tables || others.tables());
    }
}
