package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The representation of a promo code. */
@Schema(name = "PromoCode")
record PromoCodeView(
        @Schema(example = "SUMMER-26") String code,
        @Nullable String description,
        @JsonProperty("creation_time") @Nullable Instant creationTime,
        @JsonProperty("expiration_time") @Nullable Instant expirationTime,
        PromoRules rules) {

    static PromoCodeView of(PromoCode code, PromoRules rules) {
        return new PromoCodeView(
                code.code(), code.description(), instant(code.creationTime()), instant(code.expirationTime()), rules);
    }

    private static @Nullable Instant instant(@Nullable LocalDateTime time) {
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }
}
