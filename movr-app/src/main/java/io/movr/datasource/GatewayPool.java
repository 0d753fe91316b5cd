package io.movr.datasource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.datasource.DatabaseProperties.Timeouts;
import io.movr.datasource.DatabaseProperties.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The connections of an instance to its gateway. While the gateway is down, requests fail at once instead of waiting; the pool
 * retries every few seconds, and is filled again when the gateway answers.
 */
public final class GatewayPool extends DelegatingDataSource implements AutoCloseable {

    /** The time beyond a statement's timeout after which a silent connection is given up. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final HikariDataSource pool;

    /**
     * Begins to fill a pool in the background; the database may not be available yet.
     *
     * @param gateway the endpoint
     * @param name of the connections in metrics and on the server
     */
    public GatewayPool(Gateway gateway, DatabaseProperties properties, String name) {
        this.pool = new HikariDataSource(config(gateway, properties, name));
        setTargetDataSource(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!isConnected()) {
            throw new SQLTransientConnectionException("The gateway is down: the pool has no connection", "08001");
        }
        return pool.getConnection();
    }

    /** Returns whether there is any connection. */
    public boolean isConnected() {
        HikariPoolMXBean state = pool.getHikariPoolMXBean();
        return state != null && state.getTotalConnections() > 0;
    }

    /** Waits until there is a connection, or the limit has passed. */
    public boolean awaitConnection(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!isConnected()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    /** Returns the settings as texts, because the driver accepts only texts. */
    private static Properties texts(Properties settings) {
        Properties texts = new Properties();
        settings.forEach((name, value) -> texts.setProperty(name.toString(), value.toString()));
        return texts;
    }

    /** Opens a connection with the settings of the pool, outside the pool; the caller closes it. */
    public Connection connectOutside() throws SQLException {
        return DriverManager.getConnection(pool.getJdbcUrl(), texts(pool.getDataSourceProperties()));
    }

    @Override
    public void close() {
        pool.close();
    }

    private static HikariConfig config(Gateway gateway, DatabaseProperties properties, String name) {
        Timeouts timeouts = properties.timeouts();
        HikariConfig config = new HikariConfig();
        Gateway endpoint = gateway.withOptions(sessionOptions(properties));
        config.setPoolName(name);
        config.setMaximumPoolSize(properties.connections());
        config.setMinimumIdle(properties.connections());
        config.setConnectionTimeout(timeouts.pool().toMillis());
        config.setValidationTimeout(Math.max(250, timeouts.pool().toMillis() / 2));
        config.setInitializationFailTimeout(-1);
        config.setMaxLifetime(TimeUnit.MINUTES.toMillis(10));
        config.setKeepaliveTime(TimeUnit.SECONDS.toMillis(30));
        config.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), name);
        config.addDataSourceProperty(PGProperty.CONNECT_TIMEOUT.getName(), seconds(timeouts.connect()));
        config.addDataSourceProperty(PGProperty.LOGIN_TIMEOUT.getName(), 2 * seconds(timeouts.connect()));
        config.addDataSourceProperty(
                PGProperty.SOCKET_TIMEOUT.getName(),
                seconds(timeouts.statement().plus(GRACE)));
        config.addDataSourceProperty(PGProperty.TCP_KEEP_ALIVE.getName(), true);
        // The effect of these settings: docs/results/driver-settings.md.
        config.addDataSourceProperty(PGProperty.REWRITE_BATCHED_INSERTS.getName(), true);
        config.addDataSourceProperty(PGProperty.PREPARED_STATEMENT_CACHE_QUERIES.getName(), 1_024);
        setEndpoint(config, endpoint, properties);
        return config;
    }

    private static void setEndpoint(HikariConfig config, Gateway gateway, DatabaseProperties properties) {
        Gateway endpoint = gateway;
        Tls tls = properties.tls();
        endpoint = set(config, endpoint, PGProperty.SSL_MODE, tls.mode());
        endpoint = set(config, endpoint, PGProperty.SSL_ROOT_CERT, tls.rootCertificate());
        endpoint = set(config, endpoint, PGProperty.SSL_CERT, tls.certificate());
        endpoint = set(config, endpoint, PGProperty.SSL_KEY, tls.key());
        endpoint = set(config, endpoint, PGProperty.USER, properties.username());
        String password = password(properties);
        endpoint = set(config, password == null ? endpoint : endpoint.withoutPassword(), PGProperty.PASSWORD, password);
        config.setJdbcUrl(endpoint.url());
    }

    /** Returns connections to the gateway outside a pool and without the limits of requests. */
    static DataSource withoutLimits(Gateway gateway, DatabaseProperties properties, String name) {
        HikariConfig config = new HikariConfig();
        config.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), name);
        setEndpoint(config, gateway, properties);
        return new DriverManagerDataSource(config.getJdbcUrl(), texts(config.getDataSourceProperties()));
    }

    /**
     * Returns the settings of a session, which are set once per connection: setting them in each transaction would cost a round
     * trip.
     */
    private static String sessionOptions(DatabaseProperties properties) {
        String isolation =
                properties.isolation().name().toLowerCase(Locale.ROOT).replace("_", "\\ ");
        return "-c default_transaction_isolation=" + isolation
                + " -c statement_timeout=" + properties.timeouts().statement().toMillis()
                + " -c idle_in_transaction_session_timeout="
                + properties.timeouts().transaction().toMillis();
    }

    /** Overrides parameters of the address with the configured ones, and returns the address without them. */
    private static Gateway set(HikariConfig config, Gateway endpoint, PGProperty property, @Nullable Object value) {
        if (value == null) {
            return endpoint;
        }
        config.addDataSourceProperty(property.getName(), value.toString());
        return endpoint.without(property);
    }

    private static @Nullable String password(DatabaseProperties properties) {
        Path file = properties.passwordFile();
        if (file == null) {
            return properties.password();
        }
        try {
            return Files.readString(file).lines().findFirst().orElse("").strip();
        } catch (IOException unreadable) {
            throw new UserError("movr.database.password-file: " + file + " cannot be read", unreadable);
        }
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.plusMillis(999).toSeconds()));
    }
}
