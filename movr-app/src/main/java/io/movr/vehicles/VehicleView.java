package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.RawJson;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The representation of a vehicle. */
@Schema(name = "Vehicle")
record VehicleView(
        @Schema(example = "boston") String city,
        UUID id,
        @Schema(example = "bike") @Nullable String type,

        @JsonProperty("owner_id") @Nullable UUID ownerId,
        @JsonProperty("creation_time") @Nullable Instant creationTime,
        @Schema(example = "available") @Nullable String status,

        @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent") @Nullable
        String currentLocation,

        @Schema(
                implementation = Object.class,
                types = "object",
                description = "Further properties, which depend on the type",
                example = "{\"brand\": \"Kona\", \"color\": \"red\"}")
        @Nullable
        RawJson ext) {

    static VehicleView of(Vehicle vehicle) {
        return new VehicleView(
                vehicle.key().city(),
                vehicle.key().id(),
                vehicle.type(),
                vehicle.ownerId(),
                vehicle.creationTime() == null ? null : vehicle.creationTime().toInstant(ZoneOffset.UTC),
                vehicle.status(),
                vehicle.currentLocation(),
                vehicle.ext() == null ? null : new RawJson(vehicle.ext()));
    }
}
