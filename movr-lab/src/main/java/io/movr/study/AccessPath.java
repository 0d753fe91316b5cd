package io.movr.study;

import java.util.Locale;

/** A path from the client to the database. */
enum AccessPath {
    /** Statements cross the whole distance. */
    DIRECT,
    /** Statements go through a cache at the point of presence. */
    PRESENCE,
    /** Statements go through a cache in the process of the client. */
    NEAR;

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
