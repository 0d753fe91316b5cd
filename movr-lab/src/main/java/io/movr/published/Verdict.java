package io.movr.published;

import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.Locale;

/** What a measured ratio says of a published one. */
public enum Verdict {
    /** A real difference in the published direction and of about the published size. */
    REPRODUCED,
    /** A real difference in the published direction, but much smaller or much larger. */
    DIRECTION_ONLY,
    /** A real difference in the other direction. */
    NOT_REPRODUCED,
    /** Before and after differ by no more than noise. */
    NO_DIFFERENCE;

    /** What stands in place of a verdict where there are too few runs for one. */
    public static final String NOT_JUDGED = "not judged";

    /**
     * A verdict with its reason.
     *
     * @param reason a sentence
     */
    public record Reasoned(Verdict verdict, String reason) {}

    /**
     * Judges a measured ratio. A ratio is of the published size when it lies between half and twice the published one,
     * and, as half of a small ratio would be none at all, also between its root and its square.
     *
     * @param measured above 1 where after is better
     * @param published above 1 where after was better
     */
    public static Reasoned of(Interval measured, boolean different, double noiseFloor, double published) {
        if (!different) {
            return new Reasoned(
                    NO_DIFFERENCE,
                    String.format(
                            Locale.ROOT,
                            "Measured %s, which is within the noise of ±%s%%, or which the test"
                                    + " does not tell from 1; published %s×.",
                            measured.text(2).replaceFirst(" ", "× "),
                            Digits.rounded(100 * (noiseFloor - 1), 1),
                            Digits.text(published, 2)));
        }
        if (measured.estimate() > 1 != published > 1) {
            return new Reasoned(
                    NOT_REPRODUCED,
                    String.format(
                            Locale.ROOT,
                            "Measured %s×, in the opposite direction of the published %s×.",
                            Digits.text(measured.estimate(), 2),
                            Digits.text(published, 2)));
        }
        boolean faster = published > 1;
        double size = faster ? measured.estimate() : 1 / measured.estimate();
        double target = faster ? published : 1 / published;
        double least = Math.max(Math.sqrt(target), target / 2);
        double most = Math.min(target * target, target * 2);
        boolean ofThatSize = size >= least && size <= most;
        return new Reasoned(
                ofThatSize ? REPRODUCED : DIRECTION_ONLY,
                String.format(
                        Locale.ROOT,
                        "Measured %s×, %s the published %s×; about as much would be %s× to %s×.",
                        Digits.text(measured.estimate(), 2),
                        ofThatSize ? "about as much as" : size < least ? "much less than" : "much more than",
                        Digits.text(published, 2),
                        Digits.text(faster ? least : 1 / most, 2),
                        Digits.text(faster ? most : 1 / least, 2)));
    }

    /** Returns its name in tables and files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
