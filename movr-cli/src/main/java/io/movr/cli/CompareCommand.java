package io.movr.cli;

import io.movr.PrintableText;
import io.movr.SlowdownBound.IfUnsure;
import io.movr.SlowdownBound.Outcome;
import io.movr.compare.ComparisonRequest;
import io.movr.compare.History;
import io.movr.compare.ResultComparison;
import io.movr.report.ComparisonData;
import io.movr.report.ComparisonGate;
import io.movr.report.ComparisonReport;
import io.movr.report.ComparisonResults;
import io.movr.report.HistoryReport;
import io.movr.report.HistoryResults;
import io.movr.report.RunBundle;
import io.movr.report.render.CsvRenderer;
import io.movr.report.render.MarkdownRenderer;
import io.movr.report.render.TextRenderer;
import io.movr.schema.Stage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr compare}. */
@Command(
        name = "compare",
        description = "Compare results and report which differences are statistically significant.",
        subcommands = CompareCommand.HistoryCommand.class,
        footer = {
            "",
            "A result is a run bundle of movr bench, lab or experiment, a file that JMH wrote with -rf json, or the output of"
                    + " pgbench, sysbench, cockroach workload, dbworkload, go test -bench or criterion. A folder, or files"
                    + " with commas between them, are several runs of one side.",
            "",
            "Exit code 1 if --fail-on fails: the whole 95%% interval of a row's slowdown lies beyond the bound, and the row is"
                    + " worse. What the columns mean: docs/compare.md",
            "",
            "Examples:",
            "  movr compare main.json branch.json --fail-on 'slower>5%%' --format markdown",
            "  movr compare results/20261121-120000-postgresql-bench --by stage --baseline baseline",
            "  movr compare pgbench-1.txt,pgbench-2.txt,pgbench-3.txt tuned-1.txt,tuned-2.txt,tuned-3.txt"
        })
final class CompareCommand implements Callable<Integer> {

    /** The name of the system property that is true where standard output is a terminal with colours. */
    static final String COLOURS = "movr.colours";

    /** The order of a parameter's values, where it has one. */
    static final Map<String, List<String>> ORDERS =
            Map.of("stage", Arrays.stream(Stage.values()).map(Stage::id).toList());

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description =
                    "Run bundles, or result files of JMH and other programs; the first is the baseline. A single one"
                            + " requires --by.")
    private List<Path> results = List.of();

    @ArgGroup(validate = false, heading = "%nComparison:%n")
    private Compared compared = new Compared();

    @ArgGroup(validate = false, heading = "%nGate:%n")
    private GateOptions gate = new GateOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private ComparisonOutput out = new ComparisonOutput();

    private static final class Compared extends FilterOption {

        @Option(
                names = "--by",
                paramLabel = "PARAMETER",
                description =
                        "Compare within one result: the values of this parameter of JMH, such as stage, or the methods"
                                + " of each class with 'method'.")
        private @Nullable String by;

        @Option(
                names = "--baseline",
                paramLabel = "NAME",
                description =
                        "The value that the others are compared with (default: the first; with --by stage, the bundle's"
                                + " baseline).")
        private @Nullable String baseline;
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (results.isEmpty()) {
            // Picocli would require it of a subcommand too.
            throw new ParameterException(command.commandLine(), "Missing required parameter: 'RESULT'");
        }
        Format format = out.format();
        IfUnsure unsure = gate.ifUnsure();
        gate.requireBound();
        Double allowed = gate.allowedPercent();
        ComparisonRequest request = new ComparisonRequest(
                results, compared.by, compared.baseline, compared.filter(), allowed, ORDERS, Movr.words(command));
        RunBundle folder = out.bundle();
        ComparisonResults found = compared(request, terminal);
        if (folder != null) {
            folder.write(found);
        }
        out.print(text(found, format), found.warnings(), command.commandLine().getOut(), terminal);
        return allowed == null || !fails(found, unsure, terminal) ? 0 : 1;
    }

    private static String text(ComparisonResults results, Format format) {
        return switch (format) {
            case TABLE -> TextRenderer.of(ComparisonReport.of(results), Boolean.getBoolean(COLOURS));
            case MARKDOWN -> PrintableText.of(MarkdownRenderer.of(ComparisonReport.withGate(results)));
            case CSV -> PrintableText.of(CsvRenderer.of(ComparisonData.of(results)));
            case JSON -> PrintableText.of(RunBundle.json(results) + System.lineSeparator());
        };
    }

    /** Returns whether a bound fails, and prints the rows that did not pass. */
    private static boolean fails(ComparisonResults compared, IfUnsure ifUnsure, Terminal terminal) {
        boolean fails = false;
        for (ComparisonGate.Judged one : ComparisonGate.judge(compared)) {
            fails |= ifUnsure.counted(one.outcome()) == Outcome.FAILED;
            if (one.outcome() != Outcome.PASSED) {
                terminal.line("movr: " + one.message());
            }
        }
        terminal.line("movr: " + ComparisonGate.summary(compared));
        return fails;
    }

    /** Compares results, and shows the progress. */
    static ComparisonResults compared(ComparisonRequest request, Terminal terminal) {
        try {
            return ResultComparison.of(
                    request, part -> terminal.progress(String.format(Locale.ROOT, "Comparing %3.0f%%", 100 * part)));
        } finally {
            terminal.clear();
        }
    }

    /** {@code movr compare history}. */
    @Command(
            name = "history",
            description = "Plot the measures of all run bundles in a folder, in the order of time.",
            footer = {
                "",
                "Bundles of lab, experiment, bench and run are read. history.html is written into the folder, or into --out.",
                "",
                "Examples:",
                "  movr compare history results",
                "  movr compare history results --filter name-index",
                "  movr compare history results --out page"
            })
    static final class HistoryCommand implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        @Parameters(paramLabel = "FOLDER", description = "The folder of the bundles.")
        private Path folder = Path.of("");

        @ArgGroup(validate = false, heading = "%nSelection:%n")
        private FilterOption shown = new FilterOption();

        @ArgGroup(validate = false, heading = Headings.OUTPUT)
        private PageOption page = new PageOption();

        @Override
        public Integer call() {
            CommandSpec command = Objects.requireNonNull(spec);
            HistoryResults found = History.of(folder, shown.filter());
            Path out = page.folder();
            RunBundle target = RunBundle.in(out == null ? folder : out);
            target.write(found);
            PrintWriter output = command.commandLine().getOut();
            output.print(TextRenderer.of(HistoryReport.of(found)));
            output.flush();
            new Terminal(command.commandLine().getErr())
                    .line("Report: " + target.folder().resolve("history.html"));
            return 0;
        }
    }
}
