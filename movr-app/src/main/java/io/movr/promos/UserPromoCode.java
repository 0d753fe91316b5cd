package io.movr.promos;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The uses that a user has made of a code.
 *
 * @param timestamp when the last one was, in UTC
 * @param usageCount how many there were
 */
@Table("user_promo_codes")
record UserPromoCode(
        @Id @Embedded.Empty UserPromoCodeId key,
        @Nullable LocalDateTime timestamp,
        @Nullable Long usageCount) {}
