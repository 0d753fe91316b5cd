package io.movr.lab;

import io.movr.stats.Comparison;
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

    /**
     * A verdict with its reason.
     *
     * @param reason a sentence
     */
    record Reasoned(Verdict verdict, String reason) {}

    /**
     * Whether before and after really differ: their ranks do, and the whole interval of their ratio lies outside what
     * the same thing measured twice shows.
     *
     * @param noiseFloor as {@link #noiseFloor} gives it
     */
    static boolean isDifference(Comparison measured, double noiseFloor) {
        Interval ratio = measured.ratio();
        return measured.ranksDiffer() && (ratio.low() > noiseFloor || ratio.high() < 1 / noiseFloor);
    }

    /** The largest factor, at least 1, by which two measurements of the same thing are seen to differ. */
    static double noiseFloor(Interval sameAgainstSame) {
        return Math.max(1, Math.max(sameAgainstSame.high(), 1 / sameAgainstSame.low()));
    }

    /**
     * Judges a measured ratio. Ratios multiply, so sizes are compared as logarithms: of the published size means
     * between half and twice its logarithm, from the root of the published ratio to its square.
     *
     * @param measured above 1 where after is better
     * @param published above 1 where after was better
     */
    static Reasoned of(Interval measured, boolean different, double noiseFloor, double published) {
        if (!different) {
            return new Reasoned(
                    NO_DIFFERENCE,
                    String.format(
                            Locale.ROOT,
                            "Measured %.2f× [%.2f, %.2f], which is within the noise of ±%.1f%%, or which the test of"
                                    + " ranks does not tell from 1; published %.2f×.",
                            measured.estimate(),
                            measured.low(),
                            measured.high(),
                            100 * (noiseFloor - 1),
                            published));
        }
        if (measured.estimate() > 1 != published > 1) {
            return new Reasoned(
                    NOT_REPRODUCED,
                    String.format(
                            Locale.ROOT,
                            "Measured %.2f×, the other way round than the published %.2f×.",
                            measured.estimate(),
                            published));
        }
        double size = Math.log(measured.estimate()) / Math.log(published);
        double from = Math.sqrt(published);
        double to = published * published;
        boolean ofThatSize = size >= 0.5 && size <= 2;
        return new Reasoned(
                ofThatSize ? REPRODUCED : DIRECTION_ONLY,
                String.format(
                        Locale.ROOT,
                        "Measured %.2f×, %s; published %.2f×, and of its size counts what lies between %.2f× and"
                                + " %.2f×.",
                        measured.estimate(),
                        ofThatSize ? "about as much" : size < 1 ? "much less" : "much more",
                        published,
                        Math.min(from, to),
                        Math.max(from, to)));
    }

    /** Its name in tables and files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
