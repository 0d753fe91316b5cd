package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.CityRequest;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request to add a vehicle. */
@Schema(name = "NewVehicle")
record NewVehicle(
        @NotNull @Schema(example = "boston") String city,

        @NotNull @JsonProperty("owner_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
        UUID ownerId,

        @NotNull VehicleType type,

        @NotNull @Text(max = 200) @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent")
        String currentLocation,

        @Valid @Nullable VehicleExtras ext)
        implements CityRequest {}
