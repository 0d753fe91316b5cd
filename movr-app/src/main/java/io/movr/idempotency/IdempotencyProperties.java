package io.movr.idempotency;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * {@code movr.idempotency}: the retention of keys.
 *
 * @param keep how long the answer to a key is kept
 * @param sweepEvery the interval at which older keys are removed
 * @param sweepBatch the number of keys that one statement removes, 1 to 65533
 */
@Validated
@ConfigurationProperties(value = "movr.idempotency", ignoreUnknownFields = false)
public record IdempotencyProperties(
        @DefaultValue("24h") @DurationMin(minutes = 1) @DurationMax(days = 365)
        Duration keep,

        @DefaultValue("10m") @DurationMin(seconds = 1) @DurationMax(days = 1)
        Duration sweepEvery,

        @DefaultValue("1000") @Min(1) @Max(IdempotencyProperties.MAX_BATCH)
        int sweepBatch) {

    /** The protocol counts the parameters of a statement with 16 bits; two of them are no keys. */
    static final int MAX_BATCH = 65_535 - 2;
}
