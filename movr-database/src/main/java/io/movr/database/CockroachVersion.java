package io.movr.database;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A major version of CockroachDB, such as v26.1.
 *
 * @param year the first number
 * @param release the second one
 */
public record CockroachVersion(int year, int release) implements Comparable<CockroachVersion> {

    /** The oldest supported version. */
    public static final CockroachVersion OLDEST = new CockroachVersion(23, 1);

    /** The first version whose partitions and regions need no licence. */
    public static final CockroachVersion FREE_REGIONS = new CockroachVersion(24, 3);

    /** The newest version that movr was tested with. */
    public static final CockroachVersion TRIED = new CockroachVersion(26, 1);

    private static final Pattern FORM = Pattern.compile("(?:^|\\s)v(\\d+)\\.(\\d+)\\.\\S*");
    private static final Comparator<CockroachVersion> ORDER =
            Comparator.comparingInt(CockroachVersion::year).thenComparingInt(CockroachVersion::release);

    /** Finds it in a build tag or in what {@code version()} answers; empty if there is none. */
    public static Optional<CockroachVersion> in(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.find()
                ? Optional.of(
                        new CockroachVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(CockroachVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "v" + year + "." + release;
    }
}
