package io.movr.report;

import io.movr.UserError;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes, written as PostgreSQL does: 1 kB is 1024 bytes. */
public final class ByteSize {

    private static final List<String> UNITS = List.of("kB", "MB", "GB", "TB");
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}) *(kB|MB|GB|TB)", Pattern.CASE_INSENSITIVE);

    private ByteSize() {}

    /**
     * Reads a number such as {@code 20GB}.
     *
     * @param option that it was given with
     * @throws UserError if it is none
     */
    public static long parse(String option, String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new UserError(option + " " + text + " is no size: write a whole number and kB, MB, GB or TB");
        }
        int unit = UNITS.stream()
                .map(one -> one.toLowerCase(Locale.ROOT))
                .toList()
                .indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
        return Long.parseLong(matcher.group(1)) << (10 * (unit + 1));
    }

    /** A number for people, in the largest unit of which it is at least one. */
    public static String text(long bytes) {
        int unit = 0;
        while (unit < UNITS.size() - 1 && bytes >> (10 * (unit + 2)) > 0) {
            unit++;
        }
        double value = (double) bytes / (1L << (10 * (unit + 1)));
        return String.format(
                Locale.ROOT, value < 10 && value != Math.rint(value) ? "%.1f%s" : "%.0f%s", value, UNITS.get(unit));
    }
}
