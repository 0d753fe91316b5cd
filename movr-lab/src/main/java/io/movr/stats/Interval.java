package io.movr.stats;

/**
 * An estimate with its 95% confidence interval.
 *
 * @param estimate the value itself
 * @param low lower end
 * @param high upper end
 */
public record Interval(double estimate, double low, double high) {

    /**
     * Returns the estimate with its interval, such as {@code 1.80 [1.75, 1.86]}.
     *
     * @param decimals of each number, at least
     */
    public String text(int decimals) {
        return Digits.text(estimate, decimals) + " [" + Digits.text(low, decimals) + ", " + Digits.text(high, decimals)
                + "]";
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }

    /**
     * Returns the noise floor, if this is the ratio of two measurements of the same thing: the largest factor, at least 1, by
     * which they may differ.
     */
    public double noiseFloor() {
        return Math.max(1, Math.max(high, 1 / low));
    }
}
