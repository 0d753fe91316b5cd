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

        @Min(1) @Max(100) @Schema(description = "Of a bike", example = "21") @Nullable
        Integer gears,

        @Min(1) @Max(100) @JsonProperty("max_speed_kmh") @Schema(description = "Of a scooter") @Nullable
        Integer maxSpeedKmh,

        @Min(1) @Max(500) @JsonProperty("length_cm") @Schema(description = "Of a skateboard") @Nullable
        Integer lengthCm) {

    static final VehicleExtras NONE = new VehicleExtras(null, null, null, null, null);

    /** Returns a field that a vehicle of this type does not have. */
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
