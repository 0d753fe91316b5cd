package io.movr.users;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about users. */
public enum UserProblem implements ProblemType {
    UNKNOWN_USER(
            HttpStatus.NOT_FOUND,
            "The city has no user of this id. Answered with 404 where the user was asked for, with 422 where a body"
                    + " names it.");

    private final HttpStatus status;
    private final String explanation;

    UserProblem(HttpStatus status, String explanation) {
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
