package io.movr.workload;

import java.sql.SQLException;

/** Who is told how a run gets on. */
public interface RunListener {

    RunListener NONE = new RunListener() {};

    /** All workers are connected, and the ramp is over. */
    default void measuringBegins() {}

    /** Called by the thread that runs the run. */
    default void tick(Tick tick) {}

    /** An operation has failed for good. Called by the worker that it happened to. */
    default void failed(String operation, SQLException failure) {}
}
