package io.movr.promos;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code user_promo_codes}. */
interface UserPromoCodes extends Repository<UserPromoCode, UserPromoCodeId> {

    /** Counts one more use, if the user has applied the code before, and less often than allowed; empty if not. */
    @Query("""
            UPDATE user_promo_codes SET usage_count = coalesce(usage_count, 0) + 1, "timestamp" = :now
            WHERE city = :city AND user_id = :userId AND code = :code AND coalesce(usage_count, 0) < :maxUses
            RETURNING usage_count""")
    Optional<Long> useAgain(String city, UUID userId, String code, LocalDateTime now, long maxUses);

    /** Counts a first use, if there was none: otherwise no row is written. */
    @Modifying
    @Query("""
            INSERT INTO user_promo_codes (city, user_id, code, "timestamp", usage_count)
            SELECT :city, :userId, :code, :now, 1 WHERE NOT EXISTS (
                SELECT 1 FROM user_promo_codes WHERE city = :city AND user_id = :userId AND code = :code)""")
    int useFirst(String city, UUID userId, String code, LocalDateTime now);

    @Query(value = """
            SELECT city, user_id, code, "timestamp", usage_count FROM user_promo_codes
            WHERE city = :city AND user_id = :userId AND code > :after ORDER BY code LIMIT :limit""", rowMapperClass = UserPromoCodeRow.class)
    List<UserPromoCode> page(String city, UUID userId, String after, int limit);

    /**
     * The codes of a user, written without a change: of two rides that end at once the second then waits for the first,
     * and under every isolation level above read committed it is tried again, so that only one finds a use.
     */
    @Query(value = """
            UPDATE user_promo_codes SET usage_count = usage_count WHERE city = :city AND user_id = :userId
            RETURNING city, user_id, code, "timestamp", usage_count""", rowMapperClass = UserPromoCodeRow.class)
    List<UserPromoCode> allLocked(String city, UUID userId);
}
