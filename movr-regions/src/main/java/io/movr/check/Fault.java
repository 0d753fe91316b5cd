package io.movr.check;

import java.time.Duration;
import java.util.Locale;

/**
 * Something that is broken on purpose for a while.
 *
 * @param kind what is done
 * @param target to which server, region or link
 * @param pause from the end of the fault before, or from the begin of the run
 * @param length until it is undone
 */
public record Fault(Kind kind, String target, Duration pause, Duration length) {

    /** What can be done. */
    public enum Kind {
        /** A server's processes are killed by SIGKILL, and started again at the end. */
        KILL,
        /** A server's processes stand still until the end. */
        PAUSE,
        /** A link lets nothing pass until the end; nobody is told. */
        CUT,
        /** The connections of a link are broken; new ones can be made at once. */
        BREAK,
        /** A link takes 200 ms more each way until the end. */
        SLOW,
        /** A column and an index are added to the table of the lists, and dropped at the end. */
        SCHEMA_CHANGE,
        /** An instance of the service is killed by SIGKILL, and started again at the end. */
        KILL_SERVICE;

        /** Whether nobody is told of it: who waits for an answer finds out by waiting. */
        boolean isSilent() {
            return this == PAUSE || this == CUT;
        }

        /** Its name on the command line. */
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
                length.toNanos() / 1e9,
                pause.toNanos() / 1e9);
    }
}
