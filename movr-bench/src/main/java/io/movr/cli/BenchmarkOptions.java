package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.workload.RunnerBenchmark;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How this runner is held against pgbench. */
final class BenchmarkOptions {

    @Option(
            names = "--benchmark",
            description = "Measure this runner against pgbench: the same statements and connections on the same server,"
                    + " taking turns.")
    private boolean benchmark;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds of --benchmark, two runs of each in a round (default: 3).")
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
            defaultValue = "4",
            description = "Connections of each side of --benchmark (default: 4).")
    private int clients = 4;

    boolean wanted() {
        return benchmark;
    }

    int run(CommandSpec command, DatabaseOptions database, RunnerBenchmark.Kind kind) throws InterruptedException {
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        RunnerBenchmark.Plan plan = new RunnerBenchmark.Plan(kind, rounds, seconds, clients);
        terminal.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            RunnerBenchmark.Result result = new RunnerBenchmark(cluster, plan, terminal::progress).run();
            terminal.clear();
            output.print(result.text());
            output.flush();
        }
        return 0;
    }
}
