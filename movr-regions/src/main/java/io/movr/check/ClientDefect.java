package io.movr.check;

import io.movr.UserError;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Deliberate defects of clients, which show that the checker finds the resulting anomalies. */
public enum ClientDefect {
    /**
     * One committed transaction in a hundred is retried as if its result had been lost, so that its elements are
     * appended twice. Through the service one request in twenty is repeated, and no request has an idempotency key.
     */
    RETRY,
    /** Half of the reads return the last value that any client read, also inside transactions. */
    CACHE,
    /** A vehicle is set to in_use in the database, without a ride. */
    BYPASS;

    /** Returns its name on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the defect with a name.
     *
     * @throws UserError if there is no such defect
     */
    public static ClientDefect named(String text) {
        return Arrays.stream(values())
                .filter(defect -> defect.id().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("unknown client defect '" + text + "': choose "
                        + Arrays.stream(values()).map(ClientDefect::id).collect(Collectors.joining(" or "))));
    }
}
