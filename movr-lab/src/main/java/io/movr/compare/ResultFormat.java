package io.movr.compare;

import io.movr.UserError;

/** A format in which another program leaves its results. */
interface ResultFormat {

    /** Returns what messages call such a file, such as {@code the output of pgbench}. */
    String name();

    /** Returns whether the beginning of a file is of this format; a file is recognised by its content, not by its name. */
    boolean recognises(String beginning);

    /**
     * Reads a file that was recognised.
     *
     * @throws UserError if it is not whole
     */
    FileContent read(TextFile file);
}
