package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The representation of a ride. */
@Schema(name = "Ride")
public record RideView(
        @Schema(example = "boston") String city,

        @Schema(example = "000007ef-fa0f-4a6e-a089-ce74aa8d2276")
        UUID id,

        @JsonProperty("rider_id") @Nullable UUID riderId,
        @JsonProperty("vehicle_id") @Nullable UUID vehicleId,
        @JsonProperty("start_address") @Nullable String startAddress,
        @JsonProperty("end_address") @Nullable String endAddress,
        @JsonProperty("start_time") @Nullable Instant startTime,

        @JsonProperty("end_time") @Schema(description = "Missing until the ride ends") @Nullable
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
