package io.movr.cli;

import io.movr.PrintableText;
import io.movr.UserError;
import io.movr.calibration.Calibration;
import io.movr.calibration.CalibrationComparison;
import io.movr.report.CalibrationComparisonReport;
import io.movr.report.CalibrationComparisonResults;
import io.movr.report.CalibrationResults;
import io.movr.report.RunBundle;
import io.movr.report.render.CsvRenderer;
import io.movr.report.render.MarkdownRenderer;
import io.movr.report.render.TextRenderer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr calibrate}. */
@Command(
        name = "calibrate",
        description =
                "Measure this machine's network, CPU and storage and its database, and compare them with published"
                        + " figures.",
        subcommands = CalibrateCommand.Compare.class,
        footer = {
            "",
            "Runs YCSB B with one worker on 10,000 rows; measures a round trip, a read of a row and an fsync separately; then"
                    + " doubles the workers until throughput stops rising. It takes about three minutes.",
            "",
            "Examples:",
            "  movr calibrate",
            "  movr calibrate --seconds 15",
            "  movr calibrate --url \"postgresql://root@localhost:26257/defaultdb?sslmode=disable\""
        })
final class CalibrateCommand implements Callable<Integer> {

    private static final long ROWS = 10_000;

    /** The time with one worker divided by the time of a step with several workers. */
    private static final int STEPS = 12;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Measuring {

        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "Seconds of YCSB B with one worker; each number of workers takes a twelfth of that"
                        + " (default: 60).")
        private int seconds = 60;

        @Option(
                names = "--fsync-dir",
                paramLabel = "FOLDER",
                description =
                        "A folder on the database's disk, for measuring fsync (default: the folder of the embedded"
                                + " server).")
        private @Nullable Path fsyncFolder;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        Calibration.Request request = new Calibration.Request(
                measuring.seconds,
                Math.max(1, (measuring.seconds + STEPS - 1) / STEPS),
                ROWS,
                measuring.fsyncFolder,
                Build.program(),
                Movr.words(command));
        Calibration.Outcome outcome = Calibration.of(database.source(), request, out.folder(), terminal);
        CalibrationResults results = outcome.results();
        output.print(TextRenderer.of(results.report()));
        output.println();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println("Report: " + outcome.bundle().report());
        output.flush();
        return results.complete() ? 0 : 1;
    }

    /** {@code movr calibrate compare}. */
    @Command(
            name = "compare",
            description = "Compare calibrations of several systems with each other and with the published machine.",
            footer = {
                "",
                "If the first bundle is of movr calibrate and the others are of movr lab, the medians of the experiments are"
                        + " printed in units of that machine.",
                "",
                "Examples:",
                "  movr calibrate compare results/laptop results/cloud",
                "  movr calibrate compare results/*-calibration --out systems",
                "  movr calibrate compare results/A-calibration results/B-lab"
            })
    static final class Compare implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        @Parameters(paramLabel = "BUNDLE", arity = "1..*", description = "Run bundles of movr calibrate.")
        private List<Path> bundles = List.of();

        @ArgGroup(validate = false, heading = Headings.OUTPUT)
        private ComparisonOutput out = new ComparisonOutput();

        @Override
        public Integer call() {
            CommandSpec command = Objects.requireNonNull(spec);
            PrintWriter output = command.commandLine().getOut();
            Terminal terminal = new Terminal(command.commandLine().getErr());
            Format format = out.format();
            List<Path> others = bundles.subList(1, bundles.size());
            if (CalibrationComparison.isCalibration(bundles.get(0))
                    && !others.isEmpty()
                    && others.stream().allMatch(CalibrationComparison::isLaboratory)) {
                if (format != Format.TABLE || out.folder() != null) {
                    throw new UserError(
                            "With bundles of movr lab, the output is a table: leave out --format and --out");
                }
                out.print(
                        PrintableText.of(CalibrationComparison.inCalibrationUnits(bundles.get(0), others)),
                        List.of(),
                        output,
                        terminal);
                return 0;
            }
            if (!bundles.stream().allMatch(CalibrationComparison::isCalibration)) {
                throw new UserError(
                        "The first bundle must be of movr calibrate, and the others either all of movr calibrate or all of"
                                + " movr lab");
            }
            RunBundle folder = out.bundle();
            CalibrationComparisonResults compared = CalibrationComparison.of(bundles, Movr.words(command));
            if (folder != null) {
                folder.write(compared);
            }
            out.print(PrintableText.of(text(compared, format)), compared.warnings(), output, terminal);
            return 0;
        }

        private static String text(CalibrationComparisonResults results, Format format) {
            return switch (format) {
                case TABLE -> TextRenderer.of(CalibrationComparisonReport.of(results));
                case MARKDOWN -> MarkdownRenderer.of(CalibrationComparisonReport.of(results));
                case CSV -> CsvRenderer.of(CalibrationComparisonReport.data(results));
                case JSON -> RunBundle.json(results) + System.lineSeparator();
            };
        }
    }
}
