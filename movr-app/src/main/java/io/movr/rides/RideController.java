package io.movr.rides;

import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.users.UserId;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/rides}. */
@RestController
@RequestMapping("/api/rides")
@Tag(name = "rides", description = "Rides, from taking a vehicle to returning it")
class RideController {

    private final RideService rides;
    private final PageSize pageSize;

    RideController(RideService rides, PageSize pageSize) {
        this.rides = rides;
        this.pageSize = pageSize;
    }

    @PostMapping
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(
            operationId = "startRide",
            summary = "Start a ride",
            description =
                    "Takes the vehicle, whose status becomes `in_use`. If several riders request it concurrently, one of them gets"
                            + " it.")
    ResponseEntity<RideView> start(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid RideStart start) {
        Answer<RideView> answer = rides.start(Answers.checked(key), start);
        return Answers.created(
                answer, null, "rides", answer.body().city(), answer.body().id());
    }

    @PostMapping("/{city}/{id}/vehicle_location_histories")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(operationId = "recordLocation", summary = "Record the location of a ride")
    ResponseEntity<LocationView> record(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable UUID id,
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Position position) {
        Answer<LocationView> answer = rides.record(new RideId(city, id), Answers.checked(key), position);
        return Answers.created(answer, null, "rides", city, id);
    }

    @PostMapping("/{city}/{id}/end")
    @Operation(
            operationId = "endRide",
            summary = "End a ride",
            description =
                    "Returns the vehicle at its current location, and calculates the price: by duration, minus the"
                            + " discount of the rider's promo codes.")
    ResponseEntity<RideView> end(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable UUID id,
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid RideEnd ending) {
        Answer<RideView> answer = rides.end(new RideId(city, id), Answers.checked(key), ending);
        return Answers.done(answer, null);
    }

    @GetMapping("/{city}/{id}")
    @Operation(operationId = "showRide", summary = "Show a ride with its track")
    ResponseEntity<RideWithTrack> show(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable @Parameter(example = "000007ef-fa0f-4a6e-a089-ce74aa8d2276") UUID id) {
        RideWithTrack ride = rides.show(new RideId(city, id));
        return Answers.shown(ride, Version.of(ride));
    }

    @GetMapping
    @Operation(operationId = "listRides", summary = "List a rider's rides, the latest first")
    Page<RideView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam("rider_id") @Parameter(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a") UUID riderId,
            @RequestParam(required = false) @Parameter(description = "`next` of the previous page") @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return rides.list(new UserId(city, riderId), RideCursor.parse(after), pageSize.of(limit));
    }
}
