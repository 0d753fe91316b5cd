package io.movr.workload;

import io.movr.database.SqlState;
import java.sql.SQLException;

/** The causes by which failures of operations are counted. */
final class Failure {

    static final String WRONG_ANSWER = "wrong answer";

    private Failure() {}

    static String cause(SQLException failed) {
        if (failed instanceof WrongAnswer) {
            return WRONG_ANSWER;
        }
        String state = SqlState.of(failed);
        if (state == null) {
            return "no SQLSTATE";
        }
        return switch (state) {
            case SqlState.SERIALIZATION_FAILURE -> state + " serialization failure";
            case SqlState.DEADLOCK -> state + " deadlock";
            case "40003" -> state + " outcome unknown";
            case "23505" -> state + " unique violation";
            case "23503" -> state + " foreign key violation";
            case "57014" -> state + " cancelled";
            case "53300" -> state + " too many connections";
            default -> isConnectionLost(failed) ? state + " connection lost" : state;
        };
    }

    /** Returns whether the connection is lost, so that the outcome of its last statement is unknown. */
    static boolean isConnectionLost(SQLException failed) {
        return SqlState.isConnectionLost(SqlState.of(failed));
    }

    static boolean isOutcomeUnknown(SQLException failed) {
        return isConnectionLost(failed) || SqlState.UNKNOWN_OUTCOME.equals(SqlState.of(failed));
    }
}
