package io.movr.cli;

import io.movr.UserError;
import io.movr.bench.BenchmarkDatabases;
import io.movr.bench.BenchmarkListener;
import io.movr.bench.BenchmarkRequest;
import io.movr.bench.BenchmarkRun;
import io.movr.bench.Preset;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.EnvironmentProbe;
import io.movr.overhead.LoadBenchmark;
import io.movr.overhead.ServiceBenchmark;
import io.movr.report.ComparisonResults;
import io.movr.report.CpuSteal;
import io.movr.report.PeerResults;
import io.movr.report.PeerResults.Figure;
import io.movr.report.RunBundle;
import io.movr.schema.Stage;
import io.movr.workload.RunnerBenchmark;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import picocli.CommandLine.Model.CommandSpec;

/** Measures what has a peer, beside it, on one server, one subject after the other. */
final class PeersBenchmark {

    private static final int ROUNDS = 3;
    /** A load takes half a second. */
    private static final int LOAD_ROUNDS = 12;

    private static final int CALL_ROUNDS = 5;
    private static final double CALL_WARM_UP = 8;
    private static final int RUN_SECONDS = 10;
    private static final int SERVICE_SECONDS = 30;
    private static final double SERVICE_RATE = 150;
    private static final int SERVICE_CONNECTIONS = 8;
    private static final int SERVICE_KINDS = 2;
    private static final String CALLS = "UserById|BikesInUse";

    /** What can be measured, in this order. */
    private enum Subject {
        LOAD,
        TPCB,
        YCSB,
        MOVR,
        CALLS,
        SERVICE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isOn(Engine engine) {
            return switch (this) {
                case TPCB, CALLS, SERVICE -> engine == Engine.POSTGRESQL;
                case LOAD, YCSB -> true;
                case MOVR -> engine == Engine.COCKROACHDB;
            };
        }

        static List<Subject> named(List<String> words) {
            return words.stream()
                    .map(word -> Arrays.stream(values())
                            .filter(subject -> subject.word().equals(word.strip()))
                            .findFirst()
                            .orElseThrow(() -> new UserError("--peers has no '" + word + "': choose from "
                                    + Arrays.stream(values()).map(Subject::word).collect(Collectors.joining(", ")))))
                    .toList();
        }
    }

    private final CommandSpec command;
    private final DatabaseOptions database;
    private final List<Subject> wanted;
    private final Scale scale;
    private final @Nullable Integer rounds;
    private final double warmUp;
    private final Path out;
    private final Terminal terminal;
    private final List<Figure> figures = new ArrayList<>();
    private boolean complete = true;

    /**
     * Checks what is asked for.
     *
     * @param subjects to measure, none for all that the engine has
     * @param rounds of each, {@code null} for as many as narrow intervals take
     * @param warmUp seconds of each JVM that makes repository calls, {@code null} for as many as compile them
     */
    PeersBenchmark(
            CommandSpec command,
            DatabaseOptions database,
            List<String> subjects,
            String scale,
            @Nullable Integer rounds,
            @Nullable Double warmUp,
            Path out) {
        this.command = command;
        this.database = database;
        this.wanted = Subject.named(subjects);
        this.scale = Scale.named(scale);
        this.rounds = rounds;
        this.warmUp = warmUp == null ? CALL_WARM_UP : warmUp;
        this.out = out;
        this.terminal = new Terminal(command.commandLine().getErr());
    }

