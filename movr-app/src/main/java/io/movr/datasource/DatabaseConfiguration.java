package io.movr.datasource;

import io.micrometer.core.instrument.MeterRegistry;
import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.SchemaStage;
import io.movr.region.InstanceRegion;
import io.movr.region.Region;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.PGProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The configuration of the service's database, pinned to the gateway of its region. */
@Configuration(proxyBeanMethods = false)
@Import(MappedReads.class)
@EnableConfigurationProperties({DatabaseProperties.class, RegionProperties.class})
class DatabaseConfiguration {

    @Bean
    InstanceRegion instanceRegion(RegionProperties properties) {
        return new InstanceRegion(properties.map(), properties.here());
    }

    @Bean
    Gateway gateway(DatabaseProperties properties, InstanceRegion instanceRegion, Environment environment) {
        String url = properties.url();
        for (Map.Entry<String, String> named : properties.gateways().entrySet()) {
            Region region = instanceRegion.map().cities().keySet().stream()
                    .filter(known -> isName(named.getKey(), known))
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            "movr.database.gateways." + named.getKey() + ": there is no such region: choose one of "
                                    + instanceRegion.map().cities().keySet()));
            if (region.equals(instanceRegion.here())) {
                url = named.getValue();
            }
        }
        if (url != null) {
            return new Gateway(url);
        }
        return springGateway(environment)
                .orElseThrow(() -> new UserError(
                        "The service has no database: set spring.datasource.url or movr.database.gateways."
                                + instanceRegion.here() + ", such as jdbc:postgresql://host:port/database"));
    }

    /** Returns the gateway that {@code spring.datasource} names. */
    private static Optional<Gateway> springGateway(Environment environment) {
        String prefix = "spring.datasource.";
        String url = environment.getProperty(prefix + "url", "");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        Gateway gateway = new Gateway(url);
        String username = environment.getProperty(prefix + "username", "");
        String password = environment.getProperty(prefix + "password", "");
        gateway = username.isEmpty() ? gateway : gateway.with(PGProperty.USER, username);
        return Optional.of(password.isEmpty() ? gateway : gateway.with(PGProperty.PASSWORD, password));
    }

    /** Returns whether a text names a region; names of environment variables have no hyphens. */
    private static boolean isName(String text, Region region) {
        return text.equals(region.name()) || text.equals(region.name().replace("-", ""));
    }

    @Bean
    GatewayPool dataSource(Gateway gateway, DatabaseProperties properties, InstanceRegion instanceRegion) {
        return new GatewayPool(gateway, properties, "movr-" + instanceRegion.here());
    }

    /** Returns the dialect, without querying the database, so that the service can start before the database. */
    @Bean
    JdbcDialect jdbcDialect() {
        return JdbcPostgresDialect.INSTANCE;
    }

    /**
     * Returns a transaction manager that does not translate exceptions: the translating one rolls back after a failed commit,
     * which hides its cause if the connection is lost.
     */
    @Bean
    DataSourceTransactionManager transactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    Transactions transactions(
            PlatformTransactionManager manager,
            MeterRegistry meters,
            SchemaStage stage,
            DatabaseProperties properties) {
        return new Transactions(manager, meters, stage, properties);
    }
}
