package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The representation of a location. */
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
