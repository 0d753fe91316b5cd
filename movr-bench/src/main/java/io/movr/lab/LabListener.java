package io.movr.lab;

import io.movr.report.LabResults;

/** Receives the progress of a run of the laboratory; what a listener does not need it leaves out. */
public interface LabListener {

    /** A part of the preparation begins. */
    default void preparing(String what) {}

    /** Something about the databases that a reader of the results must know. */
    default void noted(String what) {}

    /** An experiment begins, the first being number 1. */
    default void measuring(int number, int of, String id) {}

    /** A write is measured next, which shows what the change of an experiment costs. */
    default void pricing(String id) {}

    /** How much of the current experiment or write is done, from 0 to 1. */
    default void progress(double part) {}

    /** An experiment is over. */
    default void measured(LabResults.Experiment result) {}
}
