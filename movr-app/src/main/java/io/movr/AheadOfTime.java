package io.movr;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/**
 * Starts the service from bean definitions that were generated at build time, which is faster than scanning. The build
 * determined the beans by the service's own settings; if a given setting could change them, Spring scans as usual.
 */
final class AheadOfTime implements ApplicationListener<SpringApplicationEvent> {

    /** The system property that overrides the decision. */
    static final String ENABLED = "spring.aot.enabled";

    private static final String GENERATED = MovrApplication.class.getName() + "__ApplicationContextInitializer";
    /** The prefixes of properties that conditions of Spring Boot, springdoc and the service read. */
    private static final List<String> DECISIVE = List.of("spring", "server", "management", "springdoc", "movrcache");
    /** The properties that are read only at run time, and the JSON whose properties are checked separately. */
    private static final Set<String> HARMLESS = Set.of(
            "serverport",
            "serveraddress",
            "springapplicationname",
            "springapplicationversion",
            "springapplicationpid",
            "springapplicationjson");

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (System.getProperty(ENABLED) != null) {
            return;
        }
        if (event instanceof ApplicationStartingEvent) {
            // Clears the decision about a service that this process started before.
            SpringProperties.setProperty(ENABLED, null);
        } else if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
            boolean suits = ClassUtils.isPresent(GENERATED, null) && isAsBuilt(prepared.getEnvironment());
            SpringProperties.setProperty(ENABLED, Boolean.toString(suits));
        }
    }

    /** Returns whether no given setting could change the beans. */
    static boolean isAsBuilt(ConfigurableEnvironment environment) {
        return environment.getPropertySources().stream()
                .filter(source -> !isOwn(source))
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .map(name -> name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""))
                .noneMatch(name -> DECISIVE.stream().anyMatch(name::startsWith) && !HARMLESS.contains(name));
    }

    private static boolean isOwn(PropertySource<?> source) {
        return source.getName().contains("class path resource [application.yaml]");
    }
}
