package io.movr.edge;

import io.movr.edge.ResultCache.Rows;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What statements may have written.
 *
 * @param rows rows and tables
 * @param anything whether it may be anything, the tables themselves included
 */
record Effects(Collection<Rows> rows, boolean anything) {

    static final Effects NONE = new Effects(Set.of(), false);
    static final Effects ANYTHING = new Effects(Set.of(), true);

    boolean isEmpty() {
        return rows.isEmpty() && !anything;
    }

    Effects and(Effects others) {
        if (others.isEmpty()) {
            return this;
        }
        Set<Rows> all = new HashSet<>(rows);
        all.addAll(others.rows());
        return new Effects(all, anything || others.anything());
    }
}
