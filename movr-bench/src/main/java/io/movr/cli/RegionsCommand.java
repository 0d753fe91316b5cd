package io.movr.cli;

import io.movr.UserError;
import io.movr.console.Console;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedRegions;
import io.movr.database.ProcessEnd;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.report.TextTable;
import io.movr.schema.Placement;
import io.movr.schema.Stage;
import io.movr.traffic.Control;
import io.movr.traffic.PlacementTable;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr regions}. */
@Command(
        name = "regions",
        description = "Run a database in three distant regions, with an instance of the service in each.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options PostgreSQL is started, a server in each region; with --engine cockroach nine "
                    + "nodes are started; with --url, once for each region, a running cluster is used. Rows are "
                    + "loaded where there are none. Ctrl-C or --stop ends it. Meanwhile 'movr migrate --stage …' in "
                    + "another terminal migrates the schema, --cut, --mend and --slow change the links, --kill and --restart"
                    + " end and start servers, and --traffic sends requests. The page whose address is printed shows all"
                    + " of it, and does the same.",
            "",
            "Exit code of --placement: 1 when a leaseholder is away from the region of its rows.",
            "",
            "Examples:",
            "  movr regions",
            "  movr regions --stage regional-by-row --rtt us-east1:europe-west1=90ms --scale tiny",
            "  movr regions --cut us-east1:us-west1",
            "  movr regions --traffic 10 --remote-share 0.05 --write-share 0.2",
            "  movr regions --engine cockroach",
            "  movr regions --placement --url \"postgresql://root@localhost:26257/movr?sslmode=disable\""
        })
final class RegionsCommand implements Callable<Integer> {

