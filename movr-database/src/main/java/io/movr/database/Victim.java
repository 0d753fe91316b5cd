package io.movr.database;

/** A server of ours, or all in a region, that can be broken on purpose and mended. */
public interface Victim {

    /** What it is called: {@code server}, {@code node-2}, a region. */
    String name();

    /** Kills its processes by SIGKILL. What they had written and not yet synced to disk is not lost by that. */
    void kill();

    /** Starts it again after {@link #kill}, with the rows that it had. */
    void start();

    /** Makes its processes stand still. */
    void pause();

    /** Lets them go on. */
    void resume();
}
