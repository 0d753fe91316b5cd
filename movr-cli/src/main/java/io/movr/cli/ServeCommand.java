package io.movr.cli;

import io.movr.MovrApplication;
import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.database.SqlState;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.datasource.GatewayPool;
import io.movr.region.InstanceRegion;
import io.movr.report.RunDisplay;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr serve}. */
@Command(
        name = "serve",
        description = "Serve users, vehicles, rides and promo codes over HTTP.",
        footer = {
            "",
            "An embedded database is first filled, as 'movr load' does, if that has not been completed before. A "
                    + "database named with --url is served as it is, and must have its tables. Ctrl-C finishes the requests in progress, "
                    + "then stops.",
            "",
            "Examples:",
            "  movr serve --http-port 8081 --region us-west1 --scale tiny --data-dir west",
            "  movr serve --url \"jdbc:postgresql://one:26257,two:26257/movr?user=me\"",
            "  movr serve --set movr.database.isolation=read-committed --set movr.database.pool-size=4"
        })
final class ServeCommand implements Callable<Integer> {

    private static final Duration FIRST_CONNECTION = Duration.ofSeconds(10);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "The port to listen on, 0 for any that is free (default: 8080).")
    private @Nullable Integer httpPort;

    @Option(
            names = "--region",
            paramLabel = "REGION",
            description = "The region of this instance (default: the first, us-east1).")
    private @Nullable String region;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Another setting of the service, such as server.address=0.0.0.0; docs/configuration.md lists them.")
    private Map<String, String> settings = Map.of();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private StoredDatabaseOptions database = new StoredDatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (httpPort != null && (httpPort < 0 || httpPort > 65_535)) {
            throw new UserError("--http-port " + httpPort + " is out of range: 0 to 65535");
        }
        DatasetSpec wanted = rows.spec();
        terminal.progress("Starting the database…");
        // Two threads that begin to log at the same time are warned of it.
        LoggerFactory.getILoggerFactory();
        FutureTask<Served> opening = new FutureTask<>(() -> opened(wanted, terminal));
        new Thread(opening, "movr-serve-database").start();
        ConfigurableApplicationContext service;
        try {
            service = start(opening);
        } catch (RuntimeException failed) {
            // If there is no database, this says why.
            opened(opening).cluster().close();
            throw refusal(failed);
        }
        Served served = opened(opening);
        try (Cluster cluster = served.cluster()) {
            boolean saving = noteReady(terminal);
            ProcessEnd.before(() -> {
                service.close();
                if (saving) {
                    terminal.line("Saving the loaded classes for faster starts, once after each build…");
                }
            });
            service.getBean(GatewayPool.class).awaitConnection(FIRST_CONNECTION);
            terminal.clear();
            announce(output, service, cluster, served.stage());
            // Until the process is told to end, which then happens in the order that the database wants.
            new CountDownLatch(1).await();
        }
        return 0;
    }

    /**
     * If Java is going to write an archive of the loaded classes at the end, notes for the launcher that it has all of them.
     *
     * @return whether it noted that
     */
    private static boolean noteReady(Terminal terminal) {
        String note = System.getProperty("movr.note", "");
        if (note.isEmpty()) {
            return false;
        }
        try {
            Files.writeString(Path.of(note), Build.commit() + System.lineSeparator());
            return true;
        } catch (IOException failed) {
            terminal.line("! Later starts will be no faster, for " + note + " cannot be written: "
                    + UserError.firstLine(failed));
            return false;
        }
    }

    /** A database with MovR's tables, and the stage that they are at. */
    private record Served(Cluster cluster, Stage stage) {}

    private Served opened(DatasetSpec rows, Terminal terminal) {
        Cluster cluster = database.source().kept();
        try {
            Stage stage = ready(cluster, rows, terminal);
            terminal.progress("Starting the service…");
            return new Served(cluster, stage);
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /** Waits for the database. */
    private static Served opened(FutureTask<Served> opening) throws InterruptedException {
        try {
            return opening.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException why ? why : new IllegalStateException(failed);
        }
    }

    private static Stage ready(Cluster cluster, DatasetSpec rows, Terminal terminal) {
        if (!cluster.embedded()) {
            return served(cluster.gateway(), terminal);
        }
        LoadProgress progress = new LoadProgress();
        BulkLoader loader = new BulkLoader(cluster.engine(), cluster.gateway(), progress);
        // One query instead of Flyway, which the loader asks where there is something to be done or to be refused.
        Optional<Stage> stage = seen(cluster.gateway());
        if (stage.isPresent() && !loader.isPending()) {
            return stage.get();
        }
        LoadDisplay display = new LoadDisplay(terminal, progress, rows.totalRows());
        try {
            loader.load(rows, BulkLoader.defaultConnections(), IfFilled.KEEP);
        } finally {
            display.close();
        }
        return new Schema(cluster.engine(), cluster.gateway()).current().orElseThrow();
    }

    private static Optional<Stage> seen(Gateway gateway) {
        try (Connection connection = gateway.connect("movr-serve")) {
            return Schema.readStage(connection);
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " for its stage: " + UserError.firstLine(failed), failed);
        }
    }

    private static Stage served(Gateway gateway, Terminal terminal) {
        try (Connection connection = gateway.connect("movr-serve")) {
            Stage stage = Schema.readStage(connection)
                    .orElseThrow(() -> new UserError(
                            "There are no tables of MovR at " + gateway.shown() + ": run 'movr load --url …' first"));
            if (isEmpty(connection)) {
                terminal.line("! The tables at " + gateway.shown() + " are empty: 'movr load --url …' fills them");
            }
            return stage;
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " for its stage and rows: " + UserError.firstLine(failed),
                    failed);
        }
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try {
            return !BulkLoader.hasRows(connection);
        } catch (SQLException refused) {
            if (SqlState.INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState())) {
                // The service may do without the tables that this user may not read.
                return false;
            }
            throw refused;
        }
    }

    /** Starts the service while its database is being opened, for which it waits when it wants to know where it is. */
    private ConfigurableApplicationContext start(FutureTask<Served> opening) {
        Map<String, String> all = new LinkedHashMap<>();
        if (httpPort != null) {
            all.put("server.port", Integer.toString(httpPort));
        }
        // What keeps it from starting is told once, by this command.
        all.put("logging.level.org.springframework.boot", "off");
        if (region != null) {
            all.put("movr.region.pinned", region);
        }
        all.putAll(settings);
        String[] arguments = all.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
        System.clearProperty(Movr.LOGGING);
        SpringApplication application = MovrApplication.application();
        application.setRegisterShutdownHook(false);
        application.setLogStartupInfo(false);
        application.addInitializers(context -> context.getEnvironment()
                .getPropertySources()
                .addAfter(CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME, new DatabaseUrl(opening)));
        return application.run(arguments);
    }

    /** The URL of a database, which is known when it has been opened. */
    private static final class DatabaseUrl extends EnumerablePropertySource<FutureTask<Served>> {

        private static final String NAME = "movr.database.url";

        DatabaseUrl(FutureTask<Served> opening) {
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
                return opened(getSource()).cluster().gateway().url();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("Starting the service was interrupted", interrupted);
            }
        }
    }

    /** What a person can do about a service that does not start; any other failure is a defect. */
    private RuntimeException refusal(RuntimeException failed) {
        String property = "";
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException inUse) {
                return new UserError(
                        "Port " + inUse.getPort() + " is taken: choose another one with --http-port", failed);
            }
            if (cause instanceof BindValidationException invalid) {
                String faults = invalid.getValidationErrors().getAllErrors().stream()
                        .map(error -> invalid.getValidationErrors().getName() + "."
                                + (error instanceof org.springframework.validation.FieldError field
                                        ? kebabCase(field.getField())
                                        : "")
                                + " " + error.getDefaultMessage())
                        .sorted()
                        .reduce((one, other) -> one + "; " + other)
                        .orElse("");
                return new UserError("The service does not start: " + faults, failed);
            }
            if (cause instanceof BindException bind) {
                property = bind.getName() + ": ";
            }
            if (cause instanceof UserError || (cause.getCause() == null && !property.isEmpty())) {
                return new UserError("The service does not start: " + property + UserError.firstLine(cause), failed);
            }
        }
        return failed;
    }

    private static String kebabCase(String name) {
        return name.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private void announce(PrintWriter output, ConfigurableApplicationContext service, Cluster cluster, Stage stage) {
        int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        InstanceRegion instanceRegion = service.getBean(InstanceRegion.class);
        String city = instanceRegion.map().citiesOf(instanceRegion.here()).get(0);
        String cityInUrl = URLEncoder.encode(city, StandardCharsets.UTF_8).replace("+", "%20");
        String listening = service.getEnvironment().getProperty("server.address", "127.0.0.1");
        String host = listening.contains(":") ? "[" + listening + "]" : listening;
        String root = "http://" + host + ":" + port;
        output.printf(
                Locale.ROOT,
                """
                MovR listens on %s, pinned to %s.
                It serves users, vehicles, rides and promo codes from %s
                (%s, stage %s). Ready after %s.

                  %s
                  curl '%s/api/vehicles?city=%s&status=available'
                  curl %s/api/region
                  curl %s/api/users -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\
                    -d '{"city": "%s", "name": "Ada Brown", "address": "12 High Street", "credit_card": "4111111111111111"}'

                All of it: %s/swagger-ui   Metrics: %s/actuator/prometheus   Ctrl-C stops it.
                """,
                root,
                instanceRegion.here(),
                service.getBean(Gateway.class).shown(),
                Cluster.product(cluster.version()),
                stage,
                RunDisplay.duration((System.currentTimeMillis()
                                - ManagementFactory.getRuntimeMXBean().getStartTime())
                        / 1e3),
                cluster.engine().shell(cluster.gateway()),
                root,
                cityInUrl,
                root,
                root,
                city,
                root,
                root);
        output.flush();
    }
}
