package io.movr.workload;

import java.sql.SQLException;

/** A wrong answer of the database. */
final class WrongAnswer extends SQLException {

    private static final long serialVersionUID = 1L;

    public WrongAnswer(String message) {
        super(message);
    }
}
