package io.movr.datasource;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * {@code movr.cache}: the cache of reads.
 *
 * @param enabled whether reads are cached
 * @param timeToLive the maximum age of an answer
 * @param entries the maximum number of answers
 * @param memory the maximum size of all answers
 * @param largestResult the maximum size of an answer
 * @param invalidation how writes of other clients are detected
 */
@Validated
@ConfigurationProperties(value = "movr.cache", ignoreUnknownFields = false)
public record CacheProperties(
        @DefaultValue("false") boolean enabled,

        @DefaultValue("1m") @DurationMin(millis = 1) @DurationMax(days = 1)
        Duration timeToLive,

        @DefaultValue("100000") @Min(1) @Max(100_000_000) long entries,
        @DefaultValue("64MB") DataSize memory,
        @DefaultValue("1MB") DataSize largestResult,
        @DefaultValue("ttl") Invalidation invalidation) {

    /** The detection of writes of other clients. */
    public enum Invalidation {
        /** None: answers expire. */
        TTL,
        /**
         * By the triggers of {@code movr migrate --cache-triggers on}, or by a changefeed of CockroachDB; reads are not cached
         * without them.
         */
        NOTIFY
    }
}
