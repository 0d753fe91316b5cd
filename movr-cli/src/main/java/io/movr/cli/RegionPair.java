package io.movr.cli;

import io.movr.UserError;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two regions as the command line names them, such as {@code us-east1:us-west1=300ms}.
 *
 * @param roundTrip between them; zero if it is not given
 */
record RegionPair(String one, String other, Duration roundTrip) {

    private static final Pattern PAIR = Pattern.compile("([a-z][a-z0-9-]*):([a-z][a-z0-9-]*)");
    private static final Pattern WITH_ROUND_TRIP = Pattern.compile(PAIR.pattern() + "=(\\d+(?:\\.\\d+)?)ms");

    /** Reads {@code A:B}. */
    static RegionPair of(String text, String example) {
        Matcher matcher = matched(PAIR, text, example);
        return new RegionPair(matcher.group(1), matcher.group(2), Duration.ZERO);
    }

    /** Reads {@code A:B=MS}. */
    static RegionPair withRoundTrip(String text, String example) {
        Matcher matcher = matched(WITH_ROUND_TRIP, text, example);
        return new RegionPair(
                matcher.group(1),
                matcher.group(2),
                Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(3)) * 1e6)));
    }

    private static Matcher matched(Pattern pattern, String text, String example) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new UserError("'" + text + "' is not a pair of regions: write it like " + example);
        }
        return matcher;
    }
}
