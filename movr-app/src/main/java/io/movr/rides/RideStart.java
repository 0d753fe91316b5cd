package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.CityRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** A request to start a ride. */
@Schema(name = "RideStart")
public record RideStart(
        @NotNull @Schema(description = "The city of the rider and of the vehicle", example = "boston")
        String city,

        @NotNull @JsonProperty("rider_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
        UUID riderId,

        @NotNull @JsonProperty("vehicle_id") UUID vehicleId)
        implements CityRequest {}
