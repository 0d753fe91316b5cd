package io.movr.cli;

import io.movr.console.Console;
import io.movr.console.RegionsRun;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.RunDisplay;
import io.movr.report.render.TextTable;
import io.movr.schema.Stage;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr regions start}. */
@Command(
        name = "start",
        description = "Start the regions, and run them until 'movr regions stop' or Ctrl-C.",
        footer = {
            "",
            "Without options a PostgreSQL server is started in each region; with --engine cockroach nine nodes are"
                    + " started; with --url, once for each region, a running cluster is used. Rows are loaded where there"
                    + " are none.",
            "",
            "Examples:",
            "  movr regions start --stage regional-by-row --scale tiny",
            "  movr regions start --rtt us-east1:europe-west1=90ms",
            "  movr regions start --engine cockroach --nodes 3"
        })
final class RegionsStartCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nService and console:%n")
    private Service service = new Service();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private Servers database = new Servers();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private Rows rows = new Rows();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private DistantRegionOptions regions = new DistantRegionOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Service {

        @Option(
                names = "--http-port",
                paramLabel = "PORT",
                description =
                        "The port of the first instance; the others use the following ports. 0 for any free port (default: 8080).")
        private int httpPort = 8080;

        @Option(
                names = "--console",
                paramLabel = "PORT",
                description = "The port of the console; 0 for any free port (default: 8070, or the next free one).")
        private @Nullable Integer console;

        @Option(
                names = "--listen",
                paramLabel = "ADDRESS",
                description =
                        "Address of the console instead of the loopback address, without TLS: every client that reaches"
                                + " it can read, and can send commands with the token.")
        private @Nullable String listen;
    }

    private static final class Servers extends DatabaseOptions {

        @Option(
                names = "--demo",
                description = "With --engine cockroach: start 'cockroach demo --global', whose latencies cannot be"
                        + " changed.")
        private boolean demo;

        @Option(names = "--keep", description = "Keep PostgreSQL's rows in .movr/regions for the next start.")
        private boolean keep;

        @Override
        boolean isDemo() {
            return demo;
        }
    }

    private static final class Rows extends ScaleOption {

        @Option(
                names = "--stage",
                paramLabel = "STAGE",
                description = "The stage of the schema, by name or version, or 'latest' (default:"
                        + " unused-index-dropped, the last stage without regions).")
        private @Nullable String stage;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatabaseSource source = database.source();
        regions.distances(regions.map());
        RegionsRun.of(
                new RegionsRun.Request(
                        source,
                        regions,
                        rows.spec(),
                        Optional.ofNullable(rows.stage).map(name -> Stage.named(name, source.engine())),
                        service.httpPort,
                        database.keep,
                        service.console,
                        service.listen,
                        out.folder()),
                new Display(terminal, output));
        return 0;
    }

    /** The display of regions that start and run. */
    private record Display(Terminal terminal, PrintWriter output) implements RegionsRun.Display {

        @Override
        public RunDisplay start() {
            return terminal;
        }

        @Override
        public RunningRegions.Listener starting() {
            return new RegionsDisplay(terminal);
        }

        @Override
        public void recorded(Path page) {
            output.println("Recording of the console: " + page);
            output.flush();
        }

        @Override
        public void started(RunningRegions running, Console page) {
            RegionMap map = running.map();
            Cluster cluster = running.cluster();
            output.println(Cluster.product(cluster.version()) + ", at stage "
                    + running.schema().current().map(Stage::id).orElse("none") + ":");
            output.print(instances(running));
            ServiceInstance last = running.instances().get(running.instances().size() - 1);
            output.println();
            output.println("  curl '" + last.url() + "/api/vehicles?city="
                    + map.citiesOf(last.region()).get(0).replace(" ", "%20") + "&status=available'");
            output.println("  " + Movr.program() + " migrate --stage " + Stage.latest(cluster.engine())
                    + "     moves the rows to their regions");
            cluster.links()
                    .ifPresent(links -> output.println("  " + Movr.program() + " regions slow "
                            + map.cities().keySet().stream()
                                    .limit(2)
                                    .map(Region::name)
                                    .collect(Collectors.joining(":"))
                            + "=300ms"));
            output.println();
            output.println("Console: " + page.addressWithToken());
            output.println(
                    "  read-only " + page.url() + ", recorded in " + page.file().getParent());
            output.println();
            output.println("Ctrl-C stops it.");
            output.flush();
        }

        private static TextTable instances(RunningRegions running) {
            RegionMap map = running.map();
            TextTable table = new TextTable("lllll").row("  region", "service", "gateway", "round trip", "cities");
            for (ServiceInstance instance : running.instances()) {
                String roundTrips = running.cluster()
                        .links()
                        .map(links -> map.cities().keySet().stream()
                                .filter(region -> !region.equals(instance.region()))
                                .map(region -> links.distances()
                                                .roundTrip(instance.region(), region)
                                                .toMillis()
                                        + "")
                                .collect(Collectors.joining(", ", "", " ms")))
                        .orElse("");
                table.row(
                        "  " + instance.region(),
                        instance.url(),
                        instance.gateway().shown(),
                        roundTrips,
                        String.join(", ", map.citiesOf(instance.region())));
            }
            return table;
        }
    }
}
