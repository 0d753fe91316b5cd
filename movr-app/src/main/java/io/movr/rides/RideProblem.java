package io.movr.rides;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about rides. */
public enum RideProblem implements ProblemType {
    UNKNOWN_RIDE(HttpStatus.NOT_FOUND, "There is no ride with this id in the city."),
    RIDE_ENDED(HttpStatus.CONFLICT, "The ride has ended and can no longer be changed."),
    NOT_YOUR_RIDE(HttpStatus.FORBIDDEN, "Only the rider can end a ride: `rider_id` is another user.");

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
