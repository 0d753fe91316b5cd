package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.CityRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.util.UUID;

/** A request to apply a code to the next ride that ends. */
@Schema(name = "PromoCodeApplication")
public record PromoCodeApplication(
        @NotNull @Schema(example = "boston") String city,

        @NotNull @JsonProperty("user_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
        UUID userId,

        @NotNull @Pattern(regexp = PromoCode.PATTERN) @Schema(example = "SUMMER-26")
        String code)
        implements CityRequest {}
