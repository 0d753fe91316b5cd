package io.movr.datasource;

import io.micrometer.core.instrument.MeterRegistry;
import io.movr.UserError;
import io.movr.cache.CacheSettings;
import io.movr.cache.CachingDataSource;
import io.movr.cache.ChangeListener;
import io.movr.datasource.CacheProperties.Invalidation;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Wraps the service's pool in the cache, if enabled by a property and on the class path. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CacheProperties.class)
class CacheConfiguration {

    /** The configuration with a cache. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(value = "movr.cache.enabled", havingValue = "true")
    @ConditionalOnClass(CachingDataSource.class)
    static class Enabled {

        /** The table of executed requests, which must not be cached. */
        private static final String EXECUTED_REQUESTS = "idempotency_keys";

        @Bean
        @Primary
        CachingDataSource cachingDataSource(GatewayPool pool, CacheProperties properties, MeterRegistry meters) {
            CachingDataSource cache = new CachingDataSource(pool, settings(properties));
            cache.bindTo(meters);
            return cache;
        }

        @Bean
        CacheChanges cacheChanges(CachingDataSource cache, GatewayPool pool, CacheProperties properties) {
            return new CacheChanges(
                    properties.invalidation() == Invalidation.NOTIFY
                            ? new ChangeListener(cache, pool::connectOutside)
                            : null);
        }

        private static CacheSettings settings(CacheProperties properties) {
            return new CacheSettings(
                    properties.timeToLive(),
                    properties.entries(),
                    properties.memory().toBytes(),
                    properties.largestResult().toBytes(),
                    properties.invalidation() == Invalidation.NOTIFY,
                    Set.of(EXECUTED_REQUESTS));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(value = "movr.cache.enabled", havingValue = "true")
    @ConditionalOnMissingClass("io.movr.cache.CachingDataSource")
    static class Missing {

        Missing() {
            throw new UserError("movr.cache.enabled is true, but the class path has no cache: start the service with"
                    + " 'movr serve', or add movr-cache and Caffeine to the class path");
        }
    }

    /** A cache that is closed with the service. */
    record CacheChanges(@Nullable ChangeListener listener) implements AutoCloseable {

        @Override
        public void close() {
            if (listener != null) {
                listener.close();
            }
        }
    }
}
