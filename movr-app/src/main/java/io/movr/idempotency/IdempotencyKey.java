package io.movr.idempotency;

import org.springframework.data.relational.core.mapping.Column;

/**
 * The idempotency key of a request, which can be repeated without being executed again.
 *
 * @param city the city that the request is about, in which the key is kept
 * @param key 1 to 128 visible ASCII characters, chosen by the client, or by the service when the client has none
 */
public record IdempotencyKey(String city, @Column("key") String key) {}
