package io.movr.schema;

import java.time.Duration;
import java.time.Instant;

/**
 * A statement that a migration to a regional stage has run on its own, outside a transaction.
 *
 * @param started when it was sent
 * @param took until it was answered
 */
public record AppliedStatement(Stage stage, String sql, Instant started, Duration took) {}
