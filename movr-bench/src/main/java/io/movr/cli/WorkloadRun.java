package io.movr.cli;

import io.movr.UserError;
import io.movr.check.DirectSession;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.environment.EnvironmentProbe;
import io.movr.region.Region;
import io.movr.report.CpuSteal;
import io.movr.report.RunBundle;
import io.movr.report.WorkloadResults;
import io.movr.stats.Digits;
import io.movr.workload.ColumnDisplay;
import io.movr.workload.ConnectionSource;
import io.movr.workload.HistogramLog;
import io.movr.workload.MovrWorkload;
import io.movr.workload.OpenMetrics;
import io.movr.workload.OperationResult;
import io.movr.workload.ResultRecords;
import io.movr.workload.RunListener;
import io.movr.workload.RunPlan;
import io.movr.workload.RunResult;
import io.movr.workload.Runner;
import io.movr.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands that run a workload have in common: columns on standard output, all else on standard error. */
final class WorkloadRun {

    private static final long SAY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String HISTOGRAMS = "histograms.hlog";

    private final CommandSpec command;
    private final PrintWriter output;
    private final Terminal terminal;
    private final RunOptions options;

    WorkloadRun(CommandSpec command, RunOptions options) {
        this.command = command;
        this.output = command.commandLine().getOut();
        this.terminal = new Terminal(command.commandLine().getErr());
        this.options = options;
    }

    Terminal terminal() {
        return terminal;
    }

    /**
     * The database of a workload: the one that is named, otherwise one of its own on the server of the cluster, made when
     * it is missing.
     */
    static Gateway database(Cluster cluster, DatabaseOptions database, String name) {
        if (database.hasUrl()) {
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

    /**
     * Does what was asked.
     *
     * @param step nothing is both
     * @param gateway the database of the workload
     * @param settings what decides the workload, by the names of the options
     * @return the exit code
     */
    int run(
            RunOptions.@Nullable Step step,
            Cluster cluster,
            Gateway gateway,
            Workload workload,
            RunPlan plan,
            Map<String, String> settings)
            throws InterruptedException {
        Path out = options.out();
        if (out != null) {
            RunBundle.check(out);
        }
        if (plan.isolation() != null) {
            DirectSession.require(gateway);
        }
        try {
            try (Connection connection = gateway.connect("movr-" + workload.name())) {
                if (step != RunOptions.Step.RUN) {
                    // MovR's rows are replaced by their loader, which knows of more tables than the workload.
                    if (options.drop() && !(workload instanceof MovrWorkload)) {
                        drop(workload, connection);
                    }
                    workload.init(connection, terminal::progress);
                    terminal.clear();
                    if (step == RunOptions.Step.INIT) {
                        terminal.line("The rows are there.");
                        return 0;
                    }
                }
                workload.prepare(connection);
            }
            return measure(cluster, gateway, workload, plan, settings);
        } catch (SQLException failed) {
            throw new UserError(workload.name() + " failed: " + UserError.firstLine(failed), failed);
        } finally {
            terminal.clear();
        }
    }

    private static void drop(Workload workload, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + String.join(", ", workload.tables()));
        }
    }

    private int measure(Cluster cluster, Gateway gateway, Workload workload, RunPlan plan, Map<String, String> settings)
            throws InterruptedException, SQLException {
        ResultRecords records = new ResultRecords();
        ColumnDisplay columns = new ColumnDisplay(output);
        List<RunListener> listeners = new ArrayList<>(List.of(columns, records, new Failures(terminal)));
        Path out = options.out();
        RunBundle bundle = out == null
                ? null
                : RunBundle.create(out, Instant.now(), cluster.engine().folder(), workload.name());
        Path log = options.histograms() != null
                ? options.histograms()
                : bundle == null ? null : bundle.folder().resolve(HISTOGRAMS);
        HistogramLog histograms = log == null ? null : new HistogramLog(log);
        Integer port = options.prometheusPort();
        OpenMetrics metrics = port == null ? null : new OpenMetrics(workload.name(), port);
        CountDownLatch printed = new CountDownLatch(1);
        try {
            if (histograms != null) {
                listeners.add(histograms);
            }
            if (metrics != null) {
                // Before the columns: who sees a line finds its figures served.
                listeners.add(0, metrics);
                terminal.line("Metrics: " + metrics.address());
            }
            if (plan.duration() == null && plan.maxOps() == 0) {
                terminal.line("Ctrl-C ends the run and prints its totals");
            }
            Runner runner = new Runner(workload, source(cluster, gateway), plan, RunListener.all(listeners));
            ProcessEnd.before(() -> {
                runner.stop();
                Movr.awaitEnd(printed, "the workers do not end, the totals are lost");
            });
            CpuSteal stolen = new CpuSteal();
            RunResult result = runner.run();
            if (histograms != null) {
                histograms.close();
            }
            terminal.clear();
            columns.result(result);
            List<String> faults = check(workload, gateway);
            report(result, faults);
            terminal.warnOfSteal(stolen.share());
            if (bundle != null || options.json() != null) {
                WorkloadResults results = records.results(
                        result,
                        Movr.words(command),
                        EnvironmentProbe.of(cluster, gateway, Build.program()).with(stolen),
                        settings,
                        faults);
                write(results, bundle, log);
            }
            return result.succeeded() && faults.isEmpty() ? 0 : 1;
        } finally {
            printed.countDown();
            if (metrics != null) {
                metrics.close();
            }
        }
    }

