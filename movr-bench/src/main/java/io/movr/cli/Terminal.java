package io.movr.cli;

import io.movr.report.CpuSteal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says on standard error how long work gets on: on one line that is written over where somebody watches, and as plain
 * lines now and then where the output goes to a file.
 */
final class Terminal {

    private static final long PLAIN_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int WIDEST = 110;

    private final PrintWriter out;
    private final boolean watched;
    private boolean lineOpen;
    private long lastPlain = System.nanoTime();

    Terminal(PrintWriter standardError) {
        this.out = standardError;
        this.watched = Boolean.getBoolean("movr.terminal");
    }

    /** A line that stays. */
    synchronized void line(String text) {
        clear();
        out.println(text);
        out.flush();
    }

    /** What may be wrong with figures because of the machine; null for a share that is not known. */
    void warnOfSteal(@Nullable Double stolenShare) {
        CpuSteal.warning(stolenShare)
                .ifPresent(why ->
                        line("! While this was measured, " + why + ": measure again when the host is less busy"));
    }

    /** A line that the next one replaces. */
    synchronized void progress(String text) {
        if (watched) {
            // A line that wraps could not be written over.
            out.print("\r\u001b[K" + (text.length() > WIDEST ? text.substring(0, WIDEST - 1) + "…" : text));
            out.flush();
            lineOpen = true;
        } else if (System.nanoTime() - lastPlain > PLAIN_EVERY_NANOS) {
            lastPlain = System.nanoTime();
            out.println(text);
            out.flush();
        }
    }

    synchronized void clear() {
        if (lineOpen) {
            out.print("\r\u001b[K");
            out.flush();
            lineOpen = false;
        }
    }

    /** A duration as people say it: 0.4 s, 12 s, 3 min 5 s. */
    static String duration(double seconds) {
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
    }
}
