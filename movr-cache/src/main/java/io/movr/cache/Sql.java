package io.movr.cache;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The effect of a statement, as far as it is certain. */
sealed interface Sql {

    /**
     * The name of a table in a statement.
     *
     * @param schema empty when it is not said
     */
    record Name(String schema, String table) {}

    /** A value that a statement names: a parameter, counted from 1, or a literal where that is 0. */
    record Operand(int parameter, String literal) {}

    /**
     * A SELECT whose result depends only on the rows of these tables and on its parameters.
     *
     * @param keyed columns that must equal a value in every row that is read; none where there are several tables
     */
    record Read(List<Name> tables, Map<String, Operand> keyed) implements Sql {}

    /**
     * A statement that writes rows of one table.
     *
     * @param rows values that columns of the written rows have, for an INSERT one map for each row; empty when not known
     * @param assigned columns that are given new values in rows that were there before
     */
    record Write(Name table, List<Map<String, Operand>> rows, Set<String> assigned) implements Sql {}

    /** Everything else. */
    enum Other implements Sql {
        /** A read whose result must not be cached. */
        UNCACHED_READ,
        /** Begins a transaction by itself. */
        BEGIN,
        /** Ends a transaction. */
        END,
        /** Changes what later statements of the session mean, and no rows. */
        SESSION,
        /** May do anything. */
        UNKNOWN
    }
}
