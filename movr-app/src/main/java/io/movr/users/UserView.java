package io.movr.users;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The representation of a user. */
@Schema(name = "User")
record UserView(
        @Schema(example = "boston") String city,

        @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
        UUID id,

        @Schema(example = "Natalie Cunningham") @Nullable String name,

        @Schema(example = "97282 Andrea Highway") @Nullable String address,

        @JsonProperty("credit_card")
        @Schema(description = "The last four digits of the number", example = "************1111")
        @Nullable
        String creditCard) {

    static UserView of(User user) {
        return new UserView(user.key().city(), user.key().id(), user.name(), user.address(), user.maskedCard());
    }
}
