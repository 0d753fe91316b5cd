package io.movr.database;

import io.micrometer.core.instrument.MeterRegistry;
import io.movr.region.RegionProperties;
import io.movr.region.Standpoint;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The service's way to its database: pinned to the gateway of its region. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DatabaseProperties.class, RegionProperties.class})
class DatabaseConfiguration {

    @Bean
    Standpoint standpoint(RegionProperties properties) {
        return new Standpoint(properties.map(), properties.here());
    }

    @Bean
    Gateway gateway(DatabaseProperties properties, Standpoint standpoint) {
        String url = properties.gateways().getOrDefault(standpoint.here().name(), properties.url());
        if (url == null) {
            throw new IllegalStateException("movr.database.gateways." + standpoint.here() + " or movr.database.url is"
                    + " needed: name the gateway as jdbc:postgresql://host:port/database");
        }
        return new Gateway(url);
    }

    @Bean
    GatewayPool dataSource(Gateway gateway, DatabaseProperties properties, Standpoint standpoint) {
        return new GatewayPool(gateway, properties, "movr-" + standpoint.here());
    }

    /** Named, because asking the database for it would keep the service from starting before the database does. */
    @Bean
    JdbcDialect jdbcDialect() {
        return JdbcPostgresDialect.INSTANCE;
    }

    /**
     * Not the manager that translates exceptions: it rolls back after a commit that failed, which hides why it failed
     * behind the connection that is gone.
     */
    @Bean
    DataSourceTransactionManager transactionManager(GatewayPool dataSource) {
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
