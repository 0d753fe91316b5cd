package io.movr.database;

/** A server that movr started, or all servers of a region, into which faults can be injected. */
public interface FaultTarget {

    /** Returns what it is called: {@code server}, {@code node-2}, a region. */
    String name();

    /** Kills its processes by SIGKILL. Data that they had written and not yet synced to disk is not lost by that. */
    void kill();

    /** Starts it again after {@link #kill}, with the rows that it had. */
    void start();

    /** Suspends its processes by SIGSTOP. */
    void pause();

    /** Resumes its suspended processes. */
    void resume();
}
