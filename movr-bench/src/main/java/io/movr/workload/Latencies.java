package io.movr.workload;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of one operation, in nanoseconds with three significant digits. Workers write to stripes, a worker each
 * up to {@link #MOST_STRIPES} of them, so that memory stays bounded and nobody waits for anybody.
 */
final class Latencies {

    static final int DIGITS = 3;
    private static final int MOST_STRIPES = 16;

    private final SingleWriterRecorder[] stripes;
    private @Nullable Histogram recycled;

    Latencies(int workers) {
        stripes = new SingleWriterRecorder[Math.min(workers, MOST_STRIPES)];
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = new SingleWriterRecorder(DIGITS);
        }
    }

    void record(int worker, long nanos) {
        SingleWriterRecorder stripe = stripes[worker % stripes.length];
        synchronized (stripe) {
            stripe.recordValue(Math.max(0, nanos));
        }
    }

    /** What was recorded since the last call. Called by one thread. */
    Histogram take() {
        Histogram sum = new Histogram(DIGITS);
        for (SingleWriterRecorder stripe : stripes) {
            recycled = stripe.getIntervalHistogram(recycled, false);
            sum.add(recycled);
        }
        return sum;
    }
}