    int run() throws InterruptedException {
        RunBundle.check(out);
        Instant started = Instant.now();
        PrintWriter output = command.commandLine().getOut();
        CpuSteal stolen = new CpuSteal();
        terminal.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            List<Subject> subjects = wanted.isEmpty()
                    ? Arrays.stream(Subject.values())
                            .filter(subject -> subject.isOn(cluster.engine()))
                            .toList()
                    : wanted;
            for (Subject subject : subjects) {
                if (!subject.isOn(cluster.engine())) {
                    throw new UserError("--peers " + subject.word() + " is not measured on "
                            + cluster.engine().title() + ": leave it out");
                }
            }
            RunBundle bundle = RunBundle.create(out, started, cluster.engine().folder(), "peers");
            for (Subject subject : subjects) {
                measure(subject, cluster, bundle);
            }
            terminal.clear();
            PeerResults results = new PeerResults(
                    PeerResults.SCHEMA_VERSION,
                    "peers",
                    started.truncatedTo(ChronoUnit.SECONDS).toString(),
                    Movr.words(command),
                    complete,
                    EnvironmentProbe.of(cluster, cluster.gateway(), Build.program())
                            .with(stolen),
                    figures);
            bundle.write(results);
            output.print(results.text());
            output.println();
            output.println("Results: " + bundle.folder().resolve("results.json"));
            output.flush();
            terminal.warnOfSteal(results.environment().stolenShare());
        }
        return complete ? 0 : 1;
    }

    private void measure(Subject subject, Cluster cluster, RunBundle bundle) throws InterruptedException {
        DatasetSpec rows = scale.spec(BenchmarkDatabases.SEED);
        int before = figures.size();
        switch (subject) {
            case LOAD -> figures.addAll(load(cluster, rows));
            case TPCB -> figures.addAll(runner(cluster, RunnerBenchmark.Kind.TPCB));
            case YCSB -> figures.addAll(runner(cluster, RunnerBenchmark.Kind.YCSB));
            case MOVR -> figures.addAll(runner(cluster, RunnerBenchmark.Kind.MOVR));
            case CALLS -> figures.addAll(calls(cluster, bundle));
            case SERVICE -> figures.addAll(service(cluster, rows));
        }
        for (Figure figure : figures.subList(before, figures.size())) {
            terminal.line(figure.subject() + ", " + figure.work() + ": "
                    + (figure.ratio() == null ? "measured" : figure.ratio().text(2) + " × " + figure.peer()));
        }
    }

    private int rounds(int usual) {
        return rounds == null ? usual : rounds;
    }

    private List<Figure> load(Cluster cluster, DatasetSpec rows) {
        int usual = cluster.engine().hasLargeTransactions() ? LOAD_ROUNDS : ROUNDS;
        LoadBenchmark.Result result = new LoadBenchmark(
                        cluster, rows, LoadCommand.defaultConnections(), database::cockroach)
                .run(rounds(usual), what -> terminal.progress("load: " + what));
        return result.measured().stream()
                .map(one -> new Figure(
                        "load",
                        String.format(Locale.ROOT, "%,d rows", result.rows()),
                        one.name(),
                        "rows/s",
                        result.rows() / one.loaderSeconds().median(),
                        result.rows() / one.otherSeconds().median(),
                        one.ratio()))
                .toList();
    }

    private List<Figure> runner(Cluster cluster, RunnerBenchmark.Kind kind) throws InterruptedException {
        RunnerBenchmark benchmark = new RunnerBenchmark(
                cluster,
                new RunnerBenchmark.Plan(kind, rounds(ROUNDS), RUN_SECONDS, null, null, null),
                database::cockroach,
                gateway -> BenchmarkOptions.load(cluster, gateway),
                terminal::progress);
        RunnerBenchmark.Result result = benchmark.run();
        return result.measured().stream()
                .map(one -> new Figure(
                        kind.name().toLowerCase(Locale.ROOT),
                        one.title() + ", " + one.clients() + (one.clients() == 1 ? " connection" : " connections"),
                        result.rival(),
                        "operations/s",
                        RunnerBenchmark.perSecond(one.runner()),
                        RunnerBenchmark.perSecond(one.rival()),
                        one.ratio()))
                .toList();
    }

    private List<Figure> calls(Cluster cluster, RunBundle bundle) {
        BenchmarkRequest request = new BenchmarkRequest(
                Preset.named("quick"),
                CALLS,
                List.of(Stage.FOREIGN_KEYS),
                scale.id(),
                Mode.SampleTime,
                "uniform",
                1,
                rounds(CALL_ROUNDS),
                warmUp,
                LoadCommand.defaultConnections(),
                bundle.folder(),
                Build.program(),
                Movr.words(command));
        LoadProgress progress = new LoadProgress();
        BenchmarkRun.Outcome outcome = new BenchmarkRun(request, new Calls()).run(cluster, progress);
        BenchmarkRun.Variation methods = outcome.variations().get(0);
        ComparisonResults compared =
                BenchCommand.compared(outcome.bundle().folder(), methods, Movr.words(command), terminal);
        List<Figure> found = new ArrayList<>();
        List<String> variants = compared.variants().stream()
                .map(ComparisonResults.Variant::name)
                .toList();
        for (ComparisonResults.Row row : compared.rows()) {
            ComparisonResults.Cell plain = Objects.requireNonNull(row.cells().get(variants.indexOf("plainJdbc")));
            ComparisonResults.Cell ours = Objects.requireNonNull(row.cells().get(variants.indexOf("repository")));
            found.add(new Figure(
                    "repository call",
                    row.benchmark(),
                    "plain JDBC",
                    row.unit(),
                    ours.median().estimate(),
                    plain.median().estimate(),
                    ours.improvement()));
        }
        return found;
    }

    private List<Figure> service(Cluster cluster, DatasetSpec rows) {
        int seconds = SERVICE_SECONDS * rounds(ROUNDS) / ROUNDS;
        ServiceBenchmark.Plan plan = new ServiceBenchmark.Plan(SERVICE_RATE, seconds, seconds, SERVICE_CONNECTIONS);
        ServiceBenchmark.Result result =
                new ServiceBenchmark(cluster, rows, plan, what -> terminal.progress("service: " + what)).run();
        if (result.medians().size() < SERVICE_KINDS) {
            complete = false;
            terminal.line("service: not every kind of request was compared" + System.lineSeparator() + result.text());
        }
        return result.medians().stream()
                .map(one -> new Figure(
                        "service",
                        String.format(Locale.ROOT, "%s, p50 at %.0f/s", one.kind(), plan.perSecond()),
                        "pgbench, same statements",
                        "ms",
                        one.httpMs(),
                        one.pgbenchMs(),
                        null))
                .toList();
    }

    /** Shows the benchmarks of calls. */
    private final class Calls implements BenchmarkListener {

        @Override
        public void preparing(String what) {
            terminal.progress("repository calls: " + what);
        }

        @Override
        public void planned(int jobs, int planned, double seconds) {
            terminal.line("repository calls: about " + Terminal.duration(seconds));
        }

        @Override
        public void measuring(int number, int of, String job) {
            terminal.progress("repository calls: " + number + "/" + of + " " + job);
        }

        @Override
        public void roundDone(int round, int of) {}

        @Override
        public void failed(String job, String why) {
            throw new UserError("The benchmark " + job + " failed: " + why);
        }
    }
}
