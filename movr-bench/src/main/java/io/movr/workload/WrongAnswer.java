package io.movr.workload;

import java.sql.SQLException;

/** The database answered, and not what it had to. */
public final class WrongAnswer extends SQLException {

    private static final long serialVersionUID = 1L;

    public WrongAnswer(String message) {
        super(message);
    }
}
