package io.movr.lab;

import io.movr.report.LabResults;

/** Is told how a run of the laboratory gets on. */
public interface LabListener {

    /** A part of the preparation begins. */
    void preparing(String what);

    /** Something about the databases that a reader of the results must know. */
    void noted(String what);

    /** An experiment begins, the first being number 1. */
    void measuring(int number, int of, String id);

    /** A write is measured next, which shows what the change of an experiment costs. */
    void pricing(String id);

    /** How much of the current experiment or write is done, from 0 to 1. */
    void progress(double part);

    /** An experiment is over. */
    void measured(LabResults.Experiment result);
}
