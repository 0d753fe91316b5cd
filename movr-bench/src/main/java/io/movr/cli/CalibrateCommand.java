package io.movr.cli;

import io.movr.calibration.Calibration;
import io.movr.database.Cluster;
import io.movr.report.CalibrationResults;
import io.movr.report.RunBundle;
import io.movr.report.render.TextRenderer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr calibrate}. */
@Command(
        name = "calibrate",
        description = "Measure this machine's network, CPU and storage and its database, and compare them with the "
                + "published figures.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "YCSB B with one worker on 10,000 rows for 60 s; then a round trip, a read of a row and an "
                    + "fsync, each alone; then more and more workers up to the knee. It takes about three minutes.",
            "",
            "Examples:",
            "  movr calibrate",
            "  movr calibrate --quick",
            "  movr calibrate --no-sweep --url \"postgresql://root@localhost:26257/defaultdb?sslmode=disable\"",
            "  movr compare results/*-calibration        compare several systems"
        })
final class CalibrateCommand implements Callable<Integer> {

    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 15;
    private static final int STEP_SECONDS = 5;
    private static final int QUICK_STEP_SECONDS = 2;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Measure for 15 s instead of 60, with a shorter sweep.")
    private boolean quick;

    @Option(names = "--seconds", paramLabel = "N", description = "Seconds of YCSB B with one worker (default: 60).")
    private @Nullable Integer seconds;

    @Option(names = "--no-sweep", description = "Leave out the sweep over the number of workers.")
    private boolean noSweep;

    @Option(
            names = "--insert-count",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Rows of the table (default: 10000).")
    private long insertCount = 10_000;

    @Option(
            names = "--fsync-dir",
            paramLabel = "FOLDER",
            description =
                    "A folder on the database's disk, for measuring fsync (default: that of the embedded server's "
                            + "files).")
    private @Nullable Path fsyncFolder;

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
        int measured = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
        int stepSeconds = noSweep ? 0 : quick ? QUICK_STEP_SECONDS : STEP_SECONDS;
        Calibration.Request request = new Calibration.Request(
                measured, stepSeconds, insertCount, fsyncFolder, Build.program(), Movr.words(command));
        RunBundle.check(out);
        terminal.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            CalibrationResults results = new Calibration(cluster, request, terminal::progress).run();
            RunBundle bundle =
                    RunBundle.create(out, Instant.now(), cluster.engine().folder(), "calibration");
            bundle.write(results);
            terminal.clear();
            output.print(TextRenderer.of(results.report()));
            output.println();
            terminal.warnOfSteal(results.environment().stolenShare());
            output.println("Report: " + bundle.report());
            output.flush();
            return results.complete() ? 0 : 1;
        } finally {
            terminal.clear();
        }
    }
}
