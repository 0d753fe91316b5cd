package io.movr.stats;

/**
 * An estimate with the interval that covers the true value in 95 of 100 repetitions.
 *
 * @param estimate the value itself
 * @param low lower end
 * @param high upper end
 */
public record Interval(double estimate, double low, double high) {

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
