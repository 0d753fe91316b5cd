package io.movr.lab;

/** Tells nobody. */
class SilentListener implements LabListener {}
