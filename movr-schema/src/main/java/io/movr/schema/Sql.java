package io.movr.schema;

import java.util.Collection;
import java.util.stream.Collectors;

/** Quotes names and texts for statements that take no parameters. */
final class Sql {

    private Sql() {}

    /** Returns a text as a literal. */
    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    static String texts(Collection<String> values) {
        return values.stream().map(Sql::text).collect(Collectors.joining(", "));
    }

    /** Returns a name as a quoted identifier. */
    static String name(String value) {
        return "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
