package io.movr.stats;

import java.util.Locale;

/** Numbers as people read them: none is rounded to nothing. */
public final class Digits {

    private static final int SIGNIFICANT = 3;
    private static final int MAX_DECIMALS = 9;

    private Digits() {}

    /**
     * A number with some decimals, and with more of them where that would leave fewer than three significant digits.
     *
     * @param decimals at least
     */
    public static String text(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return String.valueOf(value);
        }
        int magnitude = value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
        int needed = Math.min(MAX_DECIMALS, Math.max(decimals, SIGNIFICANT - 1 - magnitude));
        return String.format(Locale.ROOT, "%." + (value == 0 ? decimals : needed) + "f", value);
    }
}
