package io.movr.cli;

import io.movr.workload.Isolation;
import io.movr.workload.RunPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of every workload, named as in {@code cockroach workload}. */
final class RunOptions {

    private static final Duration DISPLAY_EVERY = Duration.ofSeconds(1);
    private static final long SEED = 1;

    /** A step of a workload. */
    enum Step {
        INIT,
        RUN
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STEP",
            description = "init creates missing rows, run measures (default: both).")
    private @Nullable Step step;

    @Option(names = "--drop", description = "Drop the tables of the workload first.")
    private boolean drop;

    @ArgGroup(validate = false, heading = Headings.MEASURING, order = 1)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = Headings.DATABASE, order = 2)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT, order = 3)
    private Output output = new Output();

    private static final class Measuring {

        @Option(
                names = "--concurrency",
                paramLabel = "N",
                description = "Number of workers, each with its own connection (default: two per core).")
        private int concurrency = 2 * Runtime.getRuntime().availableProcessors();

        @Option(
                names = "--duration",
                paramLabel = "TIME",
                converter = GoDuration.class,
                description = "How long to measure, such as 60s or 1m30s (default: until Ctrl-C).")
        private Duration duration = Duration.ZERO;

        @Option(
                names = "--ramp",
                paramLabel = "TIME",
                converter = GoDuration.class,
                description = "Time before the measurement in which the workers start one after the other.")
        private Duration ramp = Duration.ZERO;

        @Option(
                names = "--max-rate",
                paramLabel = "N",
                description =
                        "Operations per second of all workers together; latencies are then measured from the time when"
                                + " each operation was due (default: unlimited).")
        private double maxRate;

        @Option(names = "--max-ops", paramLabel = "N", description = "Stop after this many operations.")
        private long maxOps;

        @Option(
                names = "--isolation-level",
                paramLabel = "NAME",
                description = "read-committed, repeatable-read or serializable (default: the server's).")
        private @Nullable String isolation;

        @Option(
                names = "--retries",
                paramLabel = "N",
                description =
                        "Maximum retries of an operation after a serialization failure or a deadlock (default: 10).")
        private int retries = 10;

        @Option(names = "--tolerate-errors", description = "Continue after an operation has failed at every attempt.")
        private boolean tolerateErrors;
    }

    private static final class Output {

        @Option(
                names = "--out",
                paramLabel = "FOLDER",
                description = "Write a run bundle into this folder: JSON, histograms, a page with charts.")
        private @Nullable Path out;

        @Option(
                names = "--prometheus-port",
                paramLabel = "PORT",
                description =
                        "Serve the figures in the OpenMetrics format on this port of the loopback address, 0 for any.")
        private @Nullable Integer prometheusPort;
    }

    RunPlan plan(boolean reconnect) {
        return new RunPlan(
                measuring.concurrency,
                measuring.duration.isZero() ? null : measuring.duration,
                measuring.ramp,
                measuring.maxRate,
                measuring.maxOps,
                measuring.tolerateErrors,
                DISPLAY_EVERY,
                SEED,
                measuring.isolation == null ? null : Isolation.named(measuring.isolation),
                measuring.retries,
                reconnect);
    }

    /** Returns the settings of a run in addition to the workload's, by the names of the options. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("concurrency", Integer.toString(measuring.concurrency));
        settings.put("duration", measuring.duration.toMillis() / 1e3 + "s");
        settings.put("ramp", measuring.ramp.toMillis() / 1e3 + "s");
        settings.put("max-rate", Double.toString(measuring.maxRate));
        settings.put("max-ops", Long.toString(measuring.maxOps));
        settings.put("seed", Long.toString(SEED));
        settings.put("isolation-level", measuring.isolation == null ? "the server's" : measuring.isolation);
        settings.put("retries", Integer.toString(measuring.retries));
        return settings;
    }

    @Nullable
    Step step() {
        return step;
    }

    boolean drop() {
        return drop;
    }

    DatabaseOptions database() {
        return database;
    }

    @Nullable
    Path out() {
        return output.out;
    }

    @Nullable
    Integer prometheusPort() {
        return output.prometheusPort;
    }
}
