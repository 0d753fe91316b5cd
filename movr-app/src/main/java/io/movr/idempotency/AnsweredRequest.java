package io.movr.idempotency;

import java.time.LocalDateTime;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An executed request, with its answer.
 *
 * @param operation what was asked for
 * @param requestHash the version of the digest and SHA-256 of all that was asked, to tell another request under the
 *     same key
 * @param response the answer's body, as JSON
 * @param creationTime when, in UTC
 */
@Table("idempotency_keys")
record AnsweredRequest(
        @Id @Embedded.Empty IdempotencyKey id,
        String operation,
        String requestHash,
        String response,
        LocalDateTime creationTime) {}
