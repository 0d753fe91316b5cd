package io.movr.cli;

import io.movr.UserError;
import io.movr.check.AnomalyType;
import io.movr.check.AppendGenerator;
import io.movr.check.AppendRun;
import io.movr.check.Breakage;
import io.movr.check.Fault;
import io.movr.check.Faults;
import io.movr.check.Histories;
import io.movr.check.Interleavings;
import io.movr.check.Level;
import io.movr.check.ListAppendChecker;
import io.movr.check.Nemesis;
import io.movr.check.Report;
import io.movr.check.Transaction;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.environment.EnvironmentProbe;
import io.movr.region.Distances;
import io.movr.report.CheckResults;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.TextTable;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
            "  movr check --interleavings                        which anomaly is possible at which level",
            "  movr check --broken retry                         see that a wrong client is found",
            "  movr check --history history.jsonl --isolation serializable"
        })
final class CheckCommand implements Callable<Integer> {

    private static final String ALL = "all";
    private static final int MOST_EXPLANATIONS = 10;
    private static final int SHOWN_EXPLANATIONS = 3;
    private static final int STOP_LIMIT_SECONDS = 60;

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

    @Option(names = "--faults", paramLabel = "N", description = "Faults to make in each run, drawn from the seed.")
    private int faults;

    @Option(
            names = "--fault",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds of faults to draw from: kill, pause, cut, break, slow, schema-change, disk-full "
                    + "(default: all that can be done).")
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
                            + "cache, which reads from a cache inside transactions.")
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
        Breakage breakage = broken == null ? null : Breakage.named(broken);
        List<Fault.Kind> kinds = kinds();
        RunBundle.check(out);
        terminal.progress("Starting the database…");
        try (Cluster cluster = cluster();
                Target target = Target.of(cluster, database)) {
            return interleavings
                    ? interleavings(output, cluster, target)
                    : runs(output, cluster, target, levels, breakage, kinds);
        } finally {
            terminal.clear();
        }
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
        if (database.isNamed() && !database.hasUrl()) {
            throw new UserError("movr check starts a server of its own, which goes afterwards: leave --data-dir out");
        }
        if (!faultKinds.isEmpty() && faults == 0) {
            throw new UserError("--fault says which faults: say how many with --faults");
        }
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
        output.println(cluster.version().split(" on | \\(|,", 2)[0] + ", " + keys + " lists in use, seed " + seed);
        try {
            for (AppendRun.Settings settings : settings(levels, breakage)) {
                if (!Movr.isStopping()) {
                    CheckResults.Run run = run(cluster, target, settings, kinds, bundle, written);
                    runs.add(run);
                    print(output, run);
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
        AppendGenerator.Shape shape = new AppendGenerator.Shape(keys, appends, operations);
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
        try (Faults breakable = faults == 0 ? null : new Faults(cluster, target.gateways(), target.direct())) {
            Nemesis nemesis = breakable == null ? null : nemesis(breakable, kinds);
            List<Gateway> gateways =
                    breakable == null ? List.copyOf(target.gateways().values()) : breakable.gateways();
            AppendRun run = new AppendRun(gateways, target.direct(), settings);
            Level level = run.level();
            cluster.beforeEnd(() -> {
                run.stop();
                await(written);
            });
            AppendRun.Seen seen = run.run(
                    nemesis, (seconds, ok, failed, unknown) -> progress(title, seconds, ok, failed, unknown, nemesis));
            Objects.requireNonNull(terminal).progress(title + ": checking the history…");
            Report report = ListAppendChecker.check(seen.history(), seen.lists());
            String file = "history-" + settings.isolation().id() + "-" + settings.clients() + ".jsonl";
            Histories.write(seen.historyWithLists(), bundle.folder().resolve(file));
            Objects.requireNonNull(terminal).clear();
            return result(settings, level, seen, report, nemesis == null ? List.of() : nemesis.made(), file);
        }
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

    private Nemesis nemesis(Faults breakable, List<Fault.Kind> kinds) {
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
                breakable.gateways(),
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
            String file) {
        Map<Outcome, Long> outcomes =
                seen.history().stream().collect(Collectors.groupingBy(Transaction::outcome, Collectors.counting()));
        long committed = outcomes.getOrDefault(Outcome.OK, 0L);
        return new CheckResults.Run(
                settings.isolation().id(),
                level.id(),
                settings.clients(),
                seen.seconds(),
                committed,
                outcomes.getOrDefault(Outcome.FAIL, 0L),
                outcomes.getOrDefault(Outcome.INFO, 0L),
                committed / seen.seconds(),
                seen.quantileMs(0.5),
                seen.quantileMs(0.99),
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

    private void print(PrintWriter output, CheckResults.Run run) {
        output.println();
        output.println(String.format(
                Locale.ROOT,
                "%s%s, %d %s: %,d committed in %.0f s (%.0f/s, p50 %.1f ms, p99 %.1f ms), %,d failed, %,d unknown",
                run.isolation(),
                run.level().equals(run.isolation()) ? "" : " (runs as " + run.level() + ")",
                run.clients(),
                run.clients() == 1 ? "client" : "clients",
                run.committed(),
                run.seconds(),
                run.perSecond(),
                run.p50Ms(),
                run.p99Ms(),
                run.failed(),
                run.unknown()));
        run.failures()
                .forEach((cause, count) -> output.println(String.format(Locale.ROOT, "  %,d × %s", count, cause)));
        if (!run.faults().isEmpty()) {
            output.println("  " + run.faults().size() + " faults: "
                    + run.faults().stream()
                            .collect(Collectors.groupingBy(
                                    CheckResults.Fault::kind, LinkedHashMap::new, Collectors.counting()))
                            .entrySet()
                            .stream()
                            .map(kind -> kind.getValue() + " " + kind.getKey())
                            .collect(Collectors.joining(", ")));
        }
        TextTable table = new TextTable("lrl");
        run.anomalies().stream()
                .filter(anomaly -> anomaly.count() > 0)
                .forEach(anomaly -> table.row(
                        "  " + anomaly.type() + ", " + anomaly.title(),
                        String.format(Locale.ROOT, "%,d", anomaly.count()),
                        anomaly.forbidden() ? "FORBIDDEN" : "permitted"));
        output.print(table);
        run.explanations().stream()
                .limit(run.violated() ? SHOWN_EXPLANATIONS : 0)
                .forEach(explanation -> output.println("  " + explanation));
        output.println(
                run.violated()
                        ? "  ! It had what " + run.level() + " forbids"
                        : String.format(
                                Locale.ROOT,
                                "  no anomaly that %s forbids; each of %,d acknowledged appends is there once",
                                run.level(),
                                run.appends()));
        if (!run.incomplete().isEmpty()) {
            output.println("  ! Not everything was checked: " + run.incomplete());
        }
        output.flush();
    }

    private int interleavings(PrintWriter output, Cluster cluster, Target target) throws InterruptedException {
        Instant started = Instant.now();
        CpuSteal stolen = new CpuSteal();
        Environment environment = EnvironmentProbe.of(cluster, target.direct(), Build.program());
        List<CheckResults.Interleaving> found = Interleavings.run(
                target.direct(), what -> Objects.requireNonNull(terminal).progress(what));
        Objects.requireNonNull(terminal).clear();
        output.println(cluster.version().split(" on | \\(|,", 2)[0] + ":");
        List<String> levels =
                Arrays.stream(Isolation.values()).map(Isolation::id).toList();
        TextTable table = new TextTable("l" + "l".repeat(levels.size()));
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(levels);
        table.row(head);
        for (CheckResults.Interleaving one : found) {
            List<String> row = new ArrayList<>(List.of(one.anomaly() + ", " + one.title()));
            levels.forEach(level -> row.add(one.outcome().getOrDefault(level, "")));
            table.row(row);
        }
        output.print(table);
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

    private static void await(CountDownLatch written) {
        try {
            if (!written.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("movr: the clients do not end, the results are lost");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
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
