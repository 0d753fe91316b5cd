package io.movr.web;

import io.movr.datasource.RejectedRequest;
import org.springframework.http.HttpStatus;

/** The refusal of a request, returned as a problem detail. Nothing was written. */
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

    /** Returns the same problem for a row that the body of a request names, instead of its path. */
    public Problem namedInBody() {
        return new Problem(type, HttpStatus.UNPROCESSABLE_CONTENT, field, String.valueOf(getMessage()));
    }

    /** Returns the invalid parameter or field; empty if there is no particular one. */
    String field() {
        return field;
    }
}