    private static final Pattern PAIR = Pattern.compile("([a-z][a-z0-9-]*):([a-z][a-z0-9-]*)");
    private static final Pattern PAIR_AND_TIME = Pattern.compile(PAIR.pattern() + "=(\\d+(?:\\.\\d+)?)ms");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description =
                    "The stage of the schema, by name or version, or 'latest' (default: unused-index-dropped, the last"
                            + " one that places nothing).")
    private @Nullable String stage;

    @Option(
            names = "--rtt",
            paramLabel = "A:B=MS",
            description =
                    "A round trip between two regions, such as us-east1:europe-west1=90ms; once a pair (default: 66 ms"
                            + " east to west, 64 ms east to Europe, 146 ms west to Europe).")
    private List<String> roundTrips = List.of();

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "The port of the first instance; the others take the next (default: 8080; 0 for any).")
    private int httpPort = 8080;

    @Option(names = "--keep", description = "Keep PostgreSQL's rows in .movr/regions for the next start.")
    private boolean keep;

    @Option(names = "--cut", paramLabel = "A:B", description = "Cut the link between two running regions.")
    private @Nullable String cut;

    @Option(names = "--mend", paramLabel = "A:B", description = "Restore a link that was cut.")
    private @Nullable String mend;

    @Option(names = "--slow", paramLabel = "A:B=MS", description = "Set the round trip between two running regions.")
    private @Nullable String slow;

    @Option(
            names = "--kill",
            paramLabel = "REGION",
            description = "Kill the server, or every node, in a running region.")
    private @Nullable String kill;

    @Option(
            names = "--restart",
            paramLabel = "REGION",
            description = "Start the server in a region again that --kill ended.")
    private @Nullable String restart;

    @Option(
            names = "--kill-service",
            paramLabel = "REGION",
            description = "Kill the instance of the service in a region.")
    private @Nullable String killService;

    @Option(
            names = "--restart-service",
            paramLabel = "REGION",
            description = "Start the instance of the service in a region again.")
    private @Nullable String restartService;

    @Option(
            names = "--traffic",
            paramLabel = "N",
            description = "Send N arrivals per second in each region, 0 to 100; 0 ends it.")
    private @Nullable Double traffic;

    @Option(
            names = "--remote-share",
            paramLabel = "SHARE",
            description = "With --traffic: share of arrivals for a city of another region, 0 to 1 (default: 0.05).")
    private @Nullable Double remoteShare;

    @Option(
            names = "--write-share",
            paramLabel = "SHARE",
            description =
                    "With --traffic: share of arrivals that start and end a ride, 0 to 1 (default: 0.1); the others list a "
                            + "city's vehicles.")
    private @Nullable Double writeShare;

    @Option(
            names = "--matrix",
            description = "Measure reading a user by its key from each region, for rows of each region.")
    private boolean matrix;

    @Option(
            names = "--staleness",
            description =
                    "Read promo codes in each region while the primary region changes them: latency and age by the way"
                            + " in which they are read, 5 s each.")
    private boolean staleness;

    @Option(
            names = "--ledger",
            description = "Count the rides that --traffic was told of: how many are there, lost, or there twice.")
    private boolean ledger;

    @Option(names = "--stop", description = "Stop the running regions.")
    private boolean stop;

    @Option(names = "--placement", description = "Show leaseholders and replicas of each table by region, and stop.")
    private boolean placement;

    @Option(
            names = "--console",
            paramLabel = "PORT",
            description =
                    "The port of the console, a page for a browser, which also takes the commands; 0 for any (default:"
                            + " 8070, or the next free one).")
    private @Nullable Integer console;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Let the console listen on another address than that of this machine's loopback, without TLS:"
                    + " every client can read, and commands need its token.")
    private @Nullable String listen;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Parent folder of what the console records (default: results).")
    private Path out = Path.of("results");

    @Mixin
    private DatasetOptions dataset = new DatasetOptions();

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    /** Where regions keep what they need, and leave word for other commands. */
    static Path folder() {
        return Path.of(System.getProperty("movr.root", "."), ".movr", "regions");
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        if (placement) {
            return placement(output);
        }
        Optional<List<String>> order = order();
        if (order.isPresent()) {
            String done =
                    Control.ask(folder(), order.get(), matrix || staleness ? RegionsCommand.shown(output) : line -> {});
            output.println(Character.toUpperCase(done.charAt(0)) + done.substring(1) + ".");
            output.flush();
            return 0;
        }
        return run(output);
    }

    /** What regions that run shall do. */
    private Optional<List<String>> order() {
        long orders = Stream.of(cut, mend, slow, kill, restart, killService, restartService, traffic)
                        .filter(Objects::nonNull)
                        .count()
                + (stop ? 1 : 0)
                + (matrix ? 1 : 0)
                + (staleness ? 1 : 0)
                + (ledger ? 1 : 0);
        if (orders > 1) {
            throw new UserError(
                    "--cut, --mend, --slow, --kill, --restart, --kill-service, --restart-service, --traffic,"
                            + " --matrix, --staleness, --ledger and --stop are done one at a time: give one of them");
        }
        if ((remoteShare != null || writeShare != null) && traffic == null) {
            throw new UserError("--remote-share and --write-share are about --traffic: add it, or leave them out");
        }
        if (stop) {
            return Optional.of(List.of("stop"));
        }
        if (matrix) {
            return Optional.of(List.of("matrix"));
        }
        if (staleness) {
            return Optional.of(List.of("staleness"));
        }
        if (ledger) {
            return Optional.of(List.of("ledger"));
        }
        if (traffic != null) {
            return Optional.of(List.of(
                    "traffic",
                    plain(traffic),
                    plain(remoteShare == null ? 0.05 : remoteShare),
                    plain(writeShare == null ? 0.1 : writeShare)));
        }
        if (restart != null) {
            return Optional.of(List.of("restart", restart));
        }
        if (killService != null) {
            return Optional.of(List.of("kill-service", killService));
        }
        if (restartService != null) {
            return Optional.of(List.of("restart-service", restartService));
        }
        if (kill != null) {
            return Optional.of(List.of("kill", kill));
        }
        if (cut != null) {
            return Optional.of(words("cut", PAIR, cut, "--cut us-east1:us-west1"));
        }
        if (mend != null) {
            return Optional.of(words("mend", PAIR, mend, "--mend us-east1:us-west1"));
        }
        if (slow != null) {
            List<String> words = words("slow", PAIR_AND_TIME, slow, "--slow us-east1:us-west1=300ms");
            words.set(3, Long.toString(nanos(words.get(3))));
            return Optional.of(words);
        }
        return Optional.empty();
    }

    private static String plain(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                : Double.toString(number);
    }

    /** Shows the lines of a table, and not how far the work is. */
    private static Consumer<String> shown(PrintWriter output) {
        return line -> {
            if (!line.endsWith("%")) {
                output.println(line);
            }
        };
    }

    private static List<String> words(String what, Pattern pattern, String given, String example) {
        Matcher matcher = pattern.matcher(given);
        if (!matcher.matches()) {
            throw new UserError("'" + given + "' is no pair of regions: write it like " + example);
        }
        List<String> words = new ArrayList<>(List.of(what));
        for (int group = 1; group <= matcher.groupCount(); group++) {
            words.add(matcher.group(group));
        }
        return words;
    }

    private static long nanos(String milliseconds) {
        return Math.round(Double.parseDouble(milliseconds) * 1e6);
    }

    static Distances distances(List<String> roundTrips, RegionMap map) {
        Distances distances = Distances.standard();
        for (String given : roundTrips) {
            List<String> words = words("rtt", PAIR_AND_TIME, given, "--rtt us-east1:europe-west1=90ms");
            Region one = map.named(words.get(1));
            Region other = map.named(words.get(2));
            try {
                distances = distances.with(one, other, Duration.ofNanos(nanos(words.get(3))));
            } catch (IllegalArgumentException wrong) {
                throw new UserError("--rtt: " + wrong.getMessage(), wrong);
            }
        }
        return distances;
    }

    private int run(PrintWriter output) throws InterruptedException {
        Terminal terminal =
                new Terminal(Objects.requireNonNull(spec).commandLine().getErr());
        RegionMap map = regions.map();
        database.checkNodes(map);
        Distances distances = distances(roundTrips, map);
        if (!roundTrips.isEmpty()) {
            database.requireOwnLinks("--rtt");
        }
        if (keep) {
            database.requireEmbedded("--keep");
        }
        int lastPort = 65_536 - map.cities().size();
        if (httpPort < 0 || httpPort > lastPort) {
            throw new UserError("--http-port " + httpPort + " is out of range: 0 to " + lastPort);
        }
        Optional<Stage> wanted = Optional.ofNullable(stage).map(name -> Stage.named(name, database.engine()));
        if (console != null) {
            Console.requirePort(console);
        }
        RunBundle.check(out);
        endWithParent();
        try (Control control = Control.claim(folder())) {
            if (database.startsNodes()) {
                terminal.line(map.cities().size() * map.nodes() + " nodes of CockroachDB: about "
                        + (wanted.filter(Stage::isRegional).isPresent() ? "7" : database.hasOwnLinks() ? "2" : "5")
                        + " min until they are ready, on two cores at scale quick");
            }
            terminal.progress("Starting the database of each region…");
            EmbeddedRegions.endOrphans(folder());
            try (Cluster cluster = database.regions(map, distances, keep ? folder() : null);
                    RunningRegions running = RunningRegions.start(
                            cluster, map, dataset.spec(), wanted, httpPort, folder(), new Display(terminal))) {
                terminal.clear();
                try (Console page = console(running, control, output)) {
                    print(running, page, output);
                    watch(running, control);
                    end(running, page, output);
                }
            }
        }
        return 0;
    }

    /** Ends what is sent before what answers it. */
    private static void end(RunningRegions running, Console page, PrintWriter output) {
        running.traffic().close();
        page.end().ifPresent(recorded -> output.println("What the console showed: " + recorded));
        output.flush();
    }

    private Console console(RunningRegions running, Control control, PrintWriter output) {
        RunBundle bundle =
                RunBundle.create(out, Instant.now(), running.cluster().engine().folder(), "regions");
        Console page = Console.start(running, control, console, listen, bundle);
        ProcessEnd.before(() -> end(running, page, output));
        return page;
    }

    /** Whoever started this may be killed without a word, and then nobody is left to stop it. */
    private static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            Thread thread = new Thread(
                    () -> {
                        parent.onExit().join();
                        System.exit(143);
                    },
                    "parent-watch");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Until another command says so; Ctrl-C ends the process. */
    private static void watch(RunningRegions running, Control control) throws InterruptedException {
        while (!control.awaitStop(Duration.ofSeconds(1))) {
            for (ServiceInstance instance : running.instances()) {
                if (!instance.isAlive() && !running.isKilled(instance.region()) && !Movr.isStopping()) {
                    throw new UserError("The service of " + instance.region() + " has ended (log: " + instance.log()
                            + "): all others are stopped");
                }
            }
        }
    }

    /** Shows loading and starting. */
    record Display(Terminal terminal) implements RunningRegions.Listener {

        @Override
        public void progress(String what) {
            terminal.progress(what + "…");
        }

        @Override
        public Runnable loading(LoadProgress progress, DatasetSpec rows) {
            LoadDisplay display = new LoadDisplay(terminal, progress, rows.totalRows());
            return display::close;
        }
    }

    private static void print(RunningRegions running, Console page, PrintWriter output) {
        RegionMap map = running.map();
        Cluster cluster = running.cluster();
        String title = Cluster.product(cluster.version());
        output.println(title + ", at stage "
                + running.schema().current().map(Stage::id).orElse("none") + ":");
        TextTable table = new TextTable("lllll").row("  region", "service", "gateway", "round trip", "cities");
        for (ServiceInstance instance : running.instances()) {
            String away = cluster.links()
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
                    away,
                    String.join(", ", map.citiesOf(instance.region())));
        }
        output.print(table);
        ServiceInstance last = running.instances().get(running.instances().size() - 1);
        output.println();
        output.println("  curl '" + last.url() + "/api/vehicles?city="
                + map.citiesOf(last.region()).get(0).replace(" ", "%20") + "&status=available'");
        output.println(
                "  ./movr migrate --stage " + Stage.latest(cluster.engine()) + "     moves the rows to their regions");
        cluster.links()
                .ifPresent(links -> output.println("  ./movr regions --slow "
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

    private int placement(PrintWriter output) {
        if (database.isUnsaid() && Control.isRunning(folder())) {
            String away = Control.ask(folder(), List.of("placement"), output::println);
            output.flush();
            return away.equals("0") ? 0 : 1;
        }
        if (!database.isNamed()) {
            throw new UserError(
                    "No regions run here: say of which cluster, --url postgresql://root@localhost:26257/movr");
        }
        RegionMap map = regions.map();
        try (Cluster cluster = database.kept()) {
            Placement seen;
            try {
                seen = Placement.of(cluster, map)
                        .orElseThrow(
                                () -> new UserError("One " + cluster.engine().title()
                                        + " server keeps every row itself: there is no placement to show"));
            } catch (SQLException failed) {
                throw new UserError("Cannot ask where the rows are: " + UserError.firstLine(failed), failed);
            }
            output.print(PlacementTable.of(seen, map));
            output.flush();
            return seen.away().isEmpty() ? 0 : 1;
        }
    }
}
