package io.movr.schema;

import java.util.Collection;
import java.util.stream.Collectors;

/** Names and texts as they stand in statements that cannot take parameters. */
final class Sql {

    private Sql() {}

    /** A text, whatever it holds. */
    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    static String texts(Collection<String> values) {
        return values.stream().map(Sql::text).collect(Collectors.joining(", "));
    }

    /** A name, whatever it holds. */
    static String name(String value) {
        return "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
