package io.movr.promos;

import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/promo_codes}. */
@RestController
@RequestMapping("/api/promo_codes")
@Tag(name = "promo codes", description = "Discounts, valid in every city")
class PromoCodeController {

    private final PromoCodeService codes;
    private final PageSize pageSize;

    PromoCodeController(PromoCodeService codes, PageSize pageSize) {
        this.codes = codes;
        this.pageSize = pageSize;
    }

    @PostMapping
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(operationId = "createPromoCode", summary = "Create a promo code")
    ResponseEntity<PromoCodeView> create(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid NewPromoCode creation) {
        Answer<PromoCodeView> answer = codes.create(Answers.checked(key), creation);
        return Answers.created(
                answer, Version.of(answer.body()), "promo_codes", answer.body().code());
    }

    @GetMapping("/{code}")
    @Operation(operationId = "showPromoCode", summary = "Show a promo code")
    ResponseEntity<PromoCodeView> show(
            @PathVariable @Pattern(regexp = PromoCode.PATTERN) @Parameter(example = "SUMMER-26") String code) {
        PromoCodeView shown = codes.show(code);
        return Answers.shown(shown, Version.of(shown));
    }

    @GetMapping
    @Operation(operationId = "listPromoCodes", summary = "List the promo codes that are valid now, by code")
    Page<PromoCodeView> list(
            @RequestParam(required = false)
                    @Pattern(regexp = PromoCode.PATTERN)
                    @Parameter(description = "`next` of the previous page")
                    @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return codes.listValid(after == null ? "" : after, pageSize.of(limit));
    }
}
