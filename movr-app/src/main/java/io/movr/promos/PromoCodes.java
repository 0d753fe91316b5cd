package io.movr.promos;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code promo_codes}. */
interface PromoCodes extends Repository<PromoCode, String> {

    @Query(value = """
            SELECT code, description, creation_time, expiration_time, CAST(rules AS VARCHAR) AS rules
            FROM promo_codes WHERE code = :code""", rowMapperClass = PromoCodeRow.class)
    Optional<PromoCode> find(String code);

    @Query(value = """
            SELECT code, description, creation_time, expiration_time, CAST(rules AS VARCHAR) AS rules
            FROM promo_codes
            WHERE code > :after AND (expiration_time > :now OR expiration_time IS NULL)
            ORDER BY code LIMIT :limit""", rowMapperClass = PromoCodeRow.class)
    List<PromoCode> validAt(LocalDateTime now, String after, int limit);

    @Modifying
    @Query("""
            INSERT INTO promo_codes (code, description, creation_time, expiration_time, rules)
            VALUES (:code, :description, :creationTime, :expirationTime, CAST(:rules AS JSONB))
            ON CONFLICT DO NOTHING""")
    int insert(
            String code,
            String description,
            LocalDateTime creationTime,
            @Nullable LocalDateTime expirationTime,
            String rules);
}
