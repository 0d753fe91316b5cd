package io.movr.database.plan;

/** How a step of a plan accesses the rows of a table. */
public enum Access {
    /** Every row of the table. */
    FULL_SCAN("full scan"),
    /** Every entry of an index, without the table. */
    FULL_INDEX_SCAN("full scan of an index"),
    /** A part of an index, then the table for each entry. */
    INDEX_SCAN("index scan"),
    /** A part of an index that holds all that is asked for: a covering index. */
    INDEX_ONLY_SCAN("index-only scan"),
    /** A part of the table, without an index: by the positions of rows, or a sample of pages. */
    PARTIAL_SCAN("partial scan"),
    /** An access that the plan reader does not recognise. */
    NOT_UNDERSTOOD("not understood");

    private final String title;

    Access(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
