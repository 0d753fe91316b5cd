package io.movr.check;

import java.time.Duration;
import java.util.Locale;

/**
 * An injected fault, which is undone after a while.
 *
 * @param kind the kind of fault
 * @param target the server, region, link or table
 * @param delay the time since the end of the previous fault, or since the start of the run
 * @param duration the time until it is undone
 */
public record Fault(Kind kind, String target, Duration delay, Duration duration) {

    /** The kinds of faults. */
    public enum Kind {
        /** The processes of a server are killed by SIGKILL, and restarted at the end. */
        KILL,
        /** The processes of a server are suspended until the end. */
        PAUSE,
        /** A link drops all traffic until the end, without closing connections. */
        CUT,
        /** The connections of a link are reset; new ones can be opened at once. */
        BREAK,
        /** A link delays traffic by another 200 ms in each direction until the end. */
        SLOW,
        /** A column and an index are added to a table, and dropped at the end. */
        SCHEMA_CHANGE,
        /** An instance of the service is killed by SIGKILL, and restarted at the end. */
        KILL_SERVICE;

        /** Returns whether clients notice it only by a timeout, because no connection is closed. */
        boolean isSilent() {
            return this == PAUSE || this == CUT;
        }

        /** Returns its name on the command line. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %s for %.1f s, after %.1f s",
                kind.id(),
                target,
                duration.toNanos() / 1e9,
                delay.toNanos() / 1e9);
    }
}
