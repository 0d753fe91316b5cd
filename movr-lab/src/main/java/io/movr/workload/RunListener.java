package io.movr.workload;

import java.sql.SQLException;
import java.util.List;

/** A listener for the progress of a run. */
public interface RunListener {

    RunListener NONE = new RunListener() {};

    /** Returns a listener that calls several listeners in their order. */
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

    /** Called when all workers are connected and the ramp is over. */
    default void measuringBegins() {}

    /** Called by the thread that runs the run. */
    default void tick(Tick tick) {}

    /** Receives the remainder after the last tick. Called by the thread that runs the run. */
    default void lastTick(Tick tick) {}

    /** Receives a final failure of an operation. Called by its worker. */
    default void failed(String operation, SQLException failure) {}
}
