package io.movr.schema;

import java.time.Duration;

/**
 * What a server is doing while a schema is migrated.
 *
 * @param what the statement, or the job that does its work
 * @param since how long the statement or job has been running
 * @param fraction how much of it is done, 0 to 1, negative when the server does not say
 */
public record MigrationProgress(String what, Duration since, double fraction) {}
