package io.movr.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.movr.database.Gateway;
import io.movr.datasource.DatabaseProperties;
import io.movr.datasource.GatewayPool;
import io.movr.datasource.MappedReads;
import io.movr.datasource.Transactions;
import io.movr.promos.PromoCodeService;
import io.movr.region.InstanceRegion;
import io.movr.region.RegionMap;
import io.movr.rides.RideProperties;
import io.movr.rides.RideService;
import io.movr.rides.Rides;
import io.movr.users.Users;
import io.movr.vehicles.Vehicles;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.autoconfigure.metrics.DataRepositoryMetricsAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * The subject of the benchmarks: the repositories and services of MovR on one database, configured as in the service, without
 * HTTP.
 */
final class Subject {

    private static final Map<Gateway, Subject> OPEN = new ConcurrentHashMap<>();

    final Users users;
    final Vehicles vehicles;
    final Rides rides;
    final RideService rideService;
    final PromoCodeService promoCodeService;
    final JdbcClient jdbcClient;
    /** The pool that the repositories use. */
    final DataSource dataSource;

    private final Gateway gateway;
    private final Map<String, HikariDataSource> otherPools = new ConcurrentHashMap<>();

    private Subject(Gateway gateway, int connections) {
        this.gateway = gateway;
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        // A benchmark may hold one in a transaction and ask for another.
        DatabaseProperties properties = bound(
                DatabaseProperties.class,
                "movr.database",
                Map.of(
                        "movr.database.pool-size", connections + 1,
                        "movr.database.timeouts.statement", "1m",
                        "movr.database.timeouts.transaction", "1m"));
        GatewayPool pool = new GatewayPool(gateway, properties, "movr-bench");
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(GatewayPool.class, () -> pool);
        context.registerBean(DatabaseProperties.class, () -> properties);
        context.register(Beans.class);
        context.refresh();
        try {
            if (!pool.awaitConnection(Duration.ofSeconds(30))) {
                throw new IllegalStateException("No connection to " + gateway.shown() + " within 30 s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while connecting to " + gateway.shown(), interrupted);
        }
        this.users = context.getBean(Users.class);
        this.vehicles = context.getBean(Vehicles.class);
        this.rides = context.getBean(Rides.class);
        this.rideService = context.getBean(RideService.class);
        this.promoCodeService = context.getBean(PromoCodeService.class);
        this.jdbcClient = context.getBean(JdbcClient.class);
        this.dataSource = pool;
    }

    /**
     * Returns the one on a database, which all threads of a virtual machine share; it goes with the virtual machine.
     *
     * @param connections how many threads use it, when it is not open yet
     */
    static Subject on(Gateway gateway, int connections) {
        return OPEN.computeIfAbsent(gateway, database -> new Subject(database, connections));
    }

    Gateway gateway() {
        return gateway;
    }

    /** Opens another pool to the same database, with other settings of the driver. */
    DataSource withDriverSettings(String settings, int connections) {
        return otherPools.computeIfAbsent(settings, text -> {
            String url = gateway.url();
            return new Gateway(url + (url.contains("?") ? "&" : "?") + text).pool("movr-bench-other", connections);
        });
    }

    /** Settings as the service has them when nothing is said, but for some. */
    private static <T> T bound(Class<T> type, String prefix, Map<String, ?> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate(prefix, type);
    }

    /**
     * The part of the service that is below HTTP, without the search for what else might be there. It is registered by
     * hand and not annotated as a configuration, because the service would find it then and take it for its own.
     */
    @EnableJdbcRepositories(basePackages = "io.movr")
    @ComponentScan(
            basePackages = "io.movr",
            useDefaultFilters = false,
            includeFilters = @ComponentScan.Filter(Service.class))
    // Their time is part of what a call costs the service.
    @Import({DataRepositoryMetricsAutoConfiguration.class, MappedReads.class, Meters.class})
    static class Beans extends AbstractJdbcConfiguration {

        @Bean
        NamedParameterJdbcTemplate namedParameterJdbcTemplate(GatewayPool pool) {
            return new NamedParameterJdbcTemplate(pool);
        }

        @Bean
        JdbcClient jdbcClient(GatewayPool pool) {
            return JdbcClient.create(pool);
        }

        @Bean
        PlatformTransactionManager transactionManager(GatewayPool pool) {
            return new DataSourceTransactionManager(pool);
        }

        @Bean
        Transactions transactions(
                PlatformTransactionManager manager, MeterRegistry meters, DatabaseProperties properties) {
            return new Transactions(manager, meters, () -> "measured", properties);
        }

        @Override
        public JdbcDialect jdbcDialect(NamedParameterJdbcOperations operations) {
            return JdbcPostgresDialect.INSTANCE;
        }

        @Bean
        RideProperties rideProperties() {
            return bound(RideProperties.class, "movr.rides", Map.of());
        }

        @Bean
        InstanceRegion instanceRegion() {
            return new InstanceRegion(RegionMap.standard(), RegionMap.standard().primary());
        }

        @Bean
        JsonMapper jsonMapper() {
            return new JsonMapper();
        }

        @Bean
        Clock clock() {
            return Clock.systemUTC();
        }
    }

    /** Before the repositories' meters, which are there only where there is a registry. */
    static class Meters {

        @Bean
        MeterRegistry meterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }
    }
}
