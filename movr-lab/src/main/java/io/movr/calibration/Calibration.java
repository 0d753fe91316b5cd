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
 * YCSB B with one worker, as the published calibration ran it, then each layer of an operation by itself, then more and
 * more workers up to the knee of the throughput. It works in a database that comes and goes.
 */
public final class Calibration {

    /**
     * How much is measured.
     *
     * @param seconds of YCSB B with one worker
     * @param stepSeconds of each step of the sweep; 0 is no sweep
     * @param rows of the table
     * @param fsyncFolder where the database's disk is written to; {@code null} for where the embedded server has its files
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
    private static final int MOST_WORKERS = 128;
    private static final double KNEE = 0.9;
    private static final double GAIN = 1.05;
    private static final int STEPS_WITHOUT_GAIN = 2;
    private static final double LOW_READ_MS = 1;
    private static final double LOW_UPDATE_MS = 2;
    private static final double NANOS = 1e6;

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
     * Measures.
     *
     * @throws UserError when an operation fails
     */
    CalibrationResults run() throws InterruptedException {
        Instant startedAt = Instant.now();
        long begun = System.nanoTime();
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
                    (System.nanoTime() - begun) / 1e9,
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
                    List.of("The published machine is a 13-inch laptop of 2018 with one node of CockroachDB v19.2; what"
                            + " is called healthy is CockroachDB's word for any infrastructure."));
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
        Histogram row = Probe.oneRow(connection);
        List<Layer> layers = new ArrayList<>();
        layers.add(layer(
                "network",
                "round trip of SELECT 1",
                roundTrip,
                0,
                readLimit,
                "Put the runner beside the database, in its region and zone; look at ping, at a proxy or TLS in between,"
                        + " and at processors that sleep between requests."));
        layers.add(layer(
                "CPU",
                "prepared read of one row, less that round trip",
                row,
                roundTrip.getValueAtPercentile(50),
                readLimit,
                "Look for other work on the database's processors, for throttling of a virtual machine (steal time), and"
                        + " at the plan of the read."));
        layers.add(storage(updateLimit));
        return layers;
    }

    private Layer storage(double limitMs) {
        String measure = "write of 8 kB and fdatasync";
        String advice =
                "Look at the disk's write cache and type, at other writers on it, and at a network disk's limit of"
                        + " operations a second.";
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
                    "The database is not on a disk that is known to be this machine's: run this there, with --fsync-dir.");
        }
        return layer("storage", measure, Probe.sync(folder.get()), 0, limitMs, advice);
    }

    private static Layer layer(
            String name, String measure, Histogram nanos, long lessNanos, double limitMs, String advice) {
        double medianMs = Math.max(0, nanos.getValueAtPercentile(50) - lessNanos) / NANOS;
        return new Layer(
                name,
                measure,
                (int) nanos.getTotalCount(),
                medianMs,
                Math.max(0, nanos.getValueAtPercentile(99) - lessNanos) / NANOS,
                limitMs,
                medianMs > limitMs ? "falls short" : "fine",
                advice);
    }

    private List<Step> sweep(Workload workload, Gateway gateway) throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        double most = 0;
        int withoutGain = 0;
        for (int workers = 1; workers <= MOST_WORKERS && withoutGain < STEPS_WITHOUT_GAIN; workers *= 2) {
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
            withoutGain = result.perSecond() > most * GAIN ? 0 : withoutGain + 1;
            most = Math.max(most, result.perSecond());
        }
        return steps;
    }

    /** The fewest workers that reach nine tenths of the highest throughput. */
    static int knee(List<Step> sweep) {
        double most = sweep.stream().mapToDouble(Step::perSecond).max().orElse(0);
        return sweep.stream()
                .filter(one -> one.perSecond() >= KNEE * most)
                .mapToInt(Step::concurrency)
                .findFirst()
                .orElse(0);
    }
}
