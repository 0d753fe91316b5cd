package io.movr.instance;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.movr.region.InstanceRegion;
import java.util.List;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** What every instance does beside serving: tell its region with each metric, sweep. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class InstanceConfiguration {

    @Bean
    MeterRegistryCustomizer<MeterRegistry> regionOfMetrics(InstanceRegion instanceRegion) {
        return registry -> registry.config()
                .commonTags(List.of(Tag.of("region", instanceRegion.here().name())));
    }
}
