package io.movr.users;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about users. */
public enum UserProblem implements ProblemType {
    UNKNOWN_USER(
            HttpStatus.NOT_FOUND,
            "There is no user with this id in the city. The status is 404 if the path names the user, 422 if the body"
                    + " does.");

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
