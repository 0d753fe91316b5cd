package io.movr.check;

import io.movr.UserError;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Mistakes that clients make on purpose, so that it can be seen that they are found. */
public enum Breakage {
    /**
     * One commit in a hundred is taken for one whose answer was lost, and its transaction runs again: what it appended
     * stands there twice. Through the service one request in twenty is sent again, and none has an idempotency key.
     */
    RETRY,
    /** Half of the reads are answered from what any client read last, inside transactions too. */
    CACHE,
    /** A vehicle becomes in_use past the service, without a ride. */
    BYPASS;

    /** Its name on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds one by its name.
     *
     * @throws UserError if there is none
     */
    public static Breakage named(String text) {
        return Arrays.stream(values())
                .filter(breakage -> breakage.id().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no client that is broken by '" + text + "': choose "
                        + Arrays.stream(values()).map(Breakage::id).collect(Collectors.joining(" or "))));
    }
}
