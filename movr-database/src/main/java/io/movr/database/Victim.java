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

    /** Whether {@link #fillDisk} can be done. */
    default boolean canFillDisk() {
        return false;
    }

    /** Lets it write no file any further than a few megabytes, until {@link #freeDisk}. */
    default void fillDisk() {
        throw new UnsupportedOperationException(name());
    }

    /** Lets it write again, and starts it if it has ended meanwhile. */
    default void freeDisk() {
        throw new UnsupportedOperationException(name());
    }
}
