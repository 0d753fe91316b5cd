package io.movr.web;

import io.movr.datasource.RejectedRequest;
import org.springframework.http.HttpStatus;

/** A request that is refused, and why: answered as a problem detail, with nothing written. */
public final class Problem extends RuntimeException implements RejectedRequest {

    private static final long serialVersionUID = 1L;

    private final transient ProblemType type;
    private final HttpStatus status;
    private final String field;

    Problem(ProblemType type, HttpStatus status, String field, String detail) {
        // A refusal is an answer, not a defect: where in the code it was made is of no interest.
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

    /** Returns the parameter or field that is at fault, empty when it is none in particular. */
    String field() {
        return field;
    }
}
