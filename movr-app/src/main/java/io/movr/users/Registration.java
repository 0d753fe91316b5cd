package io.movr.users;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.web.CityRequest;
import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** A request to register a user. */
@Schema(name = "Registration")
record Registration(
        @NotNull @Schema(example = "boston") String city,

        @NotNull @Text(max = 100) @Schema(example = "Natalie Cunningham")
        String name,

        @NotNull @Text(max = 200) @Schema(example = "97282 Andrea Highway")
        String address,

        @NotNull @CreditCard @JsonProperty("credit_card") @Schema(example = "4111111111111111")
        String creditCard)
        implements CityRequest {

    /** Returns a text without the card number, because texts are logged. */
    @Override
    public String toString() {
        return "Registration[city=" + city + ", name=" + name + ", address=" + address + ", creditCard="
                + User.masked(creditCard) + "]";
    }
}
