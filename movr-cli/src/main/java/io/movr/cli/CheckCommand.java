package io.movr.cli;

import io.movr.UserError;
import io.movr.check.CheckDisplay;
import io.movr.check.CheckRequest;
import io.movr.check.CheckedFile;
import io.movr.check.CheckedInterleavings;
import io.movr.check.CheckedRuns;
import io.movr.check.ClientDefect;
import io.movr.check.Fault;
import io.movr.report.CheckReport;
import io.movr.report.CheckResults;
import io.movr.report.render.TextRenderer;
import io.movr.workload.Isolation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr check}. */
@Command(
        name = "check",
        description = "Check the results of concurrent transactions, also under faults, against their isolation level.",
        subcommands = {CheckCommand.HistoryCommand.class, CheckCommand.InterleavingsCommand.class},
        footer = {
            "",
            "Clients append numbers to lists and read them. The history is searched for anomalies, and every acknowledged"
                    + " append must be in its list exactly once. With --url, the lists are in a new database on that server, and"
                    + " faults are faults of the network between the server and the clients.",
            "",
            "Exit code 1 if the level forbids an anomaly that was found, or if the check is incomplete.",
            "",
            "Examples:",
            "  movr check --isolation all --concurrency 1,8,64 --duration 20s",
            "  movr check --faults 20 --seed 7",
            "  movr check --through service --faults 20"
        })
final class CheckCommand implements Callable<Integer> {

    private static final String JDBC = "jdbc";
    private static final String SERVICE = "service";

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nClients:%n")
    private Clients clients = new Clients();

    @ArgGroup(validate = false, heading = "%nFaults:%n")
    private FaultOptions faults = new FaultOptions();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private Regions regions = new Regions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static class Levels {

        @Option(
                names = "--isolation",
                paramLabel = "LEVEL",
                split = ",",
                description = "read-committed, repeatable-read or serializable, several with commas, or all (default:"
                        + " serializable).")
        private List<String> isolations = List.of("serializable");

        List<Isolation> levels() {
            return isolations.contains("all")
                    ? List.of(Isolation.values())
                    : isolations.stream().map(Isolation::named).distinct().toList();
        }
    }

    private static final class Clients extends Levels {

        @Option(
                names = "--concurrency",
                paramLabel = "N",
                split = ",",
                description =
                        "Number of clients, each with its own connection; several numbers, separated by commas, are several"
                                + " runs (default: 8).")
        private List<Integer> concurrency = List.of(8);

        @Option(
                names = "--duration",
                paramLabel = "TIME",
                converter = GoDuration.class,
                description =
                        "How long each run lasts, such as 30s or 1m30s; longer if faults take longer (default: 30s).")
        private Duration duration = Duration.ofSeconds(30);

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Transactions per second of all clients together (default: unlimited).")
        private double rate;

        @Option(
                names = "--through",
                paramLabel = "WAY",
                description = "jdbc: transactions to the database (default). service: requests to MovR's service, which"
                        + " append rides of a vehicle and uses of a promo code.")
        private String through = JDBC;

        @Option(
                names = "--broken",
                paramLabel = "HOW",
                description =
                        "Faulty clients, whose anomalies the check must find. retry: repeat a write after a lost answer. cache"
                                + " (jdbc): read from a cache. bypass (service): change a row without the service.")
        private @Nullable String broken;
    }

    private static final class FaultOptions {

        @Option(names = "--faults", paramLabel = "N", description = "The number of faults in each run (default: 0).")
        private int count;

        @Option(
                names = "--fault",
                paramLabel = "KIND",
                split = ",",
                description =
                        "Kinds of faults: kill, pause, cut, break, slow, schema-change, kill-service (default: all"
                                + " that are possible).")
        private List<String> kinds = List.of();

        @Option(
                names = "--seed",
                paramLabel = "NUMBER",
                description = "Seed of the random transactions and faults (default: 1).")
        private long seed = 1;

