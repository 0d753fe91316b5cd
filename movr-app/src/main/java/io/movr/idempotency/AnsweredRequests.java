package io.movr.idempotency;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code idempotency_keys}. */
interface AnsweredRequests extends Repository<AnsweredRequest, IdempotencyKey> {

    @Query(value = """
            SELECT city, key, operation, request_hash, response, creation_time
            FROM idempotency_keys WHERE city = :city AND key = :key""", rowMapperClass = AnsweredRequestRow.class)
    Optional<AnsweredRequest> find(String city, String key);

    @Modifying
    @Query("""
            INSERT INTO idempotency_keys (city, key, operation, request_hash, response, creation_time)
            VALUES (:city, :key, :operation, :requestHash, :response, :creationTime)""")
    void insert(
            String city, String key, String operation, String requestHash, String response, LocalDateTime creationTime);

    @Query("SELECT key FROM idempotency_keys WHERE city = :city AND creation_time < :before LIMIT :limit")
    List<String> olderThan(String city, LocalDateTime before, int limit);

    @Modifying
    @Query("DELETE FROM idempotency_keys WHERE city = :city AND key IN (:keys) AND creation_time < :before")
    int remove(String city, List<String> keys, LocalDateTime before);
}
