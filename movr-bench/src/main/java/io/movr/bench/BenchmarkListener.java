package io.movr.bench;

/** Watches a run of the benchmarks. */
public interface BenchmarkListener {

    /** The databases are being prepared. */
    void preparing(String what);

    /**
     * Measuring begins.
     *
     * @param seconds how long it will take
     */
    void planned(int jobs, int rounds, double seconds);

    /**
     * A job begins.
     *
     * @param number from 1, over all rounds
     */
    void measuring(int number, int of, String job);

    /** Everything was measured once more, and is in the bundle. */
    void roundDone(int round, int of);

    /** A job could not be measured. */
    void failed(String job, String why);
}
