package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request to create a promo code. */
@Schema(name = "NewPromoCode")
record NewPromoCode(
        @NotNull
        @Pattern(regexp = PromoCode.PATTERN, message = "must be 1 to 64 letters, digits, hyphens and underscores")
        @Schema(example = "SUMMER-26")
        String code,

        @NotNull @Text(max = 200) @Schema(example = "A fifth off a summer's ride")
        String description,

        @JsonProperty("expiration_time")
        @Schema(
                description = "The time until which the code can be applied; without it, always",
                example = "2099-09-01T00:00:00Z")
        @Nullable
        Instant expirationTime,

        @NotNull @Valid PromoRules rules) {

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    @AssertTrue(message = "expiration_time must be in the years 1 to 9999")
    @Schema(hidden = true)
    boolean isStorable() {
        return expirationTime == null || (expirationTime.isAfter(EARLIEST) && expirationTime.isBefore(LATEST));
    }
}