    private ConnectionSource source(Cluster cluster, Gateway gateway) {
        String name = "movr-workload";
        String region = options.region();
        if (region != null) {
            Gateway there = cluster.gateways().get(new Region(region));
            if (there == null) {
                throw new UserError("There is no gateway of " + region + ": name it with --url " + region + "=URL");
            }
            return ConnectionSource.of(there, name);
        }
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

    private static List<String> check(Workload workload, Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect("movr-check")) {
            return workload.check(connection);
        }
    }

    /** What the columns have no place for. */
    private void report(RunResult result, List<String> faults) {
        OperationResult total = result.total();
        if (result.plan().maxRate() > 0) {
            terminal.line(String.format(
                    Locale.ROOT,
                    "Service time, from when an operation was sent: p50 %s ms, p95 %s ms, p99 %s ms",
                    Digits.rounded(total.serviceQuantileMs(0.5), 1),
                    Digits.rounded(total.serviceQuantileMs(0.95), 1),
                    Digits.rounded(total.serviceQuantileMs(0.99), 1)));
        }
        if (result.overdue() > 0) {
            terminal.line(String.format(
                    Locale.ROOT,
                    "! %,d operations were due and never sent: the database, or --concurrency, does not keep up with"
                            + " --max-rate, and the latencies above are too low",
                    result.overdue()));
        }
        total.retries().forEach((cause, count) -> terminal.line("Tried again: " + count + " × " + cause));
        total.failures().forEach((cause, count) -> terminal.line("Failed: " + count + " × " + cause));
        result.cost()
                .bottleneck()
                .ifPresent(why -> terminal.line("! This run measured the runner: " + why
                        + ". Use fewer workers, or a machine that" + " does nothing else."));
        faults.forEach(fault -> terminal.line("! Wrong rows: " + fault));
        if (!result.succeeded()) {
            terminal.line("movr: ended by a failure (" + result.firstFailure() + "): go on after one with"
                    + " --tolerate-errors");
        }
    }

    private void write(WorkloadResults results, @Nullable RunBundle bundle, @Nullable Path log) {
        if (bundle != null) {
            bundle.write(results);
            if (log != null && !log.equals(bundle.folder().resolve(HISTOGRAMS))) {
                copy(log, bundle.folder().resolve(HISTOGRAMS));
            }
            terminal.line("Report: " + bundle.report());
        }
        Path json = options.json();
        if (json != null) {
            try {
                Files.writeString(json, RunBundle.json(results));
            } catch (IOException failed) {
                throw new UserError(
                        "Cannot write '" + json + "' (" + UserError.firstLine(failed) + "): name another file with"
                                + " --json",
                        failed);
            }
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UserError("Cannot copy " + from + " (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** Says failures on standard error, one a second at most. */
    private static final class Failures implements RunListener {

        private final Terminal terminal;
        private long last = System.nanoTime() - SAY_EVERY_NANOS;

        Failures(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public synchronized void failed(String operation, SQLException failure) {
            if (System.nanoTime() - last >= SAY_EVERY_NANOS) {
                last = System.nanoTime();
                terminal.line(operation + " failed: " + UserError.firstLine(failure));
            }
        }
    }
}
