package io.movr.workload;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Program;
import io.movr.report.CpuSteal;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.stats.Digits;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A run of a workload on a database that is opened for it: columns on standard output, all else in the display. */
public final class WorkloadRun {

    private static final long SAY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String HISTOGRAMS = "histograms.hlog";

    private final Request request;
    private final Workload workload;
    private final PrintWriter output;
    private final RunDisplay display;

    /**
     * What is run.
     *
     * @param databaseName of the workload on the embedded server
     * @param init whether missing rows are created
     * @param measure whether the workload runs
     * @param drop whether its tables are dropped first
     * @param settings what determines the run, by the names of the options
     * @param out the folder in which the run bundle is made; {@code null} for none
     * @param prometheusPort where the figures are served, 0 for any; {@code null} if they are not
     * @param command the words of the command line, for the record
     */
    public record Request(
            DatabaseSource database,
            String databaseName,
            boolean init,
            boolean measure,
            boolean drop,
            RunPlan plan,
            Map<String, String> settings,
            @Nullable Path out,
            @Nullable Integer prometheusPort,
            Program program,
            List<String> command) {}

    /** The preparation of a database before the workload creates its rows. */
    public interface Preparation {

        /** Prepares the database, and returns what else determines the run, by the names of the options. */
        Map<String, String> prepare(Cluster cluster, Gateway gateway);
    }

    private WorkloadRun(Request request, Workload workload, PrintWriter output, RunDisplay display) {
        this.request = request;
        this.workload = workload;
        this.output = output;
        this.display = display;
    }

    /**
     * Opens the database, creates the rows, and measures.
     *
     * @param output for the columns of {@code cockroach workload}
     * @return whether every operation succeeded and the rows are right
     */
    public static boolean of(
            Request request, Workload workload, Preparation preparation, PrintWriter output, RunDisplay display)
            throws InterruptedException {
        display.progress("Starting the database…");
        try (Cluster cluster = request.database().keptOrStarted()) {
            Gateway gateway = database(cluster, request.database(), request.databaseName());
            Map<String, String> settings = new LinkedHashMap<>(request.settings());
            settings.putAll(preparation.prepare(cluster, gateway));
            return new WorkloadRun(request, workload, output, display).run(cluster, gateway, settings);
        } finally {
            display.clear();
        }
    }

    /** Returns the database that the user has named, or else one of the workload's own, which is made if it is missing. */
    private static Gateway database(Cluster cluster, DatabaseSource source, String name) {
        if (source.hasUrl()) {
            return cluster.gateway();
        }
        try (Connection connection = cluster.gateway().connect();
                Statement statement = connection.createStatement()) {
            boolean exists;
            try (ResultSet answer =
                    statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) {
                exists = answer.next();
            }
            if (!exists) {
                statement.execute("CREATE DATABASE " + name);
            }
        } catch (SQLException failed) {
            throw new UserError("Cannot create the database " + name + ": " + UserError.firstLine(failed), failed);
        }
        return cluster.gateway().toDatabase(name);
    }

    private boolean run(Cluster cluster, Gateway gateway, Map<String, String> settings) throws InterruptedException {
        Path out = request.out();
        if (out != null) {
            RunBundle.check(out);
        }
        if (request.plan().isolation() != null) {
            DirectSession.require(gateway);
        }
        try {
            try (Connection connection = gateway.connect("movr-" + workload.name())) {
                if (request.init()) {
                    // MovR's rows are replaced by their loader, which knows of more tables than the workload.
                    if (request.drop() && !(workload instanceof MovrWorkload)) {
                        drop(connection);
                    }
                    workload.init(connection, display::progress);
                    display.clear();
                    if (!request.measure()) {
                        display.line("The rows are there.");
                        return true;
                    }
                }
                workload.prepare(connection);
            }
            return measure(cluster, gateway, settings);
        } catch (SQLException failed) {
            throw new UserError(workload.name() + " failed: " + UserError.firstLine(failed), failed);
        } finally {
            display.clear();
        }
    }

