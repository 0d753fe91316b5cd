package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.users.UserId;
import io.movr.web.CityRequest;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/user_promo_codes}. */
@RestController
@RequestMapping("/api/user_promo_codes")
@Tag(name = "promo codes")
class UserPromoCodeController {

    /** A user's wish to use a code for the next ride that ends. */
    @Schema(name = "Application")
    record Application(
            @NotNull @Schema(example = "boston") String city,

            @NotNull @JsonProperty("user_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
            UUID userId,

            @NotNull @Pattern(regexp = PromoCodeController.CODE) @Schema(example = "SUMMER-26")
            String code)
            implements CityRequest {}

    /** The uses that a user has made of a code. */
    @Schema(name = "Use")
    record UseView(
            @Schema(example = "boston") String city,

            @JsonProperty("user_id") UUID userId,
            @Schema(example = "SUMMER-26") String code,

            @Schema(description = "When the last one was") @Nullable
            Instant timestamp,

            @JsonProperty("usage_count") @Schema(example = "1")
            long usageCount) {

        static UseView of(UserPromoCode use) {
            return new UseView(
                    use.key().city(),
                    use.key().userId(),
                    use.key().code(),
                    use.timestamp() == null ? null : use.timestamp().toInstant(ZoneOffset.UTC),
                    use.usageCount() == null ? 0 : use.usageCount());
        }
    }

    private final PromoCodeService codes;
    private final PageSize pageSize;

    UserPromoCodeController(PromoCodeService codes, PageSize pageSize) {
        this.codes = codes;
        this.pageSize = pageSize;
    }

    @PostMapping
    @Operation(
            operationId = "applyPromoCode",
            summary = "Apply a promo code",
            description = "It counts as one use, and takes its percentage off the first ride that the user ends from"
                    + " now on. Of several codes the best counts.")
    ResponseEntity<UseView> apply(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Application application) {
        Answer<UseView> answer = codes.apply(Answers.checked(key), application);
        return Answers.done(answer, null);
    }

    @GetMapping
    @Operation(operationId = "listUserPromoCodes", summary = "List the promo codes that a user has applied, by code")
    Page<UseView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam("user_id") @Parameter(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a") UUID userId,
            @RequestParam(defaultValue = "-")
                    @Pattern(regexp = PromoCodeController.CODE)
                    @Parameter(description = "`next` of the page before")
                    @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return codes.listUses(new UserId(city, userId), after == null ? "" : after, pageSize.of(limit));
    }
}
