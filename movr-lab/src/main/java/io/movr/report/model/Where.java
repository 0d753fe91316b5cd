package io.movr.report.model;

/** Where a block or a column is shown. */
public enum Where {
    EVERYWHERE,
    /** On the HTML page only. */
    PAGE,
    /** In a terminal and in Markdown only. */
    TEXT;

    /** Returns whether the HTML page shows it. */
    public boolean isOnPage() {
        return this != TEXT;
    }

    /** Returns whether a terminal and Markdown show it. */
    public boolean isInText() {
        return this != PAGE;
    }
}