        List<Fault.Kind> kinds() {
            return kinds.stream()
                    .map(name -> Arrays.stream(Fault.Kind.values())
                            .filter(kind -> kind.id().equals(name.strip()))
                            .findFirst()
                            .orElseThrow(() -> new UserError("There is no fault '" + name + "': choose "
                                    + Arrays.stream(Fault.Kind.values())
                                            .map(Fault.Kind::id)
                                            .collect(Collectors.joining(", ")))))
                    .toList();
        }
    }

    private static final class Regions extends RegionOptions {

        @Option(
                names = "--regions",
                description = "Start the database in three regions, with clients at the gateway of each region.")
        private boolean inRegions;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        CheckRequest request = new CheckRequest(
                clients.levels(),
                clients.concurrency,
                clients.duration,
                clients.rate,
                faults.seed,
                regions.map(),
                regions.inRegions,
                throughService(),
                faults.count,
                faults.kinds(),
                clients.broken == null ? null : ClientDefect.named(clients.broken),
                out.folder(),
                Build.program(),
                Movr.words(command));
        return CheckedRuns.of(database.source(), request, new Display(command)) ? 0 : 1;
    }

    private boolean throughService() {
        if (!clients.through.equals(JDBC) && !clients.through.equals(SERVICE)) {
            throw new UserError("There is no --through '" + clients.through + "': choose " + JDBC + " or " + SERVICE);
        }
        return clients.through.equals(SERVICE);
    }

    /** The display of runs in the terminal. */
    private record Display(Terminal terminal, PrintWriter output) implements CheckDisplay {

        Display(CommandSpec command) {
            this(
                    new Terminal(command.commandLine().getErr()),
                    command.commandLine().getOut());
        }

        @Override
        public void title(String text) {
            output.println(text);
            output.flush();
        }

        @Override
        public void result(CheckResults.Run run) {
            output.print(TextRenderer.of(CheckReport.of(run)));
            output.flush();
        }

        @Override
        public void written(Path folder) {
            output.println("Results: " + folder);
            output.flush();
        }

        @Override
        public void line(String text) {
            terminal.line(text);
        }

        @Override
        public void progress(String text) {
            terminal.progress(text);
        }

        @Override
        public void clear() {
            terminal.clear();
        }
    }

    /** {@code movr check history}. */
    @Command(
            name = "history",
            description = "Check a history of list-append transactions in a file, in Jepsen's JSON.",
            footer = {
                "",
                "Exit code 1 if the history has an anomaly that a level forbids. The levels are PostgreSQL's.",
                "",
                "Examples:",
                "  movr check history history.jsonl",
                "  movr check history history.jsonl --isolation repeatable-read",
                "  movr check history history.jsonl --isolation all"
            })
    static final class HistoryCommand implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "The history.")
        private Path file = Path.of("");

        @Mixin
        private Levels levels = new Levels();

        @Override
        public Integer call() {
            PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
            CheckedFile checked = CheckedFile.of(file, levels.levels());
            checked.lines().forEach(output::println);
            output.flush();
            return checked.satisfied() ? 0 : 1;
        }
    }

    /** {@code movr check interleavings}. */
    @Command(
            name = "interleavings",
            description =
                    "Run fixed interleavings of statements, and print the anomalies that each isolation level permits.",
            footer = {
                "",
                "Examples:",
                "  movr check interleavings",
                "  movr check interleavings --engine cockroach",
                "  movr check interleavings --url \"postgresql://me@localhost:5432/postgres\""
            })
    static final class InterleavingsCommand implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        @ArgGroup(validate = false, heading = Headings.DATABASE)
        private DatabaseOptions database = new DatabaseOptions();

        @ArgGroup(validate = false, heading = Headings.OUTPUT)
        private OutOption out = new OutOption();

        @Override
        public Integer call() throws InterruptedException {
            CommandSpec command = Objects.requireNonNull(spec);
            PrintWriter output = command.commandLine().getOut();
            CheckedInterleavings checked = CheckedInterleavings.of(
                    database.source(),
                    out.folder(),
                    Build.program(),
                    Movr.words(command),
                    new Terminal(command.commandLine().getErr()));
            output.println(checked.product() + ":");
            output.print(TextRenderer.of(CheckReport.of(checked.found())));
            output.println("Results: " + checked.folder());
            output.flush();
            return 0;
        }
    }
}
