package io.movr.lab;

import org.jspecify.annotations.Nullable;

/**
 * A write that is measured in addition to an experiment, on the databases of its sides.
 *
 * @param maxSlowdownPercent by how much it may become slower, {@code null} if there is no bound
 */
record MeasuredWrite(String name, @Nullable Double maxSlowdownPercent, Experiment experiment) {}
