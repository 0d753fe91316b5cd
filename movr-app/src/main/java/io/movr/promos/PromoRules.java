package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The discount of a code, and how often it may be used.
 *
 * @param type {@code percent_discount}, the only type
 * @param value percent off the price of a ride, 1 to 100
 * @param maxUses how often a user may apply the code; {@code null} for no limit
 */
@Schema(name = "PromoRules")
record PromoRules(
        @NotNull @Pattern(regexp = PromoRules.PERCENT_DISCOUNT) @Schema(example = PromoRules.PERCENT_DISCOUNT)
        String type,

        @NotNull @Min(1) @Max(100) @Schema(example = "20") Integer value,

        @Min(1) @Max(1_000_000) @JsonProperty("max_uses") @Schema(example = "3") @Nullable
        Integer maxUses) {

    static final String PERCENT_DISCOUNT = "percent_discount";

    /**
     * Reads rules, also of other programs: {@code cockroach workload} writes the value as {@code "10%"}. Unknown rules give no
     * discount, and numbers out of range are set to the nearest valid number: 0 to 100 percent, at least 0 uses.
     */
    static PromoRules read(@Nullable JsonNode json) {
        if (json == null || !json.isObject()) {
            return new PromoRules("unknown", 0, null);
        }
        int percent = 0;
        JsonNode value = json.path("value");
        if (value.isInt()) {
            percent = value.intValue();
        } else if (value.isString() && value.stringValue().matches("[0-9]{1,3}%")) {
            percent = Integer.parseInt(value.stringValue().replace("%", ""));
        }
        JsonNode uses = json.path("max_uses");
        return new PromoRules(
                json.path("type").isString() ? json.path("type").stringValue() : "unknown",
                Math.max(0, Math.min(100, percent)),
                uses.isInt() ? Math.max(0, uses.intValue()) : null);
    }

    int percentOff() {
        return type.equals(PERCENT_DISCOUNT) ? value : 0;
    }

    long useLimit() {
        return maxUses == null ? Long.MAX_VALUE : maxUses;
    }
}
