package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;

/** A request to record a location. */
@Schema(name = "Position")
record Position(
        @NotNull @DecimalMin("-90") @DecimalMax("90") @JsonProperty("lat") @Schema(example = "42.3601")
        Double latitude,

        @NotNull @DecimalMin("-180") @DecimalMax("180") @JsonProperty("long") @Schema(example = "-71.0589")
        Double longitude) {}
