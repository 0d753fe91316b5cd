package io.movr.rides;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about rides. */
public enum RideProblem implements ProblemType {
    UNKNOWN_RIDE(HttpStatus.NOT_FOUND, "The city has no ride of this id."),
    RIDE_ENDED(HttpStatus.CONFLICT, "The ride has ended, and nothing about it changes any more."),
    NOT_YOUR_RIDE(HttpStatus.FORBIDDEN, "A ride is ended by its rider: `rider_id` is another one's.");

    private final HttpStatus status;
    private final String explanation;

    RideProblem(HttpStatus status, String explanation) {
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
