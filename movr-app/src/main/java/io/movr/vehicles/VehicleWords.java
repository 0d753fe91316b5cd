package io.movr.vehicles;

import java.util.Arrays;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Lets parameters of requests use the words of the table, {@code in_use} rather than {@code IN_USE}. */
@Configuration(proxyBeanMethods = false)
class VehicleWords implements WebMvcConfigurer {

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(
                String.class,
                VehicleStatus.class,
                word -> Arrays.stream(VehicleStatus.values())
                        .filter(status -> status.sql().equals(word))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("No status is called " + word)));
        registry.addConverter(
                String.class,
                VehicleType.class,
                word -> Arrays.stream(VehicleType.values())
                        .filter(type -> type.sql().equals(word))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("No type is called " + word)));
    }
}
