package io.movr.workload;

import java.util.SplittableRandom;

/**
 * Draws ranks from 0 on, each with a probability in proportion to {@code 1 / (rank + 1)^theta}: the generator of Gray
 * and others ("Quickly Generating Billion-Record Synthetic Databases", 1994), which YCSB uses. The first two ranks are
 * drawn exactly, the others by a continuous approximation.
 *
 * <p>Not safe for use by several threads.
 */
final class Zipfian {

    /** The exponent of YCSB. */
    static final double THETA = 0.99;

    private final double theta;
    private final double alpha;
    private final double zetaOfTwo;
    private long items;
    private double zeta;
    private double eta;

    /**
     * Prepares for a number of items.
     *
     * @param items at least 2
     * @param theta above 0, below 1
     */
    Zipfian(long items, double theta) {
        this(items, theta, zeta(0, items, theta, 0));
    }

    /** The same where the sum of {@code 1 / i^theta} over all items is known already. */
    Zipfian(long items, double theta, double zeta) {
        if (items < 2 || theta <= 0 || theta >= 1) {
            throw new IllegalArgumentException("A Zipfian distribution needs two items and a theta between 0 and 1");
        }
        this.theta = theta;
        this.alpha = 1 / (1 - theta);
        this.zetaOfTwo = zeta(0, 2, theta, 0);
        this.items = items;
        this.zeta = zeta;
        this.eta = eta();
    }

    /** Returns a copy for another thread. */
    Zipfian copy() {
        return new Zipfian(items, theta, zeta);
    }

    /** Draws a rank. */
    long next(SplittableRandom random) {
        double u = random.nextDouble();
        double uz = u * zeta;
        if (uz < 1) {
            return 0;
        }
        if (uz < 1 + Math.pow(0.5, theta)) {
            return 1;
        }
        return Math.min(items - 1, (long) ((double) items * Math.pow(eta * u - eta + 1, alpha)));
    }

    /** Increases the number of items. */
    void grow(long newItems) {
        if (newItems > items) {
            zeta = zeta(items, newItems, theta, zeta);
            items = newItems;
            eta = eta();
        }
    }

    private double eta() {
        return (1 - Math.pow(2.0 / (double) items, 1 - theta)) / (1 - zetaOfTwo / zeta);
    }

    private static double zeta(long from, long to, double theta, double sum) {
        double all = sum;
        for (long item = from + 1; item <= to; item++) {
            all += 1 / Math.pow((double) item, theta);
        }
        return all;
    }
}
