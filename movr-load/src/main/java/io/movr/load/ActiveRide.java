package io.movr.load;

/** A ride that the run has started and that has not ended, as far as the run knows. */
record ActiveRide(String id, String rider, String vehicle) {}
