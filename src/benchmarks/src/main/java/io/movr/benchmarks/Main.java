package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.dataset.DatasetSpec;
import io.movr.environment.Program;
import io.movr.lab.LabRequest;
import io.movr.lab.SelfComparison;
import io.movr.report.CpuSteal;
import io.movr.traffic.TrafficPlan.Objective;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program that measures movr itself; its results are printed as text. */
@Command(
        name = "src/benchmarks/run",
        description = "Compare movr with the programs that others use for the same work.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Both sides use the same server and alternate. Ratios compare speeds, above 1 if movr is faster, with "
                    + "Welch's 95%% interval over runs.",
            "",
            "Examples:",
            "  src/benchmarks/run all",
            "  src/benchmarks/run all --engine cockroach",
            "  src/benchmarks/run load --scale tutorial --rounds 2",
            "  src/benchmarks/run runner tpcb --rounds 5 --seconds 12 --jobs 4",
            "  src/benchmarks/run runner ycsb --workload A --clients 8 --engine cockroach",
            "  src/benchmarks/run service --rate 300",
            "  src/benchmarks/run soak --seconds 1800",
            "  src/benchmarks/run lab --runs 200 --scale tiny --samples 30 --only pk-lookup,name-index,returning-id"
        })
public final class Main {

    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    /** A load takes half a second on PostgreSQL. */
    private static final int LOAD_ROUNDS = 12;

