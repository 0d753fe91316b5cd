package io.movr.lab;

import io.movr.report.LabResults;

/** A receiver of the progress of a run. A listener overrides the methods that it needs. */
public interface LabListener {

    /** Called when a part of the preparation begins. */
    default void preparing(String what) {}

    /** Called with something about the databases that a reader of the results must know. */
    default void noted(String what) {}

    /** Called when an experiment begins; the first has the number 1. */
    default void measuring(int number, int of, String id) {}

    /** Called before a write is measured, which is a part of the price of an experiment. */
    default void pricing(String id) {}

    /** Called with the finished part of the current experiment or write, from 0 to 1. */
    default void progress(double part) {}

    /** Called when an experiment is finished. */
    default void measured(LabResults.Experiment result) {}
}
