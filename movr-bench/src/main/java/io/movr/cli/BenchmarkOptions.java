package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.report.CpuSteal;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.workload.RunnerBenchmark;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** How this runner is compared with the programs that others use. */
final class BenchmarkOptions {

    @Option(
            names = "--benchmark",
            description =
                    "Compare this runner with pgbench, or on CockroachDB with 'cockroach workload': the same work on "
                            + "the same server, by turns.")
    private boolean benchmark;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds of --benchmark; each round runs both sides twice (default: 3).")
    private int rounds = 3;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Length of each run of --benchmark (default: 10).")
    private int seconds = 10;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Connections of each side of --benchmark (default: 4, on CockroachDB 1 and then 8).")
    private @Nullable Integer clients;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Threads of pgbench beside --benchmark, at most one for each connection (default: one per "
                    + "core). This runner has one for each connection.")
    private @Nullable Integer jobs;

    static void load(Cluster cluster, Gateway gateway) {
        new BulkLoader(cluster.engine(), gateway, new LoadProgress()).load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        new Schema(cluster.engine(), gateway).migrateTo(Stage.UNUSED_INDEX_DROPPED);
    }

    boolean wanted(CommandSpec command) {
        if (!benchmark) {
            refuse(command, List.of("--rounds", "--seconds", "--clients", "--jobs"));
        }
        return benchmark;
    }

    /** Refuses options that say something of {@code --benchmark} only, to be called where that was not named. */
    static void refuse(CommandSpec command, List<String> options) {
        ParseResult parsed = command.commandLine().getParseResult();
        for (String option : options) {
            if (parsed.hasMatchedOption(option)) {
                throw new UserError(option + " is about --benchmark: add it, or leave " + option + " out");
            }
        }
    }

    int run(CommandSpec command, DatabaseOptions database, RunnerBenchmark.Kind kind) throws InterruptedException {
        return run(command, database, kind, null);
    }

    int run(CommandSpec command, DatabaseOptions database, RunnerBenchmark.Kind kind, @Nullable String letter)
            throws InterruptedException {
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        RunnerBenchmark.Plan plan = new RunnerBenchmark.Plan(kind, rounds, seconds, clients, jobs, letter);
        CpuSteal stolen = new CpuSteal();
        terminal.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            RunnerBenchmark compared = new RunnerBenchmark(
                    cluster, plan, database::cockroach, gateway -> load(cluster, gateway), terminal::progress);
            terminal.line("The runs take "
                    + Terminal.duration(compared.duration().toMillis() / 1e3) + "; making the tables comes on top");
            RunnerBenchmark.Result result = compared.run();
            terminal.clear();
            terminal.warnOfSteal(stolen.share());
            output.print(result.text());
            output.flush();
        }
        return 0;
    }
}
