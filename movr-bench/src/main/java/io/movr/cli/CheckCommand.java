package io.movr.cli;

import io.movr.UserError;
import io.movr.check.AnomalyType;
import io.movr.check.AppendGenerator;
import io.movr.check.AppendRun;
import io.movr.check.Breakage;
import io.movr.check.DirectSession;
import io.movr.check.Fault;
import io.movr.check.Faults;
import io.movr.check.Histories;
import io.movr.check.Interleavings;
import io.movr.check.Level;
import io.movr.check.ListAppendChecker;
import io.movr.check.ListStore;
import io.movr.check.Nemesis;
import io.movr.check.Report;
import io.movr.check.ServiceLists;
import io.movr.check.Transaction;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.environment.EnvironmentProbe;
import io.movr.region.Distances;
import io.movr.report.CheckReport;
import io.movr.report.CheckResults;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.render.TextRenderer;
import io.movr.workload.Isolation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr check}. */
@Command(
        name = "check",
        description = "Record what transactions see, also under faults, and check it against their isolation level.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Clients append numbers to lists and read them, each list a row. The history, with begin, end and outcome "
                    + "of each transaction, is searched for anomalies: dirty writes and reads, lost updates, read and "
                    + "write skew, stale reads; and every acknowledged append must be in its list exactly once. "
                    + "It is kept in Jepsen's format, which other checkers read too.",
            "",
            "Exit code: 1 when an anomaly was seen that the level forbids, or when not everything was checked.",
            "",
            "Without --url a database is started and goes afterwards. With --url the lists are in a database of their "
                    + "own on that server, and faults are those of the network between it and the clients.",
            "",
            "Examples:",
            "  movr check",
            "  movr check --isolation all --concurrency 1,8,64 --duration 20s",
            "  movr check --faults 20 --seed 7                   kill, pause, cut, slow; the same again with the seed",
            "  movr check --faults 20 --fault kill --engine cockroach --regions",
            "  movr check --through service --faults 20          rides and promo codes over HTTP; also kill-service",
            "  movr check --interleavings                        which anomaly is possible at which level",
            "  movr check --broken retry                         see that a wrong client is found",
            "  movr check --history history.jsonl --isolation serializable"
        })
final class CheckCommand implements Callable<Integer> {

