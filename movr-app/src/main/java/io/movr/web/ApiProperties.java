package io.movr.web;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Set;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * {@code movr.api}: the limits of a request.
 *
 * @param requestTimeout the time after which a request starts or retries no transaction
 * @param largestBody the maximum size of a body
 * @param bodyTimeout the timeout for receiving a body
 * @param hosts further host names of a service that listens on the loopback address, such as the name of a proxy
 * @param pageSize the default number of rows in a page
 * @param largestPageSize the maximum number of rows in a page
 */
@Validated
@ConfigurationProperties(value = "movr.api", ignoreUnknownFields = false)
public record ApiProperties(
        @DefaultValue("10s") @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration requestTimeout,

        @DefaultValue("64KB") DataSize largestBody,

        @DefaultValue("20s") @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration bodyTimeout,

        @DefaultValue Set<String> hosts,
        @DefaultValue("25") @Min(1) @Max(10_000) int pageSize,
        @DefaultValue("200") @Min(1) @Max(10_000) int largestPageSize) {

    public ApiProperties {
        if (largestBody.toBytes() < 1_024
                || largestBody.toBytes() > DataSize.ofMegabytes(16).toBytes()) {
            throw new IllegalArgumentException(
                    "movr.api.largest-body is " + largestBody.toBytes() + " bytes: choose 1KB to 16MB");
        }
        if (pageSize > largestPageSize) {
            throw new IllegalArgumentException("movr.api.page-size is " + pageSize
                    + ", more than movr.api.largest-page-size, which is " + largestPageSize);
        }
    }
}
