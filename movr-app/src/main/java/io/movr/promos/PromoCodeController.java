package io.movr.promos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Text;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
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
@Tag(name = "promo codes", description = "Discounts that hold in every city")
class PromoCodeController {

    static final String CODE = "^[A-Za-z0-9_-]{1,64}$";

    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    /** A code that users may apply from now on. */
    @Schema(name = "Creation")
    record Creation(
            @NotNull
            @Pattern(regexp = CODE, message = "must be 1 to 64 letters, digits, hyphens and underscores")
            @Schema(example = "SUMMER-26")
            String code,

            @NotNull @Text(max = 200) @Schema(example = "A fifth off a summer's ride")
            String description,

            @JsonProperty("expiration_time")
            @Schema(
                    description = "Until when it may be applied; without it, for ever",
                    example = "2099-09-01T00:00:00Z")
            @Nullable
            Instant expirationTime,

            @NotNull @Valid PromoRules rules) {

        @AssertTrue(message = "expiration_time must be before the year 10000")
        @Schema(hidden = true)
        boolean isStorable() {
            return expirationTime == null || expirationTime.isBefore(LATEST);
        }
    }

    /** A promo code as it is shown. */
    @Schema(name = "PromoCode")
    record PromoCodeView(
            @Schema(example = "SUMMER-26") String code,
            @Nullable String description,
            @JsonProperty("creation_time") @Nullable Instant creationTime,
            @JsonProperty("expiration_time") @Nullable Instant expirationTime,
            PromoRules rules) {

        static PromoCodeView of(PromoCode code, PromoRules rules) {
            return new PromoCodeView(
                    code.code(),
                    code.description(),
                    instant(code.creationTime()),
                    instant(code.expirationTime()),
                    rules);
        }

        private static @Nullable Instant instant(@Nullable LocalDateTime time) {
            return time == null ? null : time.toInstant(ZoneOffset.UTC);
        }
    }

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
            @RequestBody @Valid Creation creation) {
        Answer<PromoCodeView> answer = codes.create(Answers.checked(key), creation);
        return Answers.created(
                answer, Version.of(answer.body()), "promo_codes", answer.body().code());
    }

    @GetMapping("/{code}")
    @Operation(operationId = "showPromoCode", summary = "Show a promo code")
    ResponseEntity<PromoCodeView> show(
            @PathVariable @Pattern(regexp = CODE) @Parameter(example = "SUMMER-26") String code) {
        PromoCodeView shown = codes.show(code);
        return Answers.shown(shown, Version.of(shown));
    }

    @GetMapping
    @Operation(operationId = "listPromoCodes", summary = "List the promo codes that are valid now, by code")
    Page<PromoCodeView> list(
            @RequestParam(defaultValue = "-")
                    @Pattern(regexp = CODE)
                    @Parameter(description = "`next` of the page before")
                    @Nullable
                    String after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return codes.listValid(after == null ? "" : after, pageSize.of(limit));
    }
}
