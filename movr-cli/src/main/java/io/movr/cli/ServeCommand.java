package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.ProcessEnd;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.instance.ServiceLauncher;
import io.movr.region.InstanceRegion;
import io.movr.report.RunDisplay;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
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
            "The embedded database is loaded first, as by 'movr load', unless a load has been completed. A database that"
                    + " --url names is not changed, and must have MovR's tables. Ctrl-C finishes the requests in progress, then"
                    + " stops.",
            "",
            "Examples:",
            "  movr serve --http-port 8081 --region us-west1 --scale tiny --data-dir west",
            "  movr serve --url \"jdbc:postgresql://one:26257,two:26257/movr?user=me\"",
            "  movr serve --set movr.database.isolation=read-committed --set movr.database.pool-size=4"
        })
final class ServeCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "The port to listen on, 0 for any free port (default: 8080).")
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
        ServiceLauncher.Request request =
                new ServiceLauncher.Request(database.source(), rows.spec(), httpPort, region, settings);
        terminal.progress("Starting the database…");
        // The program's logging starts before the threads that use it; the service has a configuration of its own.
        LoggerFactory.getILoggerFactory();
        System.clearProperty(Movr.LOGGING);
        try (ServiceLauncher.Started service = ServiceLauncher.start(request, new Display(terminal))) {
            terminal.clear();
            if (noteReady(terminal)) {
                ProcessEnd.before(
                        () -> terminal.line("Saving the loaded classes for faster starts, once after each build…"));
            }
            announce(output, service);
            // The process ends by a signal.
            new CountDownLatch(1).await();
        }
        return 0;
    }

    /** The display of a start in the terminal. */
    private record Display(Terminal terminal) implements ServiceLauncher.Listener {

        @Override
        public void progress(String text) {
            terminal.progress(text);
        }

        @Override
        public void line(String text) {
            terminal.line(text);
        }

        @Override
        public Runnable loading(LoadProgress progress, DatasetSpec rows) {
            LoadDisplay display = new LoadDisplay(terminal, progress, rows.totalRows());
            return display::close;
        }
    }

    /**
     * Writes a file for the launcher if Java will archive the loaded classes when it ends: the archive has all classes of a service
     * that was ready.
     *
     * @return whether the file was written
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
            terminal.line("! Later starts will not be faster, because " + note + " cannot be written: "
                    + UserError.firstLine(failed));
            return false;
        }
    }

    private static void announce(PrintWriter output, ServiceLauncher.Started service) {
        InstanceRegion region = service.region();
        Cluster cluster = service.cluster();
        String root = service.url();
        String city = region.map().citiesOf(region.here()).get(0);
        String cityInUrl = URLEncoder.encode(city, StandardCharsets.UTF_8).replace("+", "%20");
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
                region.here(),
                service.gateway().shown(),
                Cluster.product(cluster.version()),
                service.stage(),
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
