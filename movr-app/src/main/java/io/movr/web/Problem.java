package io.movr.web;

import io.movr.datasource.RejectedRequest;
import org.springframework.http.HttpStatus;

/** The refusal of a request, answered as a problem detail. Nothing was written. */
public final class Problem extends RuntimeException implements RejectedRequest {

    private static final long serialVersionUID = 1L;

    private final transient ProblemType type;
    private final HttpStatus status;
    private final String field;

    Problem(ProblemType type, HttpStatus status, String field, String detail) {
        // A refusal is an answer, not a defect, so it has no stack trace.
        super(detail, null, false, false);
        this.type = type;
        this.status = status;
        this.field = field;
    }

    public ProblemType type() {
        return type;
    }

    public HttpStatus status() {
        return status;
    }

    /** Returns the same, where what is missing was not asked for itself but named in the body of a request. */
    public Problem namedInBody() {
        return new Problem(type, HttpStatus.UNPROCESSABLE_CONTENT, field, String.valueOf(getMessage()));
    }

    /** Returns the invalid parameter or field; empty if there is no particular one. */
    String field() {
        return field;
    }
}
