package io.movr.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The display of a command that runs for a while. */
public interface RunDisplay {

    /** Shows a line that stays. */
    void line(String text);

    /** Shows a line that the next one replaces. */
    void progress(String text);

    /** Removes the line that {@link #progress} has shown. */
    void clear();

    /**
     * Shows what may be wrong with figures because of the machine.
     *
     * @param stolenShare the share of CPU steal; {@code null} if it is not known
     */
    default void warnOfSteal(@Nullable Double stolenShare) {
        CpuSteal.warning(stolenShare)
                .ifPresent(why ->
                        line("! While this was measured, " + why + ": measure again when the host is less busy"));
    }

    /** Returns a duration as text: 0.4 s, 12 s, 3 min 5 s. */
    static String duration(double seconds) {
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
    }
}
