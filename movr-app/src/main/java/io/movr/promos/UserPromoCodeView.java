package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The representation of the uses of a code by a user. */
@Schema(name = "UserPromoCode")
public record UserPromoCodeView(
        @Schema(example = "boston") String city,

        @JsonProperty("user_id") UUID userId,
        @Schema(example = "SUMMER-26") String code,

        @Schema(description = "The time of the last use") @Nullable
        Instant timestamp,

        @JsonProperty("usage_count") @Schema(example = "1") long usageCount) {

    static UserPromoCodeView of(UserPromoCode use) {
        return new UserPromoCodeView(
                use.key().city(),
                use.key().userId(),
                use.key().code(),
                use.timestamp() == null ? null : use.timestamp().toInstant(ZoneOffset.UTC),
                use.usageCount() == null ? 0 : use.usageCount());
    }
}
