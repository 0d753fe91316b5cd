package io.movr.stats;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Counts latencies in classes of constant relative width, so that the counts of several intervals can be added and their
 * percentiles are exact to within 1%.
 */
public final class LatencyClasses {

    /** Class n holds the latencies from this to the n-th power on, in milliseconds. */
    public static final double WIDTH = 1.02;

    /** The minimum latency in milliseconds; shorter ones count as this. */
    private static final double SHORTEST = 0.001;

    private LatencyClasses() {}

    /** Returns the class of a latency in milliseconds. */
    static int of(double millis) {
        return (int) Math.floor(Math.log(Math.max(SHORTEST, millis)) / Math.log(WIDTH));
    }

    /** Returns how many latencies, in milliseconds, are in each class; without empty classes. */
    public static SortedMap<Integer, Integer> counts(DoubleStream millis) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        millis.forEach(latency -> counts.merge(of(latency), 1, Integer::sum));
        return counts;
    }
}
