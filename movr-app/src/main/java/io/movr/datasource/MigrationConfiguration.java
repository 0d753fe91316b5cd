package io.movr.datasource;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The migration by Spring Boot at the start, up to the last stage that does not place rows in regions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("spring.flyway.enabled")
class MigrationConfiguration {

    private static final String NAME = "movr-migrate";

    /** Returns connections without the limits of requests, because a migration may take minutes. */
    @Bean(defaultCandidate = false)
    @FlywayDataSource
    DataSource migrationDataSource(Gateway gateway, DatabaseProperties properties) {
        return GatewayPool.withoutLimits(gateway, properties, NAME);
    }

    /** Returns the scripts of the engine and the settings of {@code movr migrate}, so that one continues what the other began. */
    @Bean
    FlywayConfigurationCustomizer stages() {
        return flyway -> {
            try (Connection connection = flyway.getDataSource().getConnection()) {
                Schema.configure(flyway, Engine.of(connection));
                // Later stages are not scripts.
                flyway.ignoreMigrationPatterns("*:missing", "*:future");
            } catch (SQLException failed) {
                throw new UserError("The database cannot be migrated: " + UserError.firstLine(failed), failed);
            }
        };
    }
}
