package io.movr.vehicles;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about vehicles. */
public enum VehicleProblem implements ProblemType {
    UNKNOWN_VEHICLE(
            HttpStatus.NOT_FOUND,
            "The city has no vehicle of this id. Answered with 404 where the vehicle was asked for, with 422 where a"
                    + " body names it."),
    VEHICLE_NOT_AVAILABLE(
            HttpStatus.CONFLICT, "The vehicle is on another ride, or lost. Choose one whose status is `available`."),
    VEHICLE_IN_USE(
            HttpStatus.CONFLICT, "The vehicle is on a ride, which alone decides its status: end the ride first."),
    STATUS_NOT_SETTABLE(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "A vehicle is `in_use` because a ride was started with it, and in no other way."),
    EXTRAS_OF_ANOTHER_TYPE(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "`ext` has a field that vehicles of this type do not have: `gears` is a bike's, `max_speed_kmh` a"
                    + " scooter's, `length_cm` a skateboard's.");

    private final HttpStatus status;
    private final String explanation;

    VehicleProblem(HttpStatus status, String explanation) {
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
