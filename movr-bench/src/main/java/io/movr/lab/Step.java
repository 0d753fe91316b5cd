package io.movr.lab;

import java.util.List;

/**
 * A statement, as its plan is asked for, and what that plan must be.
 *
 * @param parameters values for its question marks
 */
public record Step(String sql, List<?> parameters, Expectation expectation) {}
