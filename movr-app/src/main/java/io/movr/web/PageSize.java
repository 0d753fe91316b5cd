package io.movr.web;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The number of rows in a page. */
@Component
public final class PageSize {

    private final ApiProperties limits;

    PageSize(ApiProperties limits) {
        this.limits = limits;
    }

    /** Returns the requested size after checking it, or the default. */
    public int of(@Nullable Integer limit) {
        if (limit == null) {
            return limits.pageSize();
        }
        if (limit < 1 || limit > limits.largestPageSize()) {
            throw RequestProblem.INVALID_REQUEST.because(
                    "limit", "is " + limit + ": at least 1, at most " + limits.largestPageSize());
        }
        return limit;
    }
}
