package io.movr.lab;

import io.movr.report.LabResults;
import io.movr.report.RunBundle;

/**
 * A finished run of the laboratory.
 *
 * @param bundle the folder that holds everything about the run
 */
public record LabOutcome(LabResults results, RunBundle bundle) {}
