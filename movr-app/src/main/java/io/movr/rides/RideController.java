package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.users.UserId;
import io.movr.web.CityRequest;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Text;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
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
@Tag(name = "rides", description = "From the moment that a vehicle is taken to the moment that it is given back")
class RideController {

    /** A rider's wish to take a vehicle. */
    @Schema(name = "Start")
    record Start(
            @NotNull @Schema(description = "Of the rider and of the vehicle", example = "boston")
            String city,

            @NotNull @JsonProperty("rider_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
            UUID riderId,

            @NotNull @JsonProperty("vehicle_id") UUID vehicleId)
            implements CityRequest {}

    /** Where a vehicle is. */
    @Schema(name = "Position")
    record Position(
            @NotNull @DecimalMin("-90") @DecimalMax("90") @JsonProperty("lat") @Schema(example = "42.3601")
            Double latitude,

            @NotNull @DecimalMin("-180") @DecimalMax("180") @JsonProperty("long") @Schema(example = "-71.0589")
            Double longitude) {}

    /** A rider's wish to give the vehicle back. */
    @Schema(name = "Ending")
    record Ending(
            @NotNull @JsonProperty("rider_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
            UUID riderId,

            @NotNull @Text(max = 200) @JsonProperty("end_address") @Schema(example = "4 Yawkey Way")
            String endAddress) {}

    /** A ride as it is shown. */
    @Schema(name = "Ride")
    record RideView(
            @Schema(example = "boston") String city,

            @Schema(example = "000007ef-fa0f-4a6e-a089-ce74aa8d2276")
            UUID id,

            @JsonProperty("rider_id") @Nullable UUID riderId,
            @JsonProperty("vehicle_id") @Nullable UUID vehicleId,
            @JsonProperty("start_address") @Nullable String startAddress,
            @JsonProperty("end_address") @Nullable String endAddress,
            @JsonProperty("start_time") @Nullable Instant startTime,

            @JsonProperty("end_time") @Schema(description = "Missing while the ride is under way") @Nullable
            Instant endTime,

            @Schema(description = "Set when the ride ends", example = "9.70") @Nullable
            BigDecimal revenue) {

        static RideView of(Ride ride) {
            return new RideView(
                    ride.key().city(),
                    ride.key().id(),
                    ride.riderId(),
                    ride.vehicleId(),
                    ride.startAddress(),
                    ride.endAddress(),
                    instant(ride.startTime()),
                    instant(ride.endTime()),
                    ride.revenue());
        }

        private static @Nullable Instant instant(@Nullable LocalDateTime time) {
            return time == null ? null : time.toInstant(ZoneOffset.UTC);
        }
    }

    /** Where a vehicle was on a ride. */
    @Schema(name = "Location")
    record LocationView(
            Instant timestamp,

            @JsonProperty("lat") @Schema(example = "42.3601") @Nullable
            Double latitude,

            @JsonProperty("long") @Schema(example = "-71.0589") @Nullable
            Double longitude) {

        static LocationView of(Location location) {
            return new LocationView(
                    location.key().timestamp().toInstant(ZoneOffset.UTC), location.latitude(), location.longitude());
        }
    }

    /** A ride with where it led. */
    @Schema(name = "RideWithTrack")
    record RideWithTrack(
            @JsonUnwrapped RideView ride,

            @JsonProperty("vehicle_location_histories") @Schema(description = "Its latest locations, in their order")
            List<LocationView> track) {}

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
            description = "Takes the vehicle, which becomes in_use. Of several riders who try at once one gets it.")
    ResponseEntity<RideView> start(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Start start) {
        Answer<RideView> answer = rides.start(Answers.checked(key), start);
        return Answers.created(
                answer, null, "rides", answer.body().city(), answer.body().id());
    }

    @PostMapping("/{city}/{id}/vehicle_location_histories")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(operationId = "recordLocation", summary = "Record where a ride is")
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
            description = "Gives the vehicle back where it is now, and says what the ride cost: by its duration, less"
                    + " what the rider's promo codes take off.")
    ResponseEntity<RideView> end(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable UUID id,
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Ending ending) {
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
            @RequestParam(required = false) @Parameter(description = "`next` of the page before") @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return rides.list(new UserId(city, riderId), RideCursor.parse(after), pageSize.of(limit));
    }
}
