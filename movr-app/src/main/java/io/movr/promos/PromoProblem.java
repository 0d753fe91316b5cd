package io.movr.promos;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about promo codes. */
public enum PromoProblem implements ProblemType {
    UNKNOWN_PROMO_CODE(
            HttpStatus.NOT_FOUND,
            "There is no such code. Answered with 404 where the code was asked for, with 422 where a body names it."),
    PROMO_CODE_EXISTS(HttpStatus.CONFLICT, "The code is taken: choose another one."),
    PROMO_CODE_EXPIRED(HttpStatus.CONFLICT, "The code was valid until its `expiration_time`."),
    PROMO_CODE_USED_UP(
            HttpStatus.CONFLICT, "The user has applied the code as often as its `max_uses` allows each user."),
    EXPIRES_IN_THE_PAST(
            HttpStatus.UNPROCESSABLE_CONTENT, "A new code's `expiration_time` lies before now: nobody could apply it.");

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
