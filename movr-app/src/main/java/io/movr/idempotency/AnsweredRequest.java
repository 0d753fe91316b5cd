package io.movr.idempotency;

import java.time.LocalDateTime;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An executed request, with its answer.
 *
 * @param operation of the request
 * @param requestHash the version of the digest and the SHA-256 of the request, to recognize a different request with the same
 *     key
 * @param response the answer's body, as JSON
 * @param creationTime of the answer, in UTC
 */
@Table("idempotency_keys")
record AnsweredRequest(
        @Id @Embedded.Empty IdempotencyKey id,
        String operation,
        String requestHash,
        String response,
        LocalDateTime creationTime) {}
