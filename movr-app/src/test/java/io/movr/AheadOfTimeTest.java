package io.movr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class AheadOfTimeTest {

    @Test
    void theServiceAsItIsBuiltSuits() {
        assertThat(AheadOfTime.isAsBuilt(empty())).isTrue();
        StandardEnvironment own = empty();
        own.getPropertySources()
                .addLast(new MapPropertySource(
                        "Config resource 'class path resource [application.yaml]' via location 'optional:classpath:/'",
                        Map.of("spring.main.banner-mode", "off")));
        assertThat(AheadOfTime.isAsBuilt(own)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server.port",
                "server.address",
                "spring.application.name",
                "SPRING_APPLICATION_JSON",
                "movr.region.pinned",
                "movr.region.cities.us-east1[0]",
                "movr.database.isolation",
                "logging.level.org.springframework.boot",
                "java.io.tmpdir"
            })
    void whatIsReadByTheBeansSuits(String name) {
        assertThat(AheadOfTime.isAsBuilt(with(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "movr.cache.enabled",
                "spring.profiles.active",
                "spring.application.admin.enabled",
                "spring.threads.virtual.enabled",
                "management.endpoints.web.exposure.include",
                "server.ssl.certificate",
                "springdoc.api-docs.enabled"
            })
    void whatDecidesWhichBeansThereAreDoesNot(String name) {
        assertThat(AheadOfTime.isAsBuilt(with(name))).isFalse();
        StandardEnvironment variables = empty();
        String variable = name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
        variables.getPropertySources().addLast(new SystemEnvironmentPropertySource("env", Map.of(variable, "x")));
        assertThat(AheadOfTime.isAsBuilt(variables)).isFalse();
    }

    private static StandardEnvironment with(String name) {
        StandardEnvironment environment = empty();
        environment.getPropertySources().addFirst(new MapPropertySource("commandLineArgs", Map.of(name, "x")));
        return environment;
    }

    /** Without what the process that runs the tests was given. */
    private static StandardEnvironment empty() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        return environment;
    }
}
