package io.movr;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;

/**
 * The maximum slowdown that a gate allows. A gate judges the interval of the slowdown and never its estimate, because a change
 * that is exactly as slow as the bound allows would then fail in every other run.
 *
 * @param allowedPercent from 0 up
 */
public record SlowdownBound(double allowedPercent) {

    /** The outcomes of a gate. */
    public enum Outcome {
        PASSED,
        FAILED,
        UNSURE;

        /** Returns how often each outcome occurred, such as {@code 3 judged: 1 passed, 0 failed, 2 cannot tell}. */
        public static String count(Collection<Outcome> outcomes) {
            return outcomes.size() + " judged: "
                    + Collections.frequency(outcomes, PASSED) + " passed, "
                    + Collections.frequency(outcomes, FAILED) + " failed, "
                    + Collections.frequency(outcomes, UNSURE) + " cannot tell";
        }
    }

    /** How a gate treats {@link Outcome#UNSURE}. */
    public enum IfUnsure {
        PASS,
        FAIL,
        SKIP;

        /**
         * Finds a choice by its name.
         *
         * @throws UserError if there is none
         */
        public static IfUnsure named(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.name().equalsIgnoreCase(text.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UserError("--if-unsure " + text + " is unknown: choose pass, fail or skip"));
        }

        /** Returns what counts: {@link Outcome#UNSURE} remains only if it is to be skipped. */
        public Outcome counted(Outcome outcome) {
            if (outcome != Outcome.UNSURE) {
                return outcome;
            }
            return switch (this) {
                case PASS -> Outcome.PASSED;
                case FAIL -> Outcome.FAILED;
                case SKIP -> Outcome.UNSURE;
            };
        }
    }

    /**
     * Judges the 95% interval of a slowdown: failed if the whole interval lies beyond the bound, passed if the whole interval
     * lies within it.
     *
     * @param lowPercent the lower end; below 0 is faster
     * @param highPercent the upper end
     */
    public Outcome judge(double lowPercent, double highPercent) {
        if (lowPercent > allowedPercent) {
            return Outcome.FAILED;
        }
        return highPercent <= allowedPercent ? Outcome.PASSED : Outcome.UNSURE;
    }

    /**
     * Judges the interval of an improvement, the inverse of a slowdown, and does not fail what was not shown to be a difference:
     * an interval within the noise, or one of many comparisons.
     *
     * @param low the lower end; above 1 is faster
     * @param high the upper end
     * @param different whether the verdict of the same figure is a difference
     */
    public Outcome judgeImprovement(double low, double high, boolean different) {
        Outcome outcome = judge(slowerPercent(high), slowerPercent(low));
        return outcome == Outcome.FAILED && !different ? Outcome.UNSURE : outcome;
    }

    /** Returns how much longer an operation takes at an improvement, in percent. */
    public static double slowerPercent(double improvement) {
        return 100 * (1 / improvement - 1);
    }
}
