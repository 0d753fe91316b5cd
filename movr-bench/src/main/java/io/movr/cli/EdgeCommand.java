package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.report.EdgeResults;
import io.movr.report.RunBundle;
import io.movr.report.render.TextRenderer;
import io.movr.study.EdgePlan;
import io.movr.study.EdgeStudy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr edge}. */
@Command(
        name = "edge",
        description = "Measure what a cache near the client gains, and how stale its answers are.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options: an embedded PostgreSQL behind a link of 80 ms, a point of presence 8 ms "
                    + "away, about seven minutes.",
            "",
            "Exit code 0 when every answer was right and every write is there, whatever the verdicts.",
            "",
            "Examples:",
            "  movr edge",
            "  movr edge --rtt 150 --pop-rtt 20",
            "  movr edge --seconds 2 --concurrency 10 --rows 1000 --scale 1",
            "  movr edge --url \"jdbc:postgresql://localhost:5432/postgres?user=me\""
        })
final class EdgeCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--rtt",
            paramLabel = "MS",
            defaultValue = "80",
            description = "Round trip that movr adds between client and database (default: 80).")
    private int distance = 80;

    @Option(
            names = "--pop-rtt",
            paramLabel = "MS",
            defaultValue = "8",
            description = "Round trip between client and point of presence, which is part of --rtt (default: 8).")
    private int toPresence = 8;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "8",
            description = "Length of a run under load, after a ramp of a third of that (default: 8).")
    private int seconds = 8;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "Rounds; each measures every way twice, in forward and in reverse order (default: 2; 1 is too few to judge).")
    private int rounds = 2;

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "30",
            description = "Samples of each single statement in each measurement (default: 30).")
    private int samples = 30;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "100",
            description = "Clients of the YCSB workload (default: 100).")
    private int concurrency = 100;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Rows of the YCSB table (default: 10000).")
    private long rows = 10_000;

    @Option(names = "--scale", paramLabel = "N", defaultValue = "8", description = "Scale of TPC-B (default: 8).")
    private int scale = 8;

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long the cache keeps an answer, in seconds (default: 60).")
    private int timeToLive = 60;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        EdgePlan plan = new EdgePlan(
                Duration.ofMillis(distance),
                Duration.ofMillis(toPresence),
                Duration.ofSeconds(seconds),
                rounds,
                samples,
                concurrency,
                rows,
                scale,
                Duration.ofSeconds(timeToLive));
        RunBundle.check(out);
        terminal.progress("Starting the database…");
        EdgeResults results;
        RunBundle bundle;
        try (Cluster cluster = database.temporary()) {
            Instant started = Instant.now();
            results = new EdgeStudy(plan, terminal::progress, terminal::line)
                    .run(cluster, Build.program(), Movr.words(command));
            bundle = RunBundle.create(out, started, cluster.engine().folder(), "edge");
            bundle.write(results);
        } finally {
            terminal.clear();
        }
        output.println();
        output.print(TextRenderer.of(results.report()));
        output.println();
        results.conclusions().forEach(output::println);
        output.println();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println("Report: " + bundle.report());
        output.flush();
        return results.complete() ? 0 : 1;
    }
}
