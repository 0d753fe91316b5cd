package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content of {@code ext}. Brand and color apply to every type, each other field to one type. */
@Schema(name = "VehicleExtras")
record VehicleExtras(
        @Text(max = 50) @Schema(example = "Kona") @Nullable String brand,
        @Text(max = 50) @Schema(example = "red") @Nullable String color,

        @Min(1) @Max(100) @Schema(description = "Of bikes only", example = "21") @Nullable
        Integer gears,

        @Min(1) @Max(100) @JsonProperty("max_speed_kmh") @Schema(description = "Of scooters only") @Nullable
        Integer maxSpeedKmh,

        @Min(1) @Max(500) @JsonProperty("length_cm") @Schema(description = "Of skateboards only") @Nullable
        Integer lengthCm) {

    static final VehicleExtras NONE = new VehicleExtras(null, null, null, null, null);

    /** Returns a field that vehicles of the type do not have; empty if there is none. */
    Optional<String> misplaced(VehicleType type) {
        if (gears != null && type != VehicleType.BIKE) {
            return Optional.of("gears");
        }
        if (maxSpeedKmh != null && type != VehicleType.SCOOTER) {
            return Optional.of("max_speed_kmh");
        }
        if (lengthCm != null && type != VehicleType.SKATEBOARD) {
            return Optional.of("length_cm");
        }
        return Optional.empty();
    }
}
