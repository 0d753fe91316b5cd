package io.movr.lab;

import io.movr.database.plan.Expectation;
import io.movr.database.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A statement and the expectations of its plan.
 *
 * @param parameters the values for its question marks
 * @param expectations the expectations of its plan, all of which must hold
 */
public record Step(String sql, List<?> parameters, List<Expectation> expectations) {

    public Step(String sql, List<?> parameters, Expectation expectation) {
        this(sql, parameters, List.of(expectation));
    }

    /** Returns the expectations in a few words. */
    public String expected() {
        return expectations.isEmpty()
                ? "any plan"
                : expectations.stream().map(Expectation::describe).collect(Collectors.joining("; "));
    }

    /** Returns what is wrong with a plan and what was expected, empty if it is as expected. */
    public Optional<String> complaint(Plan plan) {
        return expectations.stream()
                .flatMap(
                        expectation -> expectation
                                .complaint(plan)
                                .map(found -> "expected " + expectation.describe() + ", found " + found)
                                .stream())
                .findFirst();
    }
}
