package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** A request to end a ride. */
@Schema(name = "RideEnd")
public record RideEnd(
        @NotNull @JsonProperty("rider_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
        UUID riderId,

        @NotNull @Text(max = 200) @JsonProperty("end_address") @Schema(example = "4 Yawkey Way")
        String endAddress) {}
