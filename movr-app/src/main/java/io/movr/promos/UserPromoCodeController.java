package io.movr.promos;

import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.users.UserId;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
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
            description =
                    "Counts one use of the code, and reduces the price of the next ride that the user ends. Of several"
                            + " codes, the one with the highest discount is used.")
    ResponseEntity<UserPromoCodeView> apply(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid PromoCodeApplication application) {
        Answer<UserPromoCodeView> answer = codes.apply(Answers.checked(key), application);
        return Answers.done(answer, null);
    }

    @GetMapping
    @Operation(operationId = "listUserPromoCodes", summary = "List the promo codes that a user has applied, by code")
    Page<UserPromoCodeView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam("user_id") @Parameter(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a") UUID userId,
            @RequestParam(required = false)
                    @Pattern(regexp = PromoCode.PATTERN)
                    @Parameter(description = "`next` of the previous page")
                    @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return codes.listUses(new UserId(city, userId), after == null ? "" : after, pageSize.of(limit));
    }
}
