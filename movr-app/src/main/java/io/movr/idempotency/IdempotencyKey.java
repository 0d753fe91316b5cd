package io.movr.idempotency;

import org.springframework.data.relational.core.mapping.Column;

/**
 * What names a request, so that it can be sent again without being done again.
 *
 * @param city the city that the request is about, in which the key is kept
 * @param key 1 to 128 visible ASCII characters, chosen by the client, or by the service when the client has none
 */
public record IdempotencyKey(String city, @Column("key") String key) {}
