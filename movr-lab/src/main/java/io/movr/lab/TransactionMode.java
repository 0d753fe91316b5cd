package io.movr.lab;

import com.fasterxml.jackson.annotation.JsonCreator;

/** The transactions of a run. */
enum TransactionMode {
    /** Each statement is a transaction. */
    PER_STATEMENT,
    /** All statements are one transaction. */
    COMMITTED,
    /** All statements are one transaction that is rolled back: no row stays changed, and no commit is measured. */
    ROLLED_BACK;

    @JsonCreator
    static TransactionMode of(String text) {
        return switch (text) {
            case "false" -> PER_STATEMENT;
            case "true" -> COMMITTED;
            case "rollback" -> ROLLED_BACK;
            default -> throw new IllegalArgumentException("is true, false or rollback, not '" + text + "'");
        };
    }
}
