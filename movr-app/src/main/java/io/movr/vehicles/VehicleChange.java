package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.AssertTrue;
import org.jspecify.annotations.Nullable;

/** The changes of a vehicle; missing fields are not changed. */
@Schema(name = "VehicleChange")
record VehicleChange(
        @Nullable VehicleStatus status,

        @Text(max = 200) @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent") @Nullable
        String currentLocation) {

    @AssertTrue(message = "must change something: status, current_location or both")
    @Schema(hidden = true)
    boolean isAnything() {
        return status != null || currentLocation != null;
    }
}
