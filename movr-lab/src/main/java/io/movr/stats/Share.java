package io.movr.stats;

import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * The share of independent cases with a property, with the exact 95% confidence interval of its probability (Clopper and Pearson
 * 1934).
 *
 * @param count cases of which it was true, from 0 to {@code of}
 * @param of cases in all, at least 1
 * @param share {@code count} divided by {@code of}, with its interval
 */
public record Share(int count, int of, Interval share) {

    /**
     * Returns a share of some cases.
     *
     * @throws IllegalArgumentException if there are no cases, or more of them than in all
     */
    public static Share of(int count, int of) {
        if (of < 1 || count < 0 || count > of) {
            throw new IllegalArgumentException(count + " of " + of + " is no share");
        }
        double low = count == 0
                ? 0
                : BetaDistribution.of(count, of - count + 1.0).inverseCumulativeProbability(Comparison.ALPHA / 2);
        double high = count == of
                ? 1
                : BetaDistribution.of(count + 1.0, of - count).inverseSurvivalProbability(Comparison.ALPHA / 2);
        return new Share(count, of, new Interval((double) count / of, low, high));
    }
}
