package io.movr.report;

import io.movr.UserError;

/** A bound for a loss, from 0 up. */
public final class Percent {

    private Percent() {}

    /**
     * Reads one such as {@code 5%} or {@code 2.5}.
     *
     * @param where it was written, such as the name of an option
     * @throws UserError if it is none
     */
    public static double parse(String where, String text) {
        String number = text.strip();
        if (number.endsWith("%")) {
            number = number.substring(0, number.length() - 1).strip();
        }
        try {
            double percent = Double.parseDouble(number);
            if (percent >= 0 && Double.isFinite(percent) && !number.matches(".*[a-zA-Z].*")) {
                return percent;
            }
        } catch (NumberFormatException none) {
            // Said below.
        }
        throw new UserError(where + " '" + text + "' is no percentage: write one from 0 up, such as 5%");
    }
}
