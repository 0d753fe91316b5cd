package io.movr.load;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended.
 *
 * @param text {@code ok}, {@code refused_<problem>} or {@code failed_<why>}
 */
record Outcome(Kind kind, String text) {

    enum Kind {
        OK,
        /** Refused by a rule of MovR, which concurrent riders may violate. */
        REFUSED,
        FAILED
    }

    static final Outcome OK = new Outcome(Kind.OK, "ok");

    /** A successful answer with the wrong content. */
    static final Outcome WRONG_ANSWER = failed("wrong_answer");

    private static final Set<String> RULES =
            Set.of("vehicle-not-available", "vehicle-in-use", "ride-ended", "promo-code-used-up", "promo-code-expired");

    /** Returns the outcome of an answer. */
    static Outcome of(int status, @Nullable String problem) {
        if (status >= 200 && status < 300) {
            return OK;
        }
        if (problem != null && status < 500 && RULES.contains(problem)) {
            return new Outcome(Kind.REFUSED, "refused_" + problem);
        }
        return failed(Integer.toString(status));
    }

    static Outcome failed(String why) {
        return new Outcome(Kind.FAILED, "failed_" + why);
    }
}
