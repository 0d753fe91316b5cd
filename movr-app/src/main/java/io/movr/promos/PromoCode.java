package io.movr.promos;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A promo code as the table holds it. It belongs to no city and is valid everywhere.
 *
 * @param creationTime in UTC
 * @param expirationTime in UTC; a code without one never expires
 * @param rules JSON, see {@link PromoRules}
 */
@Table("promo_codes")
record PromoCode(
        @Id String code,
        @Nullable String description,
        @Nullable LocalDateTime creationTime,
        @Nullable LocalDateTime expirationTime,
        @Nullable String rules) {

    /** The regular expression of a new code. */
    static final String PATTERN = "^[A-Za-z0-9_-]{1,64}$";

    boolean isExpiredAt(LocalDateTime time) {
        return expirationTime != null && !expirationTime.isAfter(time);
    }
}
