package io.movr.workload;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of latencies in nanoseconds. Each worker writes to one of up to {@link #MAX_STRIPES} histograms, so that memory is
 * bounded and workers hardly ever contend.
 */
final class StripedRecorder {

    private static final int MAX_STRIPES = 16;

    private final SingleWriterRecorder[] stripes;
    private @Nullable Histogram recycled;

    StripedRecorder(int workers) {
        stripes = new SingleWriterRecorder[Math.min(workers, MAX_STRIPES)];
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = new SingleWriterRecorder(OperationResult.DIGITS);
        }
    }

    void record(int worker, long nanos) {
        SingleWriterRecorder stripe = stripes[worker % stripes.length];
        synchronized (stripe) {
            stripe.recordValue(Math.max(0, nanos));
        }
    }

    /** Returns what was recorded since the last call; one thread calls it. */
    Histogram take() {
        Histogram sum = new Histogram(OperationResult.DIGITS);
        for (SingleWriterRecorder stripe : stripes) {
            recycled = stripe.getIntervalHistogram(recycled, false);
            sum.add(recycled);
        }
        return sum;
    }
}