    private static final int COCKROACH_LOAD_ROUNDS = 3;
    private static final int RUNNER_ROUNDS = 3;
    private static final int RUNNER_SECONDS = 10;
    private static final double SERVICE_RATE = 150;
    private static final int SERVICE_SECONDS = 30;
    private static final int SERVICE_CONNECTIONS = 8;
    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(3);
    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(10);
    private static final int SOAK_TO_WARM_UP = 10;

    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the program and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.setProperty("logback.configurationFile", "io/movr/logging.xml");
        // The driver throws these errors as well.
        DRIVER.setLevel(Level.OFF);
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setExecutionExceptionHandler((failed, command, parsed) -> {
            if (failed instanceof UserError) {
                command.getErr().println(failed.getMessage());
            } else {
                failed.printStackTrace(command.getErr());
            }
            return 1;
        });
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        return line;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "load, runner and service one after the other: 15 minutes on PostgreSQL, 37 on CockroachDB.")
    int all(@Mixin Server server, @Mixin RowCounts rows) throws InterruptedException {
        return measure(server, cluster -> {
            load(cluster, server, rows.spec(), null);
            boolean complete = true;
            switch (cluster.engine()) {
                case POSTGRESQL -> {
                    runner(cluster, server, RunnerBenchmark.Kind.TPCB);
                    runner(cluster, server, RunnerBenchmark.Kind.YCSB);
                    complete = service(cluster, rows.spec(), SERVICE_RATE, SERVICE_SECONDS, SERVICE_CONNECTIONS);
                }
                case COCKROACHDB -> {
                    runner(cluster, server, RunnerBenchmark.Kind.YCSB);
                    runner(cluster, server, RunnerBenchmark.Kind.MOVR);
                }
            }
            return complete;
        });
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "The bulk loader and bare COPYs of the same rows, on CockroachDB also 'cockroach workload "
                    + "init movr'.")
    int load(
            @Mixin Server server,
            @Mixin RowCounts rows,
            @Option(
                            names = "--rounds",
                            paramLabel = "N",
                            description =
                                    "Rounds of two loads of each kind (default: 12 on PostgreSQL, 3 on CockroachDB).")
                    @Nullable
                    Integer rounds)
            throws InterruptedException {
        atLeast("--rounds", rounds == null ? 1 : rounds, 1);
        return measure(server, cluster -> {
            load(cluster, server, rows.spec(), rounds);
            return true;
        });
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "The workload runner and pgbench, on CockroachDB 'cockroach workload'.")
    int runner(
            @Mixin Server server,
            @Parameters(
                            paramLabel = "WORKLOAD",
                            description = "tpcb or ycsb on PostgreSQL, ycsb or movr on CockroachDB.")
                    RunnerBenchmark.Kind kind,
            @Option(
                            names = "--rounds",
                            paramLabel = "N",
                            defaultValue = "3",
                            description = "Rounds; each runs both sides twice (default: 3).")
                    int rounds,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "Seconds of each run (default: 10).")
                    int seconds,
            @Option(
                            names = "--clients",
                            paramLabel = "N",
                            description = "Connections of each side (default: 4, on CockroachDB 1 and then 8).")
                    @Nullable
                    Integer clients,
            @Option(
                            names = "--jobs",
                            paramLabel = "N",
                            description =
                                    "Threads of pgbench, at most one for each connection (default: one per core).")
                    @Nullable
                    Integer jobs,
            @Option(
                            names = "--workload",
                            paramLabel = "LETTER",
                            description = "The YCSB workload on CockroachDB (default: A to F).")
                    @Nullable
                    String letter)
            throws InterruptedException {
        RunnerBenchmark.Plan plan = new RunnerBenchmark.Plan(kind, rounds, seconds, clients, jobs, letter);
        return measure(server, cluster -> {
            runner(cluster, server, plan);
            return true;
        });
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "The service over HTTP and pgbench with the same statements, at a fixed rate.")
    int service(
            @Mixin Server server,
            @Mixin RowCounts rows,
            @Option(
                            names = "--rate",
                            paramLabel = "N",
                            defaultValue = "150",
                            description = "Arrivals per second, of front pages and then of rides (default: 150).")
                    double rate,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "30",
                            description = "Seconds for each kind of request and each side (default: 30).")
                    int seconds,
            @Option(
                            names = "--connections",
                            paramLabel = "N",
                            defaultValue = "8",
                            description = "Connections of the service and of pgbench alike (default: 8).")
                    int connections)
            throws InterruptedException {
        checkRate(rate);
        atLeast("--seconds", seconds, 2);
        atLeast("--connections", connections, 1);
        return measure(server, cluster -> service(cluster, rows.spec(), rate, seconds, connections));
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "The service under a steady mix of reads and writes, at 70%% of the highest rate that keeps --slo.",
                "The exit code is 1 unless no request fails, p99 of the last five minutes (of the last sixth, if that is "
                        + "shorter) is within 20%% of the first, and the live heap and the resident set grow by at most "
                        + "10%% between the two."
            })
    int soak(
            @Mixin Server server,
            @Mixin RowCounts rows,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "1800",
                            description = "Seconds of the steady load, at least 30 (default: 1800).")
                    int seconds,
            @Option(
                            names = "--rate",
                            paramLabel = "N",
                            description = "Arrivals per second, instead of a search for the highest.")
                    @Nullable
                    Double rate,
            @Option(
                            names = "--slo",
                            paramLabel = "pN=MS",
                            defaultValue = "p99=50ms",
                            description = "The latency that the highest rate keeps (default: p99=50ms).")
                    String objective,
            @Option(
                            names = "--connections",
                            paramLabel = "N",
                            defaultValue = "8",
                            description = "Connections of the service (default: 8).")
                    int connections)
            throws InterruptedException {
        if (rate != null) {
            checkRate(rate);
        }
        atLeast("--seconds", seconds, 30);
        atLeast("--connections", connections, 1);
        Duration length = Duration.ofSeconds(seconds);
        SoakTest.Plan plan = new SoakTest.Plan(rate, Objective.named(objective), length, warmUp(length), connections);
        return measure(server, cluster -> {
            SoakReport report = new SoakReport(out(), this::step, plan);
            SoakVerdict verdict = new SoakTest(cluster, rows.spec(), plan, report).run();
            report.end(verdict);
            return verdict.held();
        });
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "The laboratory and itself: the 'before' side of each experiment is measured on both sides.",
                "Counts how often a difference is called, and how often a planted one of 5%%, 10%% and 20%% is found."
            })
    int lab(
            @Mixin Server server,
            @Mixin RowCounts rows,
            @Option(names = "--runs", paramLabel = "N", defaultValue = "40", description = "Runs (default: 40).")
                    int runs,
            @Option(
                            names = "--only",
                            paramLabel = "ID",
                            split = ",",
                            defaultValue = "pk-lookup,name-index,join-index,returning-id",
                            description = "Experiments (default: pk-lookup,name-index,join-index,returning-id).")
                    List<String> experiments,
            @Option(
                            names = "--samples",
                            paramLabel = "N",
                            description =
                                    "Samples of each side, at least 30 (default: as many as fit into some seconds).")
                    @Nullable
                    Integer samples,
            @Option(
                            names = "--raw",
                            paramLabel = "FILE",
                            description = "Also write every sample as CSV: run, experiment, block, side, milliseconds.")
                    @Nullable
                    Path raw)
            throws InterruptedException {
        return measure(server, cluster -> {
            LabRequest request = new LabRequest(
                    experiments,
                    rows.scale(),
                    rows.spec(),
                    loaderConnections(),
                    samples,
                    Path.of("results"),
                    false,
                    true,
                    null,
                    new Program("", ""),
                    List.of());
            out().print(new SelfComparison(cluster, request, runs, raw, this::step)
                    .run()
                    .text());
            return true;
        });
    }

    private interface Measurement {

        /** Returns whether the comparison is complete, or its bounds hold. */
        boolean on(Cluster cluster) throws InterruptedException;
    }

    private int measure(Server server, Measurement measurement) throws InterruptedException {
        step("Starting the database…");
        try (Cluster cluster = server.open()) {
            CpuSteal stolen = new CpuSteal();
            boolean succeeded = measurement.on(cluster);
            Double share = stolen.share();
            out().printf(
                            Locale.ROOT,
                            "%nOn %s, Java %s, %d processors, CPU steal %s%n",
                            Cluster.product(cluster.version()),
                            System.getProperty("java.version"),
                            Runtime.getRuntime().availableProcessors(),
                            share == null ? "unknown" : String.format(Locale.ROOT, "%.1f%%", 100 * share));
            out().flush();
            return succeeded ? 0 : 1;
        }
    }

    private void load(Cluster cluster, Server server, DatasetSpec rows, @Nullable Integer rounds) {
        int usual = switch (cluster.engine()) {
            case POSTGRESQL -> LOAD_ROUNDS;
            case COCKROACHDB -> COCKROACH_LOAD_ROUNDS;
        };
        print(new LoadBenchmark(cluster, rows, loaderConnections(), server::cockroach)
                .run(rounds == null ? usual : rounds, this::step)
                .text());
    }

    private void runner(Cluster cluster, Server server, RunnerBenchmark.Kind kind) throws InterruptedException {
        runner(cluster, server, new RunnerBenchmark.Plan(kind, RUNNER_ROUNDS, RUNNER_SECONDS, null, null, null));
    }

    private void runner(Cluster cluster, Server server, RunnerBenchmark.Plan plan) throws InterruptedException {
        RunnerBenchmark benchmark = new RunnerBenchmark(cluster, plan, server::cockroach, this::step);
        step("The runs take " + benchmark.duration().toSeconds() + " s; making the tables comes on top");
        print(benchmark.run().text());
    }

    private boolean service(Cluster cluster, DatasetSpec rows, double rate, int seconds, int connections) {
        ServiceBenchmark.Plan plan = new ServiceBenchmark.Plan(rate, seconds, seconds, connections);
        ServiceBenchmark.Result result = new ServiceBenchmark(cluster, rows, plan, this::step).run();
        print(result.text());
        return result.complete();
    }

    private static Duration warmUp(Duration length) {
        Duration part = length.dividedBy(SOAK_TO_WARM_UP);
        if (part.compareTo(SHORTEST_WARM_UP) < 0) {
            return SHORTEST_WARM_UP;
        }
        return part.compareTo(LONGEST_WARM_UP) > 0 ? LONGEST_WARM_UP : part;
    }

    /** The default number of connections of {@code movr load}. */
    private static int loaderConnections() {
        return Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));
    }

    private static void checkRate(double rate) {
        if (!(rate >= 1 && rate <= 100_000)) {
            throw new UserError("--rate " + rate + " is out of range: 1 to 100000");
        }
    }

    private static void atLeast(String option, int value, int least) {
        if (value < least) {
            throw new UserError(option + " " + value + " is out of range: at least " + least);
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private void print(String text) {
        out().println(text);
        out().flush();
    }

    private void step(String what) {
        PrintWriter errors = Objects.requireNonNull(spec).commandLine().getErr();
        errors.println(what);
        errors.flush();
    }
}
