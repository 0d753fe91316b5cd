package io.movr.datasource;

import io.movr.database.RetryPolicy;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * {@code movr.database}: the service's connection to its database, and its timeouts.
 *
 * @param url the gateway of regions that {@code gateways} does not name; default {@code spring.datasource.url}. With several
 *     servers, such as {@code jdbc:postgresql://one:26257,two:26257/movr}, the pool uses one that answers
 * @param gateways gateways by region; the instance uses the gateway of its own region
 * @param username overrides the one in the URL
 * @param password overrides the one in the URL; set it in the environment or in {@code passwordFile}, not in a file of settings
 * @param passwordFile a file with the password as its first line, such as a mounted secret
 * @param cores cores of the database in total, for the size of the pool; 0 for this machine's
 * @param instances instances of the service that share the database
 * @param poolSize connections of this instance; 0 applies the rule {@code 4 × cores ÷ instances}, at least 2
 * @param isolation isolation level of every statement and transaction
 */
@Validated
@ConfigurationProperties(value = "movr.database", ignoreUnknownFields = false)
public record DatabaseProperties(
        @Nullable String url,
        @DefaultValue Map<String, String> gateways,
        @Nullable String username,
        @Nullable String password,
        @Nullable Path passwordFile,
        @DefaultValue("0") @Min(0) @Max(10_000) int cores,
        @DefaultValue("1") @Min(1) @Max(10_000) int instances,
        @DefaultValue("0") @Min(0) @Max(1_000) int poolSize,
        @DefaultValue("serializable") Isolation isolation,
        @DefaultValue @Valid Tls tls,
        @DefaultValue @Valid Timeouts timeouts,
        @DefaultValue @Valid Retries retries) {

    /** The isolation levels that every engine knows. */
    public enum Isolation {
        SERIALIZABLE,
        REPEATABLE_READ,
        READ_COMMITTED
    }

    /**
     * {@code movr.database.tls}: the TLS settings of the connection. Missing settings are taken from the URL or the driver.
     *
     * @param mode {@code disable}, {@code require}, {@code verify-ca} or {@code verify-full}
     * @param rootCertificate the certificate of the authority that signed the server's
     * @param certificate this client's certificate
     * @param key the key of this client's certificate, in PKCS-8 (DER) or PKCS-12
     */
    public record Tls(
            @Pattern(regexp = "disable|allow|prefer|require|verify-ca|verify-full") @Nullable
            String mode,

            @Nullable Path rootCertificate,
            @Nullable Path certificate,
            @Nullable Path key) {}

    /**
     * {@code movr.database.timeouts}.
     *
     * @param connect how long a new connection may take
     * @param pool how long a request waits for a connection when all are in use
     * @param statement how long one statement may run on the server
     * @param transaction time after which a transaction is not retried, and the idle-in-transaction timeout
     */
    public record Timeouts(
            @DefaultValue("2s") @DurationMin(millis = 100) @DurationMax(minutes = 1)
            Duration connect,

            @DefaultValue("1s") @DurationMin(millis = 250) @DurationMax(minutes = 1)
            Duration pool,

            @DefaultValue("5s") @DurationMin(millis = 10) @DurationMax(hours = 1)
            Duration statement,

            @DefaultValue("8s") @DurationMin(millis = 10) @DurationMax(hours = 1)
            Duration transaction) {}

    /**
     * {@code movr.database.retries}: the retries of conflicting transactions.
     *
     * @param attempts the maximum number of attempts, including the first
     * @param firstBackOff the maximum wait before the second attempt; it doubles with each attempt. The actual wait is
     *     random between zero and the maximum
     * @param longestBackOff the limit of the maximum wait
     */
    public record Retries(
            @DefaultValue("15") @Min(1) @Max(1_000) int attempts,

            @DefaultValue("4ms") @DurationMin(nanos = 0) @DurationMax(seconds = 10)
            Duration firstBackOff,

            @DefaultValue("250ms") @DurationMin(nanos = 0) @DurationMax(seconds = 60)
            Duration longestBackOff) {

        RetryPolicy policy() {
            return new RetryPolicy(attempts, firstBackOff, longestBackOff);
        }
    }

    /** Returns connections of this instance's pool. */
    public int connections() {
        if (poolSize > 0) {
            return poolSize;
        }
        int databaseCores = cores == 0 ? Runtime.getRuntime().availableProcessors() : cores;
        return Math.max(2, 4 * databaseCores / instances);
    }

    @Override
    public String toString() {
        return "DatabaseProperties[connections=" + connections() + ", isolation=" + isolation + "]";
    }
}
