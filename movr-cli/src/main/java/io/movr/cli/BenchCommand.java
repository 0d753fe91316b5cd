package io.movr.cli;

import io.movr.UserError;
import io.movr.bench.BenchmarkDatabases;
import io.movr.bench.BenchmarkRequest;
import io.movr.bench.BenchmarkRun;
import io.movr.bench.Preset;
import io.movr.compare.ComparisonRequest;
import io.movr.database.Cluster;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.LoadProgress;
import io.movr.report.ComparisonReport;
import io.movr.report.ComparisonResults;
import io.movr.report.RunBundle;
import io.movr.report.render.TextRenderer;
import io.movr.schema.Stage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr bench}. */
@Command(
        name = "bench",
        description = "Measure repository calls with JMH at the stages of the schema, and compare.",
        footer = {
            "",
            "Without a REGEX, --preset selects the calls: quick, the calls of the eight experiments before and after"
                    + " (under five minutes); full, every call at every stage (more than an hour). With a REGEX, every call"
                    + " whose name matches is measured at all stages, or at the stages of --stages.",
            "",
            "In each round every call is measured once at each stage, in a new JVM, in alternating order. One stage of every"
                    + " call is measured twice; the difference between the two is the noise floor.",
            "",
            "JMH's own command line: java -jar movr-bench/target/benchmarks.jar -h",
            "",
            "Examples:",
            "  movr bench --preset full",
            "  movr bench UserById --stages foreign-keys,name-index --keys zipfian",
            "  movr bench 'StartRide|EndRide' --stages foreign-keys --threads 4 --mode avgt"
        })
final class BenchCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "REGEX", description = "Calls to measure, such as 'UserById.repository'.")
    private @Nullable String regex;

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Measuring {

        @Option(
                names = "--preset",
                paramLabel = "NAME",
                description = "The calls and the duration: quick (default) or full.")
        private String preset = "quick";

        @Option(
                names = "--stages",
                paramLabel = "STAGE",
                split = ",",
                description = "Stages to measure at, separated by commas.")
        private List<String> stages = List.of();

        @Option(
                names = "--mode",
                paramLabel = "MODE",
                description = "sample, the time of each call (default), or avgt, the mean time of many calls.")
        private String mode = "sample";

        @Option(
                names = "--keys",
                paramLabel = "NAME",
                description = "Distribution of the keys: uniform (default) or zipfian.")
        private String keys = "uniform";

        @Option(
                names = "--threads",
                paramLabel = "N",
                description = "Threads that make calls in parallel (default: 1).")
        private int threads = 1;

        @Option(
                names = "--rounds",
                paramLabel = "N",
                description = "JVMs for each benchmark, one per round (default: quick 2, full 5).")
        private @Nullable Integer rounds;

        @Option(
                names = "--warm-up",
                paramLabel = "SECONDS",
                description = "Warm-up of each JVM before it measures (default: quick 2, full 3.2).")
        private @Nullable Double warmUp;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        List<String> words = Movr.words(command);
        BenchmarkRequest request = new BenchmarkRequest(
                Preset.named(measuring.preset),
                regex,
                measuring.stages.stream().map(Stage::named).toList(),
                rows.name(),
                mode(measuring.mode),
                measuring.keys,
                measuring.threads,
                measuring.rounds,
                measuring.warmUp,
                BulkLoader.defaultConnections(),
                out.folder(),
                Build.program(),
                words);
        LoadProgress progress = new LoadProgress();
        BenchDisplay display = new BenchDisplay(
                terminal, progress, rows.scale().spec(BenchmarkDatabases.SEED).totalRows());
        RunBundle.check(out.folder());
        BenchmarkRun.Outcome outcome;
        BenchmarkRun run = new BenchmarkRun(request, display);
        terminal.progress("Starting the database…");
        try (Cluster cluster = database.source().temporary();
                display) {
            outcome = run.run(cluster, progress);
        }
        Path folder = outcome.bundle().folder();
        for (BenchmarkRun.Variation variation : outcome.variations()) {
            ComparisonResults compared = compared(folder, variation, words, terminal);
            // The first comparison is written to the folder of the results, the others to subfolders.
            Path report =
                    variation.equals(outcome.variations().get(0)) ? folder : folder.resolve("by-" + variation.by());
            RunBundle.in(report).write(compared);
            output.println();
            output.print(TextRenderer.of(ComparisonReport.of(compared), Boolean.getBoolean(CompareCommand.COLOURS)));
            output.println();
            output.println("Report: " + report.resolve("comparison.html"));
        }
        terminal.warnOfSteal(outcome.results().environment().stolenShare());
        output.println("Results: " + folder);
        output.flush();
        return outcome.results().complete() ? 0 : 1;
    }

    static ComparisonResults compared(
            Path folder, BenchmarkRun.Variation variation, List<String> words, Terminal terminal) {
        ComparisonRequest request = new ComparisonRequest(
                List.of(folder),
                variation.by(),
                variation.baseline(),
                ComparisonRequest.filter(variation.filter()),
                null,
                CompareCommand.ORDERS,
                words);
        return CompareCommand.compared(request, terminal);
    }

    private static Mode mode(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "sample" -> Mode.SampleTime;
            case "avgt" -> Mode.AverageTime;
            default -> throw new UserError("There is no mode '" + text + "': choose sample or avgt");
        };
    }
}
