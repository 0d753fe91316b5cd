package io.movr.cli;

import io.movr.PrintableText;
import io.movr.SlowdownBound.IfUnsure;
import io.movr.SlowdownBound.Outcome;
import io.movr.UserError;
import io.movr.calibration.SideBySide;
import io.movr.compare.ComparisonRequest;
import io.movr.compare.History;
import io.movr.compare.ResultComparison;
import io.movr.report.CalibrationComparisonReport;
import io.movr.report.ComparisonGate;
import io.movr.report.ComparisonReport;
import io.movr.report.ComparisonResults;
import io.movr.report.HistoryReport;
import io.movr.report.HistoryResults;
import io.movr.report.LabGate;
import io.movr.report.RunBundle;
import io.movr.report.SideBySideResults;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr compare}. */
@Command(
        name = "compare",
        description = "Compare results, and say which differences are real.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A result is a run bundle of movr bench or movr lab, any file that JMH wrote with -rf json, or what "
                    + "pgbench, sysbench, cockroach workload, dbworkload, go test -bench or criterion wrote. A folder, "
                    + "or files with commas between them, are several runs of one side. Bundles of movr calibrate are compared with each other and with the published machine. If "
                    + "the first result is one of movr calibrate and the others are of movr lab, their figures are shown "
                    + "in units of that machine.",
            "",
            "Exit code 0, unless --fail-on fails: then 1. A row fails the bound if the whole 95%% interval of its slowdown lies "
                    + "beyond it and the row is worse, and passes if the whole interval lies within it. Otherwise, and if the row is "
                    + "missing from the other result, --if-unsure decides. Standard error says what was judged.",
            "",
            "What the columns mean: docs/compare.md",
            "",
            "Examples:",
            "  movr compare before.json after.json",
            "  movr compare results/*-bench --out comparison",
            "  movr compare results/20261121-120000-postgresql-bench --by stage --baseline baseline",
            "  movr compare jmh.json --by method --baseline plainJdbc --filter UserById",
            "  movr compare pgbench-1.txt,pgbench-2.txt,pgbench-3.txt tuned-1.txt,tuned-2.txt,tuned-3.txt",
            "  movr compare old.txt new.txt                   (of go test -bench . -count 10)",
            "  movr compare results/*-calibration --out systems",
            "  movr compare results/A-calibration results/B-lab",
            "  movr compare --history results --filter name-index",
            "  movr compare main.json branch.json --fail-on 5%% --format markdown"
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
                            + " needs --by.")
    private List<Path> results = List.of();

    @Option(
            names = "--by",
            paramLabel = "PARAMETER",
            description = "Compare within one result: the values of this parameter of JMH, such as stage, or the"
                    + " methods of each class with 'method'.")
    private @Nullable String by;

    @Option(
            names = "--baseline",
            paramLabel = "NAME",
            description = "What the others are compared with (default: the first; with --by stage, the bundle's own "
                    + "baseline).")
    private @Nullable String baseline;

    @Option(
            names = "--filter",
            paramLabel = "REGEX",
            description = "Compare only rows whose name contains this, such as 'UserById|avgt'.")
    private @Nullable String filter;

    @Option(
            names = "--fail-on",
            paramLabel = "PERCENT",
            description = "Exit code 1 when something is shown to be slower by more than this, such as 5%%.")
    private @Nullable String failOn;

    @Option(
            names = "--if-unsure",
            paramLabel = "pass|fail|skip",
            description =
                    "What a row means of which --fail-on cannot tell, because its interval is too wide or there is none: pass,"
                            + " fail, or skip (default), which does not fail.")
    private @Nullable String ifUnsure;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, markdown, csv or json on standard output (default: table).")
    private String format = Format.TABLE.id();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Also write comparison.html, .md, .csv and .json into this folder.")
    private @Nullable Path out;

    @Option(
            names = "--history",
            paramLabel = "FOLDER",
            description =
                    "Plot the measures of all run bundles of lab, bench and workloads in this folder, in the order of "
                            + "time, into history.html. Only --filter and --out go with it (default of --out: the folder "
                            + "itself).")
    private @Nullable Path history;

    /** A form of the output. */
    private enum Format {
        TABLE,
        MARKDOWN,
        CSV,
        JSON;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Format named(String text) {
            return Arrays.stream(values())
                    .filter(format -> format.id().equals(text.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            "There is no format '" + text + "': choose one of table, markdown, csv, json"));
        }

        String of(ComparisonResults results) {
            return switch (this) {
                case TABLE -> TextRenderer.of(ComparisonReport.of(results), Boolean.getBoolean(COLOURS));
                case MARKDOWN -> MarkdownRenderer.of(ComparisonReport.withGate(results));
                case CSV -> CsvRenderer.of(ComparisonReport.data(results));
                case JSON -> RunBundle.json(results) + System.lineSeparator();
            };
        }

        String of(SideBySideResults results) {
            return switch (this) {
                case TABLE -> TextRenderer.of(CalibrationComparisonReport.of(results));
                case MARKDOWN -> MarkdownRenderer.of(CalibrationComparisonReport.of(results));
                case CSV -> CsvRenderer.of(CalibrationComparisonReport.data(results));
                case JSON -> RunBundle.json(results) + System.lineSeparator();
            };
        }
    }

    @Override
    public Integer call() {
        Terminal terminal = new Terminal(command().commandLine().getErr());
        Format form = Format.named(format);
        IfUnsure unsure = ifUnsure == null ? IfUnsure.SKIP : IfUnsure.named(ifUnsure);
        if (ifUnsure != null && failOn == null) {
            throw new UserError("--if-unsure " + ifUnsure + " is about the bound of --fail-on: add --fail-on, such as"
                    + " --fail-on 5%, or leave it out");
        }
        if (history != null) {
            return showHistory(history, form, terminal);
        }
        if (results.isEmpty()) {
            throw new ParameterException(
                    command().commandLine(),
                    "Missing required parameter: 'RESULT', at least two, or one and --by, or --history FOLDER");
        }
        if (SideBySide.isCalibration(results.get(0))) {
            showCalibrations(form, terminal);
            return 0;
        }
        ComparisonRequest request = new ComparisonRequest(
                results,
                by,
                baseline,
                filter == null ? null : ComparisonRequest.filter(filter),
                failOn == null ? null : LabGate.bound(failOn),
                ORDERS,
                Movr.words(command()));
        RunBundle folder = out == null ? null : RunBundle.in(out);
        ComparisonResults compared = compared(request, terminal);
        if (folder != null) {
            folder.write(compared);
        }
        show(
                form,
                form == Format.TABLE ? form.of(compared) : PrintableText.of(form.of(compared)),
                compared.warnings(),
                terminal);
        return failOn == null || !fails(compared, unsure, terminal) ? 0 : 1;
    }

    /** Whether the bound fails; standard error says what was judged. */
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

    private int showHistory(Path folder, Format form, Terminal terminal) {
        if (!results.isEmpty() || by != null || baseline != null || failOn != null || form != Format.TABLE) {
            throw new UserError(
                    "--history reads all bundles of one folder, and judges none of them: leave RESULT, --by,"
                            + " --baseline, --fail-on and --format out");
        }
        HistoryResults found = History.of(folder, filter == null ? null : ComparisonRequest.filter(filter));
        RunBundle target = RunBundle.in(out == null ? folder : out);
        target.write(found);
        PrintWriter output = command().commandLine().getOut();
        output.print(TextRenderer.of(HistoryReport.of(found)));
        output.flush();
        terminal.line("Report: " + target.folder().resolve("history.html"));
        return 0;
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    private void show(Format form, String text, List<String> warnings, Terminal terminal) {
        PrintWriter output = command().commandLine().getOut();
        PrintableWriter.printRaw(output, text);
        output.flush();
        if (form == Format.CSV) {
            warnings.forEach(warning -> terminal.line("Warning: " + warning));
        }
        if (out != null) {
            terminal.line("Report: " + out.resolve("comparison.html"));
        }
    }

    private void showCalibrations(Format form, Terminal terminal) {
        if (by != null || baseline != null || filter != null || failOn != null) {
            throw new UserError(
                    "Calibrations are compared, not judged: leave --by, --baseline, --filter and" + " --fail-on out");
        }
        List<Path> others = results.subList(1, results.size());
        if (others.stream().allMatch(SideBySide::isCalibration)) {
            RunBundle folder = out == null ? null : RunBundle.in(out);
            SideBySideResults compared = SideBySide.of(results, Movr.words(command()));
            if (folder != null) {
                folder.write(compared);
            }
            show(form, PrintableText.of(form.of(compared)), compared.warnings(), terminal);
            return;
        }
        if (!others.stream().allMatch(SideBySide::isLaboratory)) {
            throw new UserError(
                    "A calibration is compared with other calibrations, or precedes bundles of movr lab, which are"
                            + " then shown in its units: name one kind of them");
        }
        if (form != Format.TABLE || out != null) {
            throw new UserError(
                    "Experiments in units of a calibration are shown as a table: leave --format and --out out");
        }
        show(form, PrintableText.of(SideBySide.inUnits(results.get(0), others)), List.of(), terminal);
    }

    /** Compares, and shows how far it is. */
    static ComparisonResults compared(ComparisonRequest request, Terminal terminal) {
        try {
            return ResultComparison.of(
                    request, part -> terminal.progress(String.format(Locale.ROOT, "Comparing %3.0f%%", 100 * part)));
        } finally {
            terminal.clear();
        }
    }
}
