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
     * Returns the largest factor, at least 1, by which two measurements of the same thing are seen to differ, when this is the
     * ratio of the one to the other.
     */
    public double noiseFloor() {
        return Math.max(1, Math.max(high, 1 / low));
    }
}
