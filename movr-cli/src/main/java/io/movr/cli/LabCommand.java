package io.movr.cli;

import io.movr.UserError;
import io.movr.calibration.CalibrationComparison;
import io.movr.database.DatabaseSource;
import io.movr.dataset.BulkLoader;
import io.movr.lab.ExperimentFolders;
import io.movr.lab.Lab;
import io.movr.lab.LabOutcome;
import io.movr.lab.LabRequest;
import io.movr.report.LabResults;
import io.movr.report.render.TextRenderer;
import io.movr.traffic.PublishedExperiments;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr lab}. */
@Command(
        name = "lab",
        description = "Measure the published experiments, and compare each ratio with the published one.",
        footer = {
            "",
            "Without options: an embedded PostgreSQL, 100,000 rides, all experiments but multi-region-*, about three"
                    + " minutes. The geo-* experiments run on servers in three regions; a single database named with --url"
                    + " has none, and they are left out. 'movr experiment list' prints the experiments.",
            "",
            "Exit code 0 if every experiment was measured with the right answers by the right plans, whatever its verdict.",
            "",
            "Examples:",
            "  movr lab --only name-index,join-index --samples 100",
            "  movr lab --scale tutorial --with-traffic",
            "  movr lab --url \"jdbc:postgresql://localhost:5432/postgres?user=me\""
        })
final class LabCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = "%nTraffic of multi-region-*, as in 'movr traffic':%n")
    private @Nullable TrafficOptions traffic;

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private DistantRegionOptions regions = new DistantRegionOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Measuring extends SamplingOptions {

        @Option(names = "--with-traffic", description = "Also measure multi-region-qps and multi-region-p99.")
        private boolean withTraffic;

        @Option(
                names = "--calibration",
                paramLabel = "FOLDER",
                description = "Also print each median in units of a machine: a bundle of 'movr calibrate'.")
        private @Nullable Path calibration;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatabaseSource source = database.source();
        LabRequest request = new LabRequest(
                PublishedExperiments.ids(measuring.only(), measuring.withTraffic, source),
                rows.name(),
                rows.spec(),
                BulkLoader.defaultConnections(),
                measuring.samples(),
                out.folder(),
                measuring.isForced(),
                true,
                unit(),
                Build.program(),
                Movr.words(command),
                ExperimentFolders.none());
        requireUsed(request);
        LabOutcome outcome = new PublishedExperiments(
                        new PublishedExperiments.Request(
                                request, source, regions, (traffic == null ? new TrafficOptions() : traffic).plan()),
                        terminal,
                        (load, totalRows) -> new LabDisplay(terminal, load, totalRows),
                        new RegionsDisplay(terminal))
                .run();
        LabResults results = outcome.results();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println();
        output.print(TextRenderer.of(results.report()));
        output.println();
        output.println("Report: " + outcome.bundle().report());
        if (measuring.only() == null && request.ofTraffic().isEmpty() && source.hasRegions()) {
            output.println("Not measured: " + String.join(", ", Lab.ofTraffic())
                    + ". They take about twelve minutes more: " + Movr.program() + " lab --with-traffic");
        }
        output.flush();
        return results.complete() ? 0 : 1;
    }

    /** Refuses options of experiments that are not measured. */
    private void requireUsed(LabRequest request) {
        if (traffic != null && request.ofTraffic().isEmpty()) {
            throw new UserError("--rate, --seconds, --runs and --after-database apply only to the experiments"
                    + " multi-region-*: add --with-traffic, or leave the options out");
        }
        if (request.ofStatements().isEmpty() && (request.samples() != null || request.unit() != null)) {
            throw new UserError(
                    "--samples and --calibration do not apply to the experiments multi-region-*: name another"
                            + " experiment with --only, or leave the options out");
        }
    }

    private LabResults.@Nullable Unit unit() {
        Path folder = measuring.calibration;
        if (folder == null) {
            return null;
        }
        if (!CalibrationComparison.isCalibration(folder)) {
            throw new UserError(
                    "--calibration " + folder + " is not a run bundle of movr calibrate: name such a folder");
        }
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return LabResults.Unit.ofRead(String.valueOf(name), CalibrationComparison.unitMs(folder));
    }
}
