package io.movr.workload;

import java.sql.SQLException;
import java.util.List;

/** Who is told how a run gets on. */
public interface RunListener {

    RunListener NONE = new RunListener() {};

    /** Returns several listeners as one, told in their order. */
    static RunListener all(List<RunListener> listeners) {
        return new RunListener() {
            @Override
            public void measuringBegins() {
                listeners.forEach(RunListener::measuringBegins);
            }

            @Override
            public void tick(Tick tick) {
                listeners.forEach(listener -> listener.tick(tick));
            }

            @Override
            public void lastTick(Tick tick) {
                listeners.forEach(listener -> listener.lastTick(tick));
            }

            @Override
            public void failed(String operation, SQLException failure) {
                listeners.forEach(listener -> listener.failed(operation, failure));
            }
        };
    }

    /** All workers are connected, and the ramp is over. */
    default void measuringBegins() {}

    /** Called by the thread that runs the run. */
    default void tick(Tick tick) {}

    /** What was left after the last tick. Called by the thread that runs the run. */
    default void lastTick(Tick tick) {}

    /** An operation has failed for good. Called by the worker that it happened to. */
    default void failed(String operation, SQLException failure) {}
}
