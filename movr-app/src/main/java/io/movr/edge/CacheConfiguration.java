package io.movr.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.movr.database.GatewayPool;
import io.movr.edge.CacheProperties.Invalidation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Puts the cache before the service's pool, when one property says so. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CacheProperties.class)
class CacheConfiguration {

    /** Nothing else knows of it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("movr.cache.enabled")
    static class Enabled {

        @Bean
        @Primary
        CachingDataSource cachingDataSource(GatewayPool pool, CacheProperties properties, MeterRegistry meters) {
            CachingDataSource cache = new CachingDataSource(pool, properties.settings());
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
    }

    /** Ends with the service. */
    record CacheChanges(@Nullable ChangeListener listener) implements AutoCloseable {

        @Override
        public void close() {
            if (listener != null) {
                listener.close();
            }
        }
    }
}
