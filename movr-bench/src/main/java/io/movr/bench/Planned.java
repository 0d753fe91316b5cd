package io.movr.bench;

import io.movr.lab.Expectation;
import java.util.List;

/**
 * A statement of a call, and what its plan must be.
 *
 * @param parameters values for its question marks
 */
record Planned(String sql, List<?> parameters, Expectation expectation) {}
