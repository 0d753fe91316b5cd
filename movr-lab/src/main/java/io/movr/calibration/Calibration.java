package io.movr.calibration;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Program;
import io.movr.report.CalibrationResults;
import io.movr.report.CalibrationResults.Expectation;
import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.report.WorkloadResults;
import io.movr.workload.ConnectionSource;
import io.movr.workload.OperationResult;
import io.movr.workload.ResultRecords;
import io.movr.workload.RunListener;
import io.movr.workload.RunPlan;
import io.movr.workload.RunResult;
import io.movr.workload.Runner;
import io.movr.workload.Workload;
import io.movr.workload.Ycsb;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A calibration of a database: YCSB B with one worker as in the published calibration, each layer of an operation
 * separately, and an increasing number of workers up to the knee of the throughput. It uses a temporary database.
 */
public final class Calibration {

    /**
     * The settings of a calibration.
     *
     * @param seconds the duration of YCSB B with one worker, 1 to 86,400
     * @param stepSeconds the duration of each step of the sweep; 0 for no sweep
     * @param rows the number of rows of the table
     * @param fsyncFolder a folder on the disk of the database; {@code null} for the data folder of the embedded
     *     server
     */
    public record Request(
            int seconds,
            int stepSeconds,
            long rows,
            @Nullable Path fsyncFolder,
            Program program,
            List<String> command) {

        public Request {
            if (seconds < 1 || seconds > 86_400) {
                throw new UserError("--seconds " + seconds + " is out of range: 1 to 86400");
            }
        }
    }

    /** The results of a calibration, and the folder that they were written to. */
    public record Outcome(CalibrationResults results, RunBundle bundle) {}

    private static final int WARM_UP_SECONDS = 3;
    private static final int MAX_WORKERS = 128;
    private static final double KNEE_SHARE = 0.9;
    private static final double MIN_GAIN = 1.05;
    private static final int MAX_STEPS_WITHOUT_GAIN = 2;
    private static final double LOW_READ_MS = 1;
    private static final double LOW_UPDATE_MS = 2;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Cluster cluster;
    private final Request request;
    private final Consumer<String> step;
    private final PublishedBaselines published = new PublishedBaselines();

    Calibration(Cluster cluster, Request request, Consumer<String> step) {
        this.cluster = cluster;
        this.request = request;
        this.step = step;
    }

