package io.movr.load;

/** The course of the arrival rate after the warm-up, which is at the full rate. */
enum Profile {
    /** The rate throughout. */
    STEADY {
        @Override
        double factor(double second, double seconds) {
            return 1;
        }
    },

    /** From 10% of the rate up to the rate. */
    RAMP {
        @Override
        double factor(double second, double seconds) {
            return 0.1 + 0.9 * second / seconds;
        }
    },

    /** The rate, and three times the rate during the last two of every ten seconds. */
    BURST {
        @Override
        double factor(double second, double seconds) {
            return second % 10 < 8 ? 1 : 3;
        }
    };

    static final double MAX_FACTOR = 3;

    /**
     * Returns the factor of the rate.
     *
     * @param second since the end of the warm-up
     * @param seconds that follow the warm-up in all
     */
    abstract double factor(double second, double seconds);
}
