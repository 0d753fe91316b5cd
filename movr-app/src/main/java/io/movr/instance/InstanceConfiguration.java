package io.movr.instance;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.movr.region.InstanceRegion;
import java.util.List;
import java.util.Map;
import org.springframework.aot.AotDetector;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The background tasks of an instance: it tags metrics with its region, reports how it was started, and removes old keys. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class InstanceConfiguration {

    @Bean
    MeterRegistryCustomizer<MeterRegistry> regionOfMetrics(InstanceRegion instanceRegion) {
        return registry -> registry.config()
                .commonTags(List.of(Tag.of("region", instanceRegion.here().name())));
    }

    /** In {@code /actuator/info}: whether the beans were determined at build time. */
    @Bean
    InfoContributor beansOfTheBuild() {
        return info -> info.withDetail("beans", Map.of("aheadOfTime", AotDetector.useGeneratedArtifacts()));
    }
}
