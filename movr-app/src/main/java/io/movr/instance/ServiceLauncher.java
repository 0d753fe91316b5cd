package io.movr.instance;

import io.movr.MovrApplication;
import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.datasource.GatewayPool;
import io.movr.region.InstanceRegion;
import io.movr.schema.Stage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;

/** Opens a database and starts the service, concurrently because each takes more than a second. */
public final class ServiceLauncher {

    private static final Duration FIRST_CONNECTION_LIMIT = Duration.ofSeconds(10);

    /**
     * A request to start the service.
     *
     * @param rows to load into an embedded database in which no load has been completed
     * @param httpPort to listen on, 0 for any free port; {@code null} for the configured one
     * @param region of the instance; {@code null} for the configured one
     * @param settings further properties of the service
     */
    public record Request(
            DatabaseSource database,
            DatasetSpec rows,
            @Nullable Integer httpPort,
            @Nullable String region,
            Map<String, String> settings) {}

    /** The listener of a start. */
    public interface Listener {

        /** Receives the current step. */
        void progress(String text);

        /** Receives a warning. */
        void line(String text);

        /**
         * Receives the start of a load.
         *
         * @return called when the load has ended
         */
        Runnable loading(LoadProgress progress, DatasetSpec rows);
    }

    /**
     * A running service. It stops when the process ends, after the requests in progress and before the database.
     *
     * @param stage of the schema
     * @param url of the service
     * @param gateway that the service is pinned to
     */
    public record Started(Cluster cluster, Stage stage, String url, InstanceRegion region, Gateway gateway)
            implements AutoCloseable {

        /** Closes the database. */
        @Override
        public void close() {
            cluster.close();
        }
    }

    private ServiceLauncher() {}

    /**
     * Starts the service, and waits until it is connected to its database.
     *
     * @throws UserError if the database or the service cannot be started
     */
    public static Started start(Request request, Listener listener) throws InterruptedException {
        FutureTask<ServedDatabase> opening =
                new FutureTask<>(() -> ServedDatabase.open(request.database(), request.rows(), listener));
        new Thread(opening, "movr-serve-database").start();
        ConfigurableApplicationContext service;
        try {
            service = run(request, opening);
        } catch (RuntimeException failed) {
            // If the database was not opened, this throws the reason.
            await(opening).cluster().close();
            throw StartFailure.of(failed);
        }
        ServedDatabase database = await(opening);
        try {
            ProcessEnd.before(service::close);
            service.getBean(GatewayPool.class).awaitConnection(FIRST_CONNECTION_LIMIT);
            return new Started(
                    database.cluster(),
                    database.stage(),
                    url(service.getEnvironment()),
                    service.getBean(InstanceRegion.class),
                    service.getBean(Gateway.class));
        } catch (RuntimeException | InterruptedException failed) {
            database.cluster().close();
            throw failed;
        }
    }

    private static ConfigurableApplicationContext run(Request request, FutureTask<ServedDatabase> opening) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (request.httpPort() != null) {
            settings.put("server.port", Integer.toString(request.httpPort()));
        }
        // The caller reports why the service does not start.
        settings.put("logging.level.org.springframework.boot", "off");
        if (request.region() != null) {
            settings.put("movr.region.pinned", request.region());
        }
        settings.putAll(request.settings());
        SpringApplication application = MovrApplication.application();
        application.setRegisterShutdownHook(false);
        application.setLogStartupInfo(false);
        application.addInitializers(context -> context.getEnvironment()
                .getPropertySources()
                .addAfter(CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME, new DatabaseUrl(opening)));
        return application.run(settings.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new));
    }

    private static ServedDatabase await(FutureTask<ServedDatabase> opening) throws InterruptedException {
        try {
            return opening.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    private static String url(Environment environment) {
        String address = environment.getProperty("server.address", "127.0.0.1");
        return "http://" + (address.contains(":") ? "[" + address + "]" : address) + ":"
                + environment.getRequiredProperty("local.server.port", Integer.class);
    }

    /** The property with the URL of the database. Reading it waits until the database is open. */
    private static final class DatabaseUrl extends EnumerablePropertySource<FutureTask<ServedDatabase>> {

        private static final String NAME = "movr.database.url";

        DatabaseUrl(FutureTask<ServedDatabase> opening) {
            super(NAME, opening);
        }

        @Override
        public String[] getPropertyNames() {
            return new String[] {NAME};
        }

        @Override
        public @Nullable Object getProperty(String name) {
            if (!name.equals(NAME)) {
                return null;
            }
            try {
                return await(getSource()).cluster().gateway().url();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("The start of the service was interrupted", interrupted);
            }
        }
    }
}
