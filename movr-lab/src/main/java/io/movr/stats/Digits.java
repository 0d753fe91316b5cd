package io.movr.stats;

import java.util.Locale;

/** Formats numbers without rounding any to zero. */
public final class Digits {

    private static final int SIGNIFICANT = 3;

    /** The maximum of digits of a double. */
    private static final int MAX_DECIMALS = 17;

    private Digits() {}

    /**
     * Returns a number with some decimals, and with more of them where that would leave fewer than three significant digits.
     *
     * @param decimals at least
     */
    public static String text(double value, int decimals) {
        return fixed(value, value == 0 ? decimals : Math.max(decimals, decimalsFor(value, SIGNIFICANT)));
    }

    /** Returns a number with so many significant digits, or all of its whole part, without an exponent. */
    public static String significant(double value, int digits) {
        return fixed(value, decimalsFor(value, digits));
    }

    private static int decimalsFor(double value, int digits) {
        int magnitude = value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
        return Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - magnitude));
    }

    private static String fixed(double value, int decimals) {
        return Double.isFinite(value)
                ? String.format(Locale.ROOT, "%." + decimals + "f", value)
                : String.valueOf(value);
    }

    /** Returns a number with some decimals, or with three significant digits where those decimals would be zeros only. */
    public static String rounded(double value, int decimals) {
        String text = fixed(value, decimals);
        return value == 0 || text.chars().anyMatch(digit -> digit >= '1' && digit <= '9')
                ? text
                : text(value, decimals);
    }
}
