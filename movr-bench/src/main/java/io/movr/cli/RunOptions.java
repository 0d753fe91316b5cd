package io.movr.cli;

import io.movr.workload.Isolation;
import io.movr.workload.RunPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a workload is run, named as in {@code cockroach workload}. */
final class RunOptions {

    /** What of a command is done. */
    enum Step {
        INIT,
        RUN
    }

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Workers, each with a connection of its own (default: two per core).")
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
            description =
                    "Time before the measurement in which the workers start one after the other; it does not count.")
    private Duration ramp = Duration.ZERO;

    @Option(
            names = "--max-rate",
            paramLabel = "N",
            description =
                    "Operations per second of all workers together; latencies then count from when each operation was "
                            + "due (default: unlimited).")
    private double maxRate;

    @Option(names = "--max-ops", paramLabel = "N", description = "Stop after this many operations.")
    private long maxOps;

    @Option(names = "--tolerate-errors", description = "Continue after an operation has failed for good.")
    private boolean tolerateErrors;

    @Option(
            names = "--display-every",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = GoDuration.class,
            description = "Interval of the progress lines (default: 1s).")
    private Duration displayEvery = Duration.ofSeconds(1);

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "The same seed draws the same operations and rows for each worker (default: 1).")
    private long seed = 1;

    @Option(
            names = "--isolation-level",
            paramLabel = "NAME",
            description = "read-committed, repeatable-read or serializable (default: the server's).")
    private @Nullable String isolation;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "10",
            description =
                    "How often an operation is retried after a serialization failure or a deadlock (default: 10).")
    private int retries = 10;

    @Option(
            names = "--region",
            paramLabel = "REGION",
            description = "The gateway to connect to, of several --url (default: all of them in turn).")
    private @Nullable String region;

    @Option(names = "--drop", description = "Drop the tables of the workload first.")
    private boolean drop;

    @Option(
            names = "--histograms",
            paramLabel = "FILE",
            description = "Write the response times as an HdrHistogram log.")
    private @Nullable Path histograms;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Write a folder with the results: JSON, histograms, a page with charts.")
    private @Nullable Path out;

    @Option(
            names = "--prometheus-port",
            paramLabel = "PORT",
            description =
                    "Serve the figures in the OpenMetrics format on this port of the loopback address, 0 for any.")
    private @Nullable Integer prometheusPort;

    RunPlan plan(boolean reconnect) {
        return new RunPlan(
                concurrency,
                duration.isZero() ? null : duration,
                ramp,
                maxRate,
                maxOps,
                tolerateErrors,
                displayEvery,
                seed,
                isolation == null ? null : Isolation.named(isolation),
                retries,
                reconnect);
    }

    /** What decides a run beside the workload, by the names of the options. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("concurrency", Integer.toString(concurrency));
        settings.put("duration", duration.toMillis() / 1e3 + "s");
        settings.put("ramp", ramp.toMillis() / 1e3 + "s");
        settings.put("max-rate", Double.toString(maxRate));
        settings.put("max-ops", Long.toString(maxOps));
        settings.put("seed", Long.toString(seed));
        settings.put("isolation-level", isolation == null ? "the server's" : isolation);
        settings.put("retries", Integer.toString(retries));
        return settings;
    }

    @Nullable
    String region() {
        return region;
    }

    boolean drop() {
        return drop;
    }

    @Nullable
    Path histograms() {
        return histograms;
    }

    @Nullable
    Path json() {
        return json;
    }

    @Nullable
    Path out() {
        return out;
    }

    @Nullable
    Integer prometheusPort() {
        return prometheusPort;
    }
}