    private void drop(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + String.join(", ", workload.tables()));
        }
    }

    private boolean measure(Cluster cluster, Gateway gateway, Map<String, String> settings)
            throws InterruptedException, SQLException {
        ResultRecords records = new ResultRecords();
        ColumnDisplay columns = new ColumnDisplay(output);
        List<RunListener> listeners = new ArrayList<>(List.of(columns, records, new Failures(display)));
        RunPlan plan = request.plan();
        Path out = request.out();
        RunBundle bundle = out == null
                ? null
                : RunBundle.create(out, Instant.now(), cluster.engine().folder(), workload.name());
        HistogramLog histograms =
                bundle == null ? null : new HistogramLog(bundle.folder().resolve(HISTOGRAMS));
        Integer port = request.prometheusPort();
        OpenMetrics metrics = port == null ? null : new OpenMetrics(workload.name(), port);
        CountDownLatch printed = new CountDownLatch(1);
        try {
            if (histograms != null) {
                listeners.add(histograms);
            }
            if (metrics != null) {
                // Before the columns: who sees a line finds its figures served.
                listeners.add(0, metrics);
                display.line("Metrics: " + metrics.address());
            }
            if (plan.duration() == null && plan.maxOps() == 0) {
                display.line("Ctrl-C ends the run and prints its totals");
            }
            Runner runner = new Runner(workload, source(cluster, gateway), plan, RunListener.all(listeners));
            ProcessEnd.before(() -> {
                runner.stop();
                ProcessEnd.awaitResults(printed, "the workers do not end, the totals are lost");
            });
            CpuSteal stolen = new CpuSteal();
            RunResult result = runner.run();
            if (histograms != null) {
                histograms.close();
            }
            display.clear();
            columns.result(result);
            List<String> faults = check(gateway);
            report(result, faults);
            display.warnOfSteal(stolen.share());
            if (bundle != null) {
                bundle.write(records.results(
                        result,
                        request.command(),
                        EnvironmentProbe.of(cluster, gateway, request.program()).with(stolen),
                        settings,
                        faults));
                display.line("Report: " + bundle.report());
            }
            return result.succeeded() && faults.isEmpty();
        } finally {
            printed.countDown();
            if (metrics != null) {
                metrics.close();
            }
        }
    }

    private static ConnectionSource source(Cluster cluster, Gateway gateway) {
        String name = "movr-workload";
        if (cluster.gateways().size() < 2) {
            return ConnectionSource.of(gateway, name);
        }
        List<ConnectionSource> sources = cluster.gateways().values().stream()
                .map(one -> ConnectionSource.of(one, name))
                .toList();
        AtomicInteger next = new AtomicInteger();
        return () -> sources.get(Math.floorMod(next.getAndIncrement(), sources.size()))
                .open();
    }

    private List<String> check(Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect("movr-check")) {
            return workload.check(connection);
        }
    }

    /** Prints the results that have no column. */
    private void report(RunResult result, List<String> faults) {
        OperationResult total = result.total();
        if (result.plan().maxRate() > 0) {
            display.line(String.format(
                    Locale.ROOT,
                    "Service time, from when an operation was sent: p50 %s ms, p95 %s ms, p99 %s ms",
                    Digits.rounded(total.serviceQuantileMs(0.5), 1),
                    Digits.rounded(total.serviceQuantileMs(0.95), 1),
                    Digits.rounded(total.serviceQuantileMs(0.99), 1)));
        }
        if (result.overdue() > 0) {
            display.line(String.format(
                    Locale.ROOT,
                    "! %,d operations were due and never sent: the database, or --concurrency, does not keep up with"
                            + " --max-rate, and the latencies above are too low",
                    result.overdue()));
        }
        total.retries().forEach((cause, count) -> display.line("Tried again: " + count + " × " + cause));
        total.failures().forEach((cause, count) -> display.line("Failed: " + count + " × " + cause));
        result.cost()
                .bottleneck()
                .ifPresent(why -> display.line("! This run measured the runner: " + why
                        + ". Use fewer workers, or a machine that" + " does nothing else."));
        faults.forEach(fault -> display.line("! Wrong rows: " + fault));
        if (!result.succeeded()) {
            display.line("movr: ended by a failure (" + result.firstFailure() + "): go on after one with"
                    + " --tolerate-errors");
        }
    }

    /** Prints failures on standard error, one a second at most. */
    private static final class Failures implements RunListener {

        private final RunDisplay display;
        private long last = System.nanoTime() - SAY_EVERY_NANOS;

        Failures(RunDisplay display) {
            this.display = display;
        }

        @Override
        public synchronized void failed(String operation, SQLException failure) {
            if (System.nanoTime() - last >= SAY_EVERY_NANOS) {
                last = System.nanoTime();
                display.line(operation + " failed: " + UserError.firstLine(failure));
            }
        }
    }
}
