package io.movr.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.UserError;
import io.movr.cache.CachingDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class CacheConfigurationTest {

    private final ApplicationContextRunner serviceWithoutCache = new ApplicationContextRunner()
            .withClassLoader(new FilteredClassLoader("io.movr.cache"))
            .withUserConfiguration(CacheConfiguration.class);

    @Test
    void aCacheThatIsEnabledAndNotThereIsRefused() {
        serviceWithoutCache
                .withPropertyValues("movr.cache.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(UserError.class)
                        .hasMessageStartingWith("movr.cache.enabled is true, but the class path has no cache"));
    }

    @Test
    void whoDoesNotEnableItNeedsNone() {
        for (String off : new String[] {"false", "off"}) {
            serviceWithoutCache
                    .withPropertyValues("movr.cache.enabled=" + off)
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CachingDataSource.class));
        }
    }
}
