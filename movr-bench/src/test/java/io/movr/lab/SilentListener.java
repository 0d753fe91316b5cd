package io.movr.lab;

import io.movr.report.LabResults;

/** Tells nobody. */
class SilentListener implements LabListener {

    @Override
    public void preparing(String what) {}

    @Override
    public void noted(String what) {}

    @Override
    public void measuring(int number, int of, String id) {}

    @Override
    public void pricing(String id) {}

    @Override
    public void progress(double part) {}

    @Override
    public void measured(LabResults.Experiment result) {}
}
