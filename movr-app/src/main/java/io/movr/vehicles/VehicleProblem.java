package io.movr.vehicles;

import io.movr.web.ProblemType;
import org.springframework.http.HttpStatus;

/** The rules about vehicles. */
public enum VehicleProblem implements ProblemType {
    UNKNOWN_VEHICLE(
            HttpStatus.NOT_FOUND,
            "There is no vehicle with this id in the city. The status is 404 if the path names the vehicle, 422 if the"
                    + " body does."),
    VEHICLE_NOT_AVAILABLE(
            HttpStatus.CONFLICT, "The vehicle is on another ride, or lost. Choose a vehicle with status `available`."),
    VEHICLE_IN_USE(HttpStatus.CONFLICT, "The status of a vehicle cannot be changed during a ride: end the ride first."),
    STATUS_NOT_SETTABLE(
            HttpStatus.UNPROCESSABLE_CONTENT, "The status `in_use` cannot be set: start a ride with the vehicle."),
    EXTRAS_OF_ANOTHER_TYPE(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "`ext` has a field that vehicles of this type do not have: `gears` is for bikes, `max_speed_kmh` for"
                    + " scooters, `length_cm` for skateboards.");

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