    /**
     * Measures in a temporary database, and writes the results.
     *
     * @param out the parent folder of the results
     * @throws UserError if an operation fails, or the folder cannot be used
     */
    public static Outcome of(DatabaseSource database, Request request, Path out, RunDisplay display)
            throws InterruptedException {
        RunBundle.check(out);
        display.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            CalibrationResults results = new Calibration(cluster, request, display::progress).run();
            RunBundle bundle =
                    RunBundle.create(out, Instant.now(), cluster.engine().folder(), "calibration");
            bundle.write(results);
            return new Outcome(results, bundle);
        } finally {
            display.clear();
        }
    }

    /**
     * Runs the calibration.
     *
     * @throws UserError if an operation fails
     */
    CalibrationResults run() throws InterruptedException {
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        try (Databases databases = new Databases(cluster)) {
            Gateway gateway = databases.create("calibration");
            Workload ycsb = new Ycsb(Ycsb.Settings.of("B", request.rows()));
            try (Connection connection = gateway.connect()) {
                ycsb.init(connection, step);
                ycsb.prepare(connection);
            }
            CpuSteal stolen = new CpuSteal();
            step.accept(String.format(Locale.ROOT, "YCSB B with one worker, %d s…", request.seconds()));
            RunResult one = measure(ycsb, gateway, 1, request.seconds());
            List<String> faults;
            List<Layer> layers;
            try (Connection connection = gateway.connect()) {
                faults = ycsb.check(connection);
                step.accept("Layers: network, processor, storage…");
                layers = layers(connection);
            }
            List<Step> sweep = request.stepSeconds() == 0 ? List.of() : sweep(ycsb, gateway);
            Environment environment =
                    EnvironmentProbe.of(cluster, gateway, request.program()).with(stolen);
            ResultRecords records = new ResultRecords();
            WorkloadResults run = records.results(one, request.command(), environment, Map.of(), faults);
            return new CalibrationResults(
                    CalibrationResults.SCHEMA_VERSION,
                    "calibration",
                    startedAt.toString(),
                    (System.nanoTime() - startNanos) / 1e9,
                    request.command(),
                    faults.isEmpty(),
                    environment,
                    Map.of("workload", "B", "insert-count", Long.toString(request.rows()), "concurrency", "1"),
                    one.seconds(),
                    run.operations(),
                    List.of(expectation(one, "read", LOW_READ_MS), expectation(one, "update", LOW_UPDATE_MS)),
                    layers,
                    sweep,
                    knee(sweep),
                    run.cost(),
                    faults,
                    List.of("The published machine is a 13-inch laptop of 2018 with one node of CockroachDB v19.2; the"
                            + " range for healthy infrastructure is a recommendation of CockroachDB."));
        } catch (SQLException failed) {
            throw new UserError("The calibration failed: " + UserError.firstLine(failed), failed);
        }
    }

    private RunResult measure(Workload workload, Gateway gateway, int workers, int seconds)
            throws InterruptedException {
        RunResult result = new Runner(
                        workload,
                        ConnectionSource.of(gateway, "movr-calibrate"),
                        RunPlan.of(workers, Duration.ofSeconds(seconds)).withRamp(Duration.ofSeconds(WARM_UP_SECONDS)),
                        RunListener.NONE)
                .run();
        if (!result.succeeded()) {
            throw new UserError("The calibration failed: " + result.firstFailure());
        }
        return result;
    }

    private Expectation expectation(RunResult result, String name, double lowMs) {
        OperationResult operation =
                result.operation(name).orElseThrow(() -> new UserError("No " + name + " was measured: measure longer"));
        double highMs = published.value("ycsb-expected-" + name);
        return new Expectation(
                name,
                result.perSecond(operation),
                operation.meanMs(),
                operation.quantileMs(0.99),
                lowMs,
                highMs,
                published.value("ycsb-b-" + name),
                published.value("ycsb-b-" + name + "-avg"),
                published.value("ycsb-b-" + name + "-p99"),
                judgement(operation.meanMs(), lowMs, highMs));
    }

    static String judgement(double meanMs, double lowMs, double highMs) {
        if (meanMs > highMs) {
            return "falls short";
        }
        return meanMs < lowMs ? "better than expected" : "as expected";
    }

    private List<Layer> layers(Connection connection) throws SQLException {
        double readLimit = published.value("ycsb-expected-read") / 2;
        double updateLimit = published.value("ycsb-expected-update") / 2;
        Histogram roundTrip = Probe.roundTrip(connection);
        Histogram row = Probe.readOneRow(connection);
        List<Layer> layers = new ArrayList<>();
        layers.add(layer(
                "network",
                "round trip of SELECT 1",
                roundTrip,
                0,
                readLimit,
                "Run movr in the region and zone of the database; check the ping time, a proxy or TLS in between,"
                        + " and the sleep states of the processors."));
        layers.add(layer(
                "CPU",
                "prepared read of one row, less that round trip",
                row,
                roundTrip.getValueAtPercentile(50),
                readLimit,
                "Check for other load on the processors of the database, for throttling of a virtual machine (CPU steal), and"
                        + " the plan of the read."));
        layers.add(storage(updateLimit));
        return layers;
    }

    private Layer storage(double limitMs) {
        String measure = "write of 8 kB and fdatasync";
        String advice = "Check the type and write cache of the disk, other writers to it, and the IOPS limit of a"
                + " network disk.";
        Path named = request.fsyncFolder();
        Optional<Path> folder = named != null ? Optional.of(named) : cluster.path();
        if (folder.isEmpty()) {
            return new Layer(
                    "storage",
                    measure,
                    0,
                    0,
                    0,
                    limitMs,
                    "not measured",
                    "The disk of the database is not on this machine: run movr calibrate there, with --fsync-dir.");
        }
        return layer("storage", measure, Probe.writeAndSync(folder.get()), 0, limitMs, advice);
    }

    private static Layer layer(
            String name, String measure, Histogram nanos, long lessNanos, double limitMs, String advice) {
        double medianMs = Math.max(0, nanos.getValueAtPercentile(50) - lessNanos) / NANOS_PER_MILLI;
        return new Layer(
                name,
                measure,
                (int) nanos.getTotalCount(),
                medianMs,
                Math.max(0, nanos.getValueAtPercentile(99) - lessNanos) / NANOS_PER_MILLI,
                limitMs,
                medianMs > limitMs ? "falls short" : "fine",
                advice);
    }

    private List<Step> sweep(Workload workload, Gateway gateway) throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        double highest = 0;
        int withoutGain = 0;
        for (int workers = 1; workers <= MAX_WORKERS && withoutGain < MAX_STEPS_WITHOUT_GAIN; workers *= 2) {
            step.accept(String.format(Locale.ROOT, "%d workers, %d s…", workers, request.stepSeconds()));
            RunResult result = measure(workload, gateway, workers, request.stepSeconds());
            OperationResult total = result.total();
            steps.add(new Step(
                    workers,
                    result.perSecond(),
                    total.meanMs(),
                    total.quantileMs(0.5),
                    total.quantileMs(0.95),
                    total.quantileMs(0.99)));
            withoutGain = result.perSecond() > highest * MIN_GAIN ? 0 : withoutGain + 1;
            highest = Math.max(highest, result.perSecond());
        }
        return steps;
    }

    /** Returns the lowest number of workers that reaches 90% of the highest throughput; 0 without a sweep. */
    static int knee(List<Step> sweep) {
        double highest = sweep.stream().mapToDouble(Step::perSecond).max().orElse(0);
        return sweep.stream()
                .filter(one -> one.perSecond() >= KNEE_SHARE * highest)
                .mapToInt(Step::concurrency)
                .findFirst()
                .orElse(0);
    }
}
