package io.movr.promos;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about promo codes. */
public enum PromoProblem implements ProblemType {
    UNKNOWN_PROMO_CODE(
            HttpStatus.NOT_FOUND,
            "There is no such code. The status is 404 if the path names the code, 422 if the body does."),
    PROMO_CODE_EXISTS(HttpStatus.CONFLICT, "The code is taken: choose another one."),
    PROMO_CODE_EXPIRED(HttpStatus.CONFLICT, "The `expiration_time` of the code has passed."),
    PROMO_CODE_USED_UP(HttpStatus.CONFLICT, "The user has applied the code `max_uses` times."),
    EXPIRES_IN_THE_PAST(HttpStatus.UNPROCESSABLE_CONTENT, "The `expiration_time` of a new code must be in the future.");

    private final HttpStatus status;
    private final String explanation;

    PromoProblem(HttpStatus status, String explanation) {
        this.status = status;
        this.explanation = explanation;
    }

    @Override
    public HttpStatus status() {
        return status;
    }

    @Override
    public String explanation() {
        return explanation;
    }
}
