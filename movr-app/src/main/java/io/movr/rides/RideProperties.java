package io.movr.rides;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * {@code movr.rides}: the price of a ride, and the length of its shown track.
 *
 * @param unlockPrice the price of starting
 * @param pricePerMinute the price of each started minute
 * @param longestCharged the duration after which the price no longer grows
 * @param longestTrack the maximum number of locations shown for a ride; the latest ones are shown
 */
@Validated
@ConfigurationProperties(value = "movr.rides", ignoreUnknownFields = false)
public record RideProperties(
        @DefaultValue("1.00") @DecimalMin("0") @DecimalMax("1000")
        BigDecimal unlockPrice,

        @DefaultValue("0.29") @DecimalMin("0") @DecimalMax("100")
        BigDecimal pricePerMinute,

        @DefaultValue("24h") @DurationMin(minutes = 1) @DurationMax(days = 30)
        Duration longestCharged,

        @DefaultValue("1000") @Min(1) @Max(100_000) int longestTrack) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /**
     * Returns the price of a ride.
     *
     * @param percentOff 0 to 100
     * @return with two decimals, half a cent rounded up
     */
    BigDecimal price(Duration ride, int percentOff) {
        Duration charged = ride.compareTo(longestCharged) > 0 ? longestCharged : ride;
        long minutes = Math.max(0, charged.plusMinutes(1).minusNanos(1).toMinutes());
        return unlockPrice
                .add(pricePerMinute.multiply(BigDecimal.valueOf(minutes)))
                .multiply(BigDecimal.valueOf(100L - percentOff))
                .divide(HUNDRED, 2, RoundingMode.HALF_UP);
    }
}