    private static final String ALL = "all";
    private static final String JDBC = "jdbc";
    private static final String SERVICE = "service";
    private static final int MOST_EXPLANATIONS = 10;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            split = ",",
            defaultValue = "serializable",
            description = "read-committed, repeatable-read or serializable, several with commas, or all "
                    + "(default: serializable).")
    private List<String> isolations = List.of("serializable");

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            split = ",",
            defaultValue = "8",
            description = "Clients, each with a connection of its own; several numbers for a run each (default: 8).")
    private List<Integer> concurrency = List.of(8);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = GoDuration.class,
            description = "How long each run lasts, such as 30s or 1m30s; longer if faults take longer (default: 30s).")
    private Duration duration = Duration.ofSeconds(30);

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Transactions per second of all clients together (default: as many as they can).")
    private double rate;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "8",
            description = "Lists in use at a time; fewer lists mean more conflicts (default: 8).")
    private int keys = 8;

    @Option(
            names = "--appends",
            paramLabel = "N",
            defaultValue = "64",
            description = "Elements of a list before a new list takes its place (default: 64).")
    private int appends = 64;

    @Option(
            names = "--ops",
            paramLabel = "N",
            defaultValue = "4",
            description = "Appends and reads of a transaction at most (default: 4).")
    private int operations = 4;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "The same seed draws the same transactions and the same faults (default: 1).")
    private long seed = 1;

    @Option(
            names = "--regions",
            description = "Start the database in three regions, with clients at each region's gateway.")
    private boolean inRegions;

    @Option(
            names = "--through",
            paramLabel = "WAY",
            defaultValue = "jdbc",
            description =
                    "jdbc: clients send transactions to the database. service: clients send requests to instances of "
                            + "MovR's service, and append rides of a vehicle and uses of a promo code (default: jdbc).")
    private String through = JDBC;

    @Option(names = "--faults", paramLabel = "N", description = "Faults to make in each run, drawn from the seed.")
    private int faults;

    @Option(
            names = "--fault",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds of faults to draw from: kill, pause, cut, break, slow, schema-change, "
                    + "kill-service (default: all that can be done).")
    private List<String> faultKinds = List.of();

    @Option(
            names = "--interleavings",
            description = "Run fixed orders of statements instead, and show which anomaly each level permits.")
    private boolean interleavings;

    @Option(
            names = "--broken",
            paramLabel = "HOW",
            description =
                    "Clients that are wrong on purpose: retry, which retries after a commit whose answer was lost; "
                            + "cache, which reads from a cache inside transactions. With --through service: retry, which sends "
                            + "requests again without an idempotency key; bypass, which changes a row past the service.")
    private @Nullable String broken;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Check this history of list-append transactions, in Jepsen's JSON, and run nothing.")
    private @Nullable Path history;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    private @Nullable Terminal terminal;

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        terminal = new Terminal(command.commandLine().getErr());
        PrintWriter output = command.commandLine().getOut();
        List<Isolation> levels = levels();
        checkNumbers();
        if (history != null) {
            return checkFile(output, history, levels);
        }
        Breakage breakage = breakage();
        List<Fault.Kind> kinds = kinds();
        RunBundle.check(out);
        terminal.progress("Starting the database…");
        try (Cluster cluster = cluster();
                Target target = target(cluster)) {
            return interleavings
                    ? interleavings(output, cluster, target)
                    : runs(output, cluster, target, levels, breakage, kinds);
        } finally {
            terminal.clear();
        }
    }

    private Target target(Cluster cluster) {
        if (database.hasUrl()) {
            DirectSession.require(cluster.gateway());
        }
        return Target.of(cluster, database);
    }

    private List<Isolation> levels() {
        return isolations.contains(ALL)
                ? List.of(Isolation.values())
                : isolations.stream().map(Isolation::named).distinct().toList();
    }

    private void checkNumbers() {
        atLeastOne("--keys", keys);
        atLeastOne("--appends", appends);
        atLeastOne("--ops", operations);
        concurrency.forEach(clients -> atLeastOne("--concurrency", clients));
        if (faults < 0 || rate < 0 || duration.isZero()) {
            throw new UserError(
                    faults < 0
                            ? "--faults " + faults + " is out of range: at least 0"
                            : rate < 0
                                    ? "--rate " + rate + " is out of range: at least 0"
                                    : "--duration is 0: give one");
        }
        if (faults > 0 && (interleavings || history != null)) {
            throw new UserError("--faults are made while clients run: leave it out, or leave out "
                    + (interleavings ? "--interleavings" : "--history"));
        }
        checkWay();
        if (database.isNamed() && !database.hasUrl()) {
            throw new UserError("movr check starts a server of its own, which goes afterwards: leave --data-dir out");
        }
        if (!faultKinds.isEmpty() && faults == 0) {
            throw new UserError("--fault says which faults: say how many with --faults");
        }
    }

    private boolean throughService() {
        return through.equals(SERVICE);
    }

    private void checkWay() {
        if (!throughService()) {
            if (!through.equals(JDBC)) {
                throw new UserError("There is no way '" + through + "': choose " + JDBC + " or " + SERVICE);
            }
            return;
        }
        if (interleavings || history != null) {
            throw new UserError("--through " + SERVICE + " is about clients that run: leave it out, or leave out "
                    + (interleavings ? "--interleavings" : "--history"));
        }
        if (Objects.requireNonNull(spec).commandLine().getParseResult().hasMatchedOption("--ops")) {
            throw new UserError("A request to the service is one operation: leave --ops out");
        }
        if (appends > ServiceLists.MAX_ELEMENTS) {
            throw new UserError("--appends " + appends + " is out of range: the service shows at most "
                    + ServiceLists.MAX_ELEMENTS + " rides at once");
        }
    }

    private @Nullable Breakage breakage() {
        if (broken == null) {
            return null;
        }
        Breakage breakage = Breakage.named(broken);
        if (breakage == (throughService() ? Breakage.CACHE : Breakage.BYPASS)) {
            throw new UserError("--broken " + breakage.id() + " is not done through "
                    + (throughService() ? "the service" : "JDBC: add --through service"));
        }
        return breakage;
    }

    private static void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new UserError(option + " " + value + " is out of range: at least 1");
        }
    }

    private List<Fault.Kind> kinds() {
        if (faultKinds.isEmpty()) {
            return List.of(Fault.Kind.values());
        }
        return faultKinds.stream()
                .map(name -> Arrays.stream(Fault.Kind.values())
                        .filter(kind -> kind.id().equals(name.strip()))
                        .findFirst()
                        .orElseThrow(() -> new UserError("There is no fault '" + name + "': choose "
                                + Arrays.stream(Fault.Kind.values())
                                        .map(Fault.Kind::id)
                                        .collect(Collectors.joining(", ")))))
                .toList();
    }

    private Cluster cluster() {
        boolean spared = faults > 0;
        return inRegions
                ? database.regions(regions.map(), Distances.standard(), null, spared)
                : database.temporary(spared);
    }

    /** The database of the lists, and the gateways that lead to it by what they are called. */
    private record Target(
            Gateway direct,
            Map<String, Gateway> gateways,
            @Nullable Databases own) implements AutoCloseable {

        /** On a server that is not ours the lists are in a database that goes afterwards. */
        static Target of(Cluster cluster, DatabaseOptions options) {
            Databases own = options.hasUrl() ? new Databases(cluster) : null;
            Gateway direct = own == null ? cluster.gateway() : own.create("check");
            Map<String, Gateway> gateways = new LinkedHashMap<>();
            cluster.gateways()
                    .forEach((region, gateway) -> gateways.put(region.name(), gateway.toDatabase(direct.database())));
            if (gateways.isEmpty()) {
                gateways.put("server", direct);
            }
            return new Target(direct, gateways, own);
        }

        @Override
        public void close() {
            if (own != null) {
                own.close();
            }
        }
    }

    private int runs(
            PrintWriter output,
            Cluster cluster,
            Target target,
            List<Isolation> levels,
            @Nullable Breakage breakage,
            List<Fault.Kind> kinds)
            throws InterruptedException {
        Instant started = Instant.now();
        CpuSteal stolen = new CpuSteal();
        Environment environment = EnvironmentProbe.of(cluster, target.direct(), Build.program());
        RunBundle bundle = RunBundle.create(out, started, cluster.engine().folder(), "check");
        List<CheckResults.Run> runs = new ArrayList<>();
        CountDownLatch written = new CountDownLatch(1);
        if (throughService()) {
            Objects.requireNonNull(terminal).progress("Loading MovR's rows…");
            CheckedService.load(cluster, target.direct(), breakage);
        }
        output.println(Cluster.product(cluster.version()) + ", " + keys + " lists in use, seed " + seed
                + (throughService() ? ", through the service" : ""));
        output.flush();
        try {
            for (AppendRun.Settings settings : settings(levels, breakage)) {
                if (!Movr.isStopping()) {
                    CheckResults.Run run = run(cluster, target, settings, kinds, bundle, written);
                    runs.add(run);
                    output.print(TextRenderer.of(CheckReport.of(run)));
                    output.flush();
                }
            }
        } finally {
            if (!runs.isEmpty()) {
                boolean whole = runs.size() == levels.size() * concurrency.size()
                        && runs.stream().allMatch(CheckResults.Run::passed);
                write(bundle, started, environment.with(stolen), runs, List.of(), whole);
                output.println("Results: " + bundle.folder());
                output.flush();
            }
            written.countDown();
        }
        return runs.stream().allMatch(CheckResults.Run::passed) ? 0 : 1;
    }

    private List<AppendRun.Settings> settings(List<Isolation> levels, @Nullable Breakage breakage) {
        AppendGenerator.Shape shape = new AppendGenerator.Shape(keys, appends, throughService() ? 1 : operations);
        return levels.stream()
                .flatMap(isolation -> concurrency.stream()
                        .map(clients ->
                                new AppendRun.Settings(isolation, clients, duration, rate, shape, seed, breakage)))
                .toList();
    }

    /** @param written counted down when all results are there, for which a server that is being stopped waits */
    private CheckResults.Run run(
            Cluster cluster,
            Target target,
            AppendRun.Settings settings,
            List<Fault.Kind> kinds,
            RunBundle bundle,
            CountDownLatch written)
            throws InterruptedException {
        String title = settings.isolation().id() + ", " + settings.clients()
                + (settings.clients() == 1 ? " client" : " clients");
        try (Faults breakable = faults == 0
                        ? null
                        : new Faults(
                                cluster,
                                target.gateways(),
                                target.direct(),
                                throughService() ? CheckedService.TABLE : Faults.LISTS);
                CheckedService service = throughService() ? service(target, settings, breakable, bundle) : null) {
            List<Gateway> gateways = List.copyOf(reached(target, breakable).values());
            AppendRun run = service == null
                    ? new AppendRun(gateways, target.direct(), settings)
                    : new AppendRun(service.lists(regions.map().allCities(), settings), settings);
            Nemesis nemesis = breakable == null ? null : nemesis(breakable, kinds, run.probes());
            Level level = AppendRun.level(target.direct(), settings.isolation());
            ProcessEnd.before(() -> {
                run.stop();
                Movr.awaitEnd(written, "the clients do not end, the results are lost");
            });
            AppendRun.Seen seen = run.run(
                    nemesis, (seconds, ok, failed, unknown) -> progress(title, seconds, ok, failed, unknown, nemesis));
            Objects.requireNonNull(terminal).progress(title + ": checking the history…");
            Report report = ListAppendChecker.check(seen.history(), seen.lists());
            List<String> violations = new ArrayList<>(seen.violations());
            if (service != null) {
                violations.addAll(CheckedService.brokenRules(target.direct()));
            }
            String file = "history-" + settings.isolation().id() + "-" + settings.clients() + ".jsonl";
            Histories.write(seen.historyWithLists(), bundle.folder().resolve(file));
            Objects.requireNonNull(terminal).clear();
            return result(
                    settings, level, seen, report, nemesis == null ? List.of() : nemesis.made(), violations, file);
        }
    }

    private CheckedService service(
            Target target, AppendRun.Settings settings, @Nullable Faults breakable, RunBundle bundle)
            throws InterruptedException {
        Objects.requireNonNull(terminal).progress("Starting the service…");
        return CheckedService.start(
                reached(target, breakable), inRegions, regions.map(), settings, breakable, bundle.folder());
    }

    /** The gateways by name, as clients reach them. */
    private static Map<String, Gateway> reached(Target target, @Nullable Faults breakable) {
        return breakable == null ? target.gateways() : breakable.gateways();
    }

    private void progress(String title, double seconds, long ok, long failed, long unknown, @Nullable Nemesis nemesis) {
        Objects.requireNonNull(terminal)
                .progress(String.format(
                        Locale.ROOT,
                        "%s: %.0f of %d s, %,d committed, %,d failed, %,d unknown%s",
                        title,
                        seconds,
                        duration.toSeconds(),
                        ok,
                        failed,
                        unknown,
                        nemesis == null ? "" : ", " + nemesis.made().size() + " of " + faults + " faults"));
    }

    private Nemesis nemesis(Faults breakable, List<Fault.Kind> kinds, List<ListStore.Probe> probes) {
        Map<Fault.Kind, Map<String, Nemesis.Action>> possible = breakable.actions();
        for (Fault.Kind kind : kinds) {
            if (!faultKinds.isEmpty() && !possible.containsKey(kind)) {
                throw new UserError("--fault " + kind.id() + " cannot be made here: choose "
                        + possible.keySet().stream().map(Fault.Kind::id).collect(Collectors.joining(", ")));
            }
        }
        possible.keySet().retainAll(kinds);
        List<Fault> schedule = Nemesis.schedule(seed, faults, possible);
        Terminal display = Objects.requireNonNull(terminal);
        return new Nemesis(
                schedule,
                possible,
                probes,
                made -> display.line(String.format(
                        Locale.ROOT,
                        "%7.1f s  %s %s for %.1f s, writes again %.1f s later",
                        made.at(),
                        made.fault().kind().id(),
                        made.fault().target(),
                        made.fault().length().toNanos() / 1e9,
                        made.recoverySeconds())));
    }

    private static CheckResults.Run result(
            AppendRun.Settings settings,
            Level level,
            AppendRun.Seen seen,
            Report report,
            List<Nemesis.Made> made,
            List<String> violations,
            String file) {
        Map<Outcome, Long> outcomes =
                seen.history().stream().collect(Collectors.groupingBy(Transaction::outcome, Collectors.counting()));
        long committed = outcomes.getOrDefault(Outcome.OK, 0L);
        Histogram latencies = seen.latencies();
        return new CheckResults.Run(
                settings.isolation().id(),
                level.id(),
                settings.clients(),
                seen.seconds(),
                committed,
                outcomes.getOrDefault(Outcome.FAIL, 0L),
                outcomes.getOrDefault(Outcome.INFO, 0L),
                committed / seen.seconds(),
                latencies.getValueAtPercentile(50) / 1e6,
                latencies.getValueAtPercentile(99) / 1e6,
                seen.failures(),
                seen.acknowledgedAppends(),
                seen.lists().size(),
                Arrays.stream(AnomalyType.values())
                        .map(type -> new CheckResults.Anomaly(
                                type.id(), type.title(), report.counts().getOrDefault(type, 0), level.forbids(type)))
                        .toList(),
                report.examples().stream()
                        .sorted(Comparator.comparing(anomaly -> !level.forbids(anomaly.type())))
                        .limit(MOST_EXPLANATIONS)
                        .map(anomaly -> anomaly.type().id() + ": " + anomaly.explanation())
                        .toList(),
                made.stream()
                        .map(one -> new CheckResults.Fault(
                                one.fault().kind().id(),
                                one.fault().target(),
                                one.at(),
                                one.fault().length().toNanos() / 1e9,
                                one.recoverySeconds()))
                        .toList(),
                violations,
                file,
                early(seen, report));
    }

    /** Why the verdict on a run may miss something. */
    private static String early(AppendRun.Seen seen, Report report) {
        if (!seen.end().isEmpty()) {
            return "the run ended early, because " + seen.end();
        }
        return report.bounded()
                ? "the history has more dependencies than were searched: use fewer clients or --rate"
                : "";
    }

    private int interleavings(PrintWriter output, Cluster cluster, Target target) throws InterruptedException {
        Instant started = Instant.now();
        CpuSteal stolen = new CpuSteal();
        Environment environment = EnvironmentProbe.of(cluster, target.direct(), Build.program());
        List<CheckResults.Interleaving> found = Interleavings.run(
                target.direct(), what -> Objects.requireNonNull(terminal).progress(what));
        Objects.requireNonNull(terminal).clear();
        output.println(Cluster.product(cluster.version()) + ":");
        output.print(TextRenderer.of(CheckReport.of(found)));
        RunBundle bundle = RunBundle.create(out, started, cluster.engine().folder(), "check");
        write(bundle, started, environment.with(stolen), List.of(), found, true);
        output.println("Results: " + bundle.folder());
        output.flush();
        return 0;
    }

    private void write(
            RunBundle bundle,
            Instant started,
            Environment environment,
            List<CheckResults.Run> runs,
            List<CheckResults.Interleaving> found,
            boolean complete) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("duration", duration.toMillis() / 1e3 + "s");
        settings.put("rate", Double.toString(rate));
        settings.put("keys", Integer.toString(keys));
        settings.put("appends", Integer.toString(appends));
        settings.put("ops", Integer.toString(operations));
        settings.put("seed", Long.toString(seed));
        settings.put("regions", Boolean.toString(inRegions));
        settings.put("through", through);
        settings.put("faults", Integer.toString(faults));
        settings.put("broken", broken == null ? "no" : broken);
        bundle.write(new CheckResults(
                CheckResults.SCHEMA_VERSION,
                "check",
                started.toString(),
                Movr.words(Objects.requireNonNull(spec)),
                complete,
                environment,
                settings,
                runs,
                found));
    }

    /** Levels mean here what PostgreSQL promises at them. */
    private int checkFile(PrintWriter output, Path file, List<Isolation> levels) {
        List<Transaction> transactions = Histories.read(file);
        if (transactions.stream().noneMatch(one -> one.outcome() == Outcome.OK)) {
            throw new UserError("'" + file + "' has no transaction that committed: there is nothing to check");
        }
        Report report = ListAppendChecker.check(transactions);
        boolean satisfied = !report.bounded();
        if (report.bounded()) {
            output.println("! The history has more dependencies than were searched: it may have more anomalies");
        }
        for (Isolation isolation : levels) {
            Level level = AppendRun.levelOf(isolation);
            boolean holds = report.satisfies(level);
            satisfied &= holds;
            output.println(String.format(
                    Locale.ROOT,
                    "%s: %,d transactions, %,d of them committed: %s",
                    isolation.id(),
                    transactions.size(),
                    report.transactions(),
                    holds ? "no anomaly that it forbids" : "NOT satisfied"));
            report.forbiddenBy(level).stream()
                    .limit(MOST_EXPLANATIONS)
                    .forEach(anomaly -> output.println("  " + anomaly.type().id() + ": " + anomaly.explanation()));
        }
        report.counts()
                .forEach((type, count) ->
                        output.println(String.format(Locale.ROOT, "%,d × %s, %s", count, type.id(), type.title())));
        output.flush();
        return satisfied ? 0 : 1;
    }
}
