package io.movr.traffic;

import io.movr.report.TrafficResults.Figure;
import java.util.List;
import java.util.function.Supplier;

/** Is told how traffic before and after gets on. */
public interface TrafficListener {

    /** What is done now; while traffic is sent, every second. */
    void progress(String what);

    /** The runs that count begin. */
    default void planned(List<Run> runs) {}

    /**
     * A run that counts is over.
     *
     * @param value in the run's unit; not a number if nothing was answered
     * @param figures as far as the runs until now tell, not judged; those of which a side has no run are left out. They
     *     are computed when they are asked for
     */
    default void measured(Run run, double value, Supplier<List<Figure>> figures) {}

    /**
     * A run that counts.
     *
     * @param side {@code before} or {@code after}
     * @param closed whether clients wait for their answers
     * @param number from 1, of the side
     */
    record Run(String side, boolean closed, int number) {

        /** Of its value: the p99 of latency since a request was due, or what was answered, if clients wait. */
        public String unit() {
            return closed ? "requests/s" : "ms";
        }
    }
}
