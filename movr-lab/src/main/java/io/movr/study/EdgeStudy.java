package io.movr.study;

import io.movr.UserError;
import io.movr.cache.CacheStatistics;
import io.movr.cache.CachingDataSource;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Program;
import io.movr.report.CpuSteal;
import io.movr.report.EdgeResults;
import io.movr.report.EdgeResults.Figure;
import io.movr.report.EdgeResults.Run;
import io.movr.report.EdgeResults.Staleness;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.workload.RunListener;
import io.movr.workload.RunPlan;
import io.movr.workload.RunResult;
import io.movr.workload.Runner;
import io.movr.workload.Tick;
import io.movr.workload.Tpcb;
import io.movr.workload.Workload;
import io.movr.workload.Ycsb;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * Reproduces the published study of a cache. A client far from its database queries it directly, through a cache at a point of
 * presence near the client, and through a cache in its own process.
 */
public final class EdgeStudy {

    private static final int TPCB_CLIENTS = 8;
    private static final int CONNECTION_SAMPLES = 7;
    private static final int ROWS_PER_INSERT = 5;
    private static final String INSERT = "INSERT INTO edge_inserts (id, name) VALUES "
            + String.join(", ", Collections.nCopies(ROWS_PER_INSERT, "(?, ?)"));

    /** The results of a study, and the folder that they were written to. */
    public record Outcome(EdgeResults results, RunBundle bundle) {}

    private final EdgePlan plan;
    private final Consumer<String> progress;
    private final Consumer<String> line;
    private final EdgeFigures figures = new EdgeFigures();
    private final List<Run> runs = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long inserted;

    /**
     * Prepares a study.
     *
     * @param progress receives the current step
     * @param line receives each result
     */
    private EdgeStudy(EdgePlan plan, Consumer<String> progress, Consumer<String> line) {
        this.plan = plan;
        this.progress = progress;
        this.line = line;
    }

    /**
     * Measures in a temporary database, and writes the results.
     *
     * @param out the parent folder of the results
     * @param command the words of the command line, for the record
     * @throws UserError if the database or the folder cannot be used
     */
    public static Outcome of(
            DatabaseSource database, EdgePlan plan, Path out, Program program, List<String> command, RunDisplay display)
            throws InterruptedException {
        RunBundle.check(out);
        display.progress("Starting the database…");
        try (Cluster cluster = database.temporary()) {
            Instant started = Instant.now();
            EdgeResults results = new EdgeStudy(plan, display::progress, display::line).run(cluster, program, command);
            RunBundle bundle = RunBundle.create(out, started, cluster.engine().folder(), "edge");
            bundle.write(results);
            return new Outcome(results, bundle);
        } finally {
            display.clear();
        }
    }

    private EdgeResults run(Cluster cluster, Program program, List<String> command) throws InterruptedException {
        Instant started = Instant.now();
        long startNanos = System.nanoTime();
        try (Databases databases = new Databases(cluster);
                Links links = new Links()) {
            Gateway database = databases.create("edge").with(PGProperty.PREPARE_THRESHOLD, "1");
            Gateway far = EdgePaths.throughLink(links, database, plan.distance());
            Gateway fromPresence =
                    EdgePaths.throughLink(links, database, plan.distance().minus(plan.toPresence()));
            prepare(database);
            Duration connectDelay = measureConnectDelay(links, database);
            EdgePaths paths = new EdgePaths(far, fromPresence, connectDelay, plan);
            CpuSteal stolen = new CpuSteal();
            progress.accept("Statements one at a time");
            statements(paths, database);
            load("ycsb-b", () -> new Ycsb(Ycsb.Settings.of("B", plan.rows())), false, paths, database);
            load("ycsb-c", () -> new Ycsb(Ycsb.Settings.of("C", plan.rows())), false, paths, database);
            load("tpcb-reconnect", () -> new Tpcb(plan.scale(), null), true, paths, database);
            load("tpcb", () -> new Tpcb(plan.scale(), null), false, paths, database);
            // A changefeed cannot watch a table of several column families, such as the table of YCSB.
            Gateway versions = databases.create("edge_staleness").with(PGProperty.PREPARE_THRESHOLD, "1");
            List<Staleness> staleness = new StalenessProbe(
                            plan, cluster, versions, EdgePaths.throughLink(links, versions, plan.distance()), progress)
                    .measure();
            staleness.forEach(one -> faults.addAll(one.faults()));
            List<Figure> judged = figures.judge();
            return new EdgeResults(
                    EdgeResults.SCHEMA_VERSION,
                    "edge",
                    started.toString(),
                    (System.nanoTime() - startNanos) / 1e9,
                    command,
                    faults.isEmpty(),
                    faults,
                    EnvironmentProbe.of(cluster, database, program).with(stolen),
                    new EdgeResults.Distances(
                            milliseconds(plan.distance()),
                            milliseconds(plan.toPresence()),
                            milliseconds(plan.distance().minus(plan.toPresence())),
                            milliseconds(connectDelay)),
                    milliseconds(plan.timeToLive()),
                    runs,
                    judged,
                    staleness,
                    conclusions(judged, staleness));
        } catch (SQLException failed) {
            throw new UserError("The study cannot use the database: " + UserError.firstLine(failed), failed);
        }
    }

    private static double milliseconds(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private void prepare(Gateway database) throws SQLException {
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE edge_inserts (id BIGINT PRIMARY KEY, name VARCHAR NOT NULL)");
            new Ycsb(Ycsb.Settings.of("B", plan.rows())).init(connection, progress);
            new Tpcb(plan.scale(), null).init(connection, progress);
        }
    }

    /** Returns the additional time of opening a connection caused by the distance to the point of presence. */
    private Duration measureConnectDelay(Links links, Gateway database) throws SQLException {
        Gateway near = EdgePaths.throughLink(links, database, Duration.ZERO);
        Gateway away = EdgePaths.throughLink(links, database, plan.toPresence());
        return Duration.ofNanos((long) Math.max(0, medianConnectNanos(away) - medianConnectNanos(near)));
    }

    private static double medianConnectNanos(Gateway gateway) throws SQLException {
        double[] nanos = new double[CONNECTION_SAMPLES];
        for (int index = 0; index < CONNECTION_SAMPLES; index++) {
            long startNanos = System.nanoTime();
            gateway.connect("movr-edge").close();
            nanos[index] = System.nanoTime() - startNanos;
        }
        Arrays.sort(nanos);
        return nanos[CONNECTION_SAMPLES / 2];
    }

    /** Returns the paths in forward and reverse order, so that drift affects all paths alike. */
    private static List<AccessPath> order() {
        List<AccessPath> order = new ArrayList<>(List.of(AccessPath.values()));
        List<AccessPath> back = new ArrayList<>(order);
        Collections.reverse(back);
        order.addAll(back);
        return order;
    }

    private void statements(EdgePaths paths, Gateway database) throws SQLException, InterruptedException {
        Map<AccessPath, List<double[]>> selects = new EnumMap<>(AccessPath.class);
        Map<AccessPath, List<double[]>> inserts = new EnumMap<>(AccessPath.class);
        for (int round = 0; round < plan.rounds(); round++) {
            for (AccessPath path : order()) {
                progress.accept("SELECT 1 and inserts, " + path.id());
                try (OpenPath open = paths.open(path);
                        Connection connection = open.source().getConnection()) {
                    selects.computeIfAbsent(path, first -> new ArrayList<>()).add(select(connection));
                    inserts.computeIfAbsent(path, first -> new ArrayList<>()).add(insert(connection));
                }
            }
        }
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement();
                var answer = statement.executeQuery("SELECT count(*) FROM edge_inserts")) {
            answer.next();
            if (answer.getLong(1) != inserted) {
                faults.add("edge_inserts has " + answer.getLong(1) + " rows, and " + inserted + " were inserted");
            }
        }
        latency("edge-select-1", "SELECT 1", selects, AccessPath.PRESENCE);
        latency("edge-select-1-local", "SELECT 1", selects, AccessPath.NEAR);
        latency("edge-insert-5", "an INSERT of five rows", inserts, AccessPath.NEAR);
    }

    private double[] select(Connection connection) throws SQLException {
        double[] milliseconds = new double[plan.samples()];
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            for (int index = -3; index < plan.samples(); index++) {
                long startNanos = System.nanoTime();
                try (var answer = statement.executeQuery()) {
                    if (!answer.next() || answer.getInt(1) != 1) {
                        faults.add("SELECT 1 did not answer 1");
                    }
                }
                if (index >= 0) {
                    milliseconds[index] = (System.nanoTime() - startNanos) / 1e6;
                }
            }
        }
        return milliseconds;
    }

    private double[] insert(Connection connection) throws SQLException {
        double[] milliseconds = new double[plan.samples()];
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (int index = -3; index < plan.samples(); index++) {
                for (int row = 0; row < ROWS_PER_INSERT; row++) {
                    statement.setLong(2 * row + 1, inserted++);
                    statement.setString(2 * row + 2, "name " + row);
                }
                long startNanos = System.nanoTime();
                if (statement.executeUpdate() != ROWS_PER_INSERT) {
                    faults.add("An INSERT of five rows wrote another number");
                }
                if (index >= 0) {
                    milliseconds[index] = (System.nanoTime() - startNanos) / 1e6;
                }
            }
        }
        return milliseconds;
    }

    private void latency(String id, String what, Map<AccessPath, List<double[]>> samples, AccessPath path) {
        List<double[]> before = samples.getOrDefault(AccessPath.DIRECT, List.of());
        List<double[]> after = samples.getOrDefault(path, List.of());
        figures.add(id, what, "median latency", "ms", before, after, false);
    }

    private void load(String name, Supplier<Workload> workloads, boolean reconnect, EdgePaths paths, Gateway database)
            throws SQLException, InterruptedException {
        boolean ycsb = name.startsWith("ycsb");
        Map<AccessPath, List<double[]>> rates = new EnumMap<>(AccessPath.class);
        Map<AccessPath, List<double[]>> medians = new EnumMap<>(AccessPath.class);
        Duration ramp = plan.run().dividedBy(3);
        // Slow transactions end too rarely for a rate per second.
        double sampleSeconds = ycsb ? 0.5 : Math.max(0.5, plan.run().toSeconds() / 2.0 - 0.5);
        RunPlan work = RunPlan.of(ycsb ? plan.concurrency() : TPCB_CLIENTS, plan.run())
                .withRamp(ramp)
                .withReconnect(reconnect)
                .withTolerateErrors(true);
        for (int round = 0; round < plan.rounds(); round++) {
            for (AccessPath path : order()) {
                progress.accept(name + ", " + path.id() + ", round " + (round + 1) + " of " + plan.rounds());
                Sampler sampler = new Sampler(sampleSeconds);
                Workload workload = workloads.get();
                try (Connection connection = database.connect("movr-edge")) {
                    workload.prepare(connection);
                }
                try (OpenPath open = paths.open(path)) {
                    RunResult result = new Runner(workload, open.source()::getConnection, work, sampler).run();
                    CachingDataSource cache = open.cache();
                    record(name, path, result, cache == null ? null : cache.statistics());
                }
                try (Connection connection = database.connect("movr-edge")) {
                    workload.check(connection).forEach(fault -> faults.add(name + ", " + path.id() + ": " + fault));
                }
                rates.computeIfAbsent(path, first -> new ArrayList<>()).add(array(sampler.perSecond));
                if (ycsb) {
                    medians.computeIfAbsent(path, first -> new ArrayList<>()).add(array(sampler.medianMs));
                }
            }
        }
        for (AccessPath path : List.of(AccessPath.PRESENCE, AccessPath.NEAR)) {
            List<double[]> before = rates.getOrDefault(AccessPath.DIRECT, List.of());
            List<double[]> after = rates.getOrDefault(path, List.of());
            figures.add(
                    "edge-" + name + (path == AccessPath.NEAR ? "-local" : ""),
                    name,
                    "throughput",
                    ycsb ? "ops/s" : "tps",
                    before,
                    after,
                    true);
        }
        if (name.equals("ycsb-b")) {
            latency("edge-ycsb-b-local-p50", "reads of ycsb-b, the median of each second", medians, AccessPath.NEAR);
        }
    }

    /** A listener that records the rates of whole samples, and the median latency of reads in each second. */
    private static final class Sampler implements RunListener {

        private final double sampleSeconds;
        private final List<Double> perSecond = new ArrayList<>();
        private final List<Double> medianMs = new ArrayList<>();
        private double seconds;
        private long operations;

        private Sampler(double sampleSeconds) {
            this.sampleSeconds = sampleSeconds;
        }

        @Override
        public void tick(Tick tick) {
            operations += tick.operations().stream()
                    .mapToLong(part -> part.interval().count())
                    .sum();
            seconds += tick.intervalSeconds();
            if (seconds >= sampleSeconds) {
                perSecond.add(operations / seconds);
                seconds = 0;
                operations = 0;
            }
            // The last interval may be short.
            if (tick.intervalSeconds() > 0.5) {
                tick.operations().stream()
                        .filter(part -> part.interval().name().equals("read"))
                        .forEach(part -> medianMs.add(part.interval().quantileMs(0.5)));
            }
        }
    }

    private static double[] array(List<Double> values) {
        if (values.isEmpty()) {
            throw new UserError("Not one whole second was measured: use a longer --seconds");
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void record(String name, AccessPath path, RunResult result, @Nullable CacheStatistics cache) {
        var total = result.total();
        if (total.errors() > 0) {
            faults.add(name + ", " + path.id() + ": " + total.errors() + " operations failed (" + result.firstFailure()
                    + ")");
        }
        Run run = new Run(
                name,
                path.id(),
                result.plan().concurrency(),
                result.seconds(),
                total.count(),
                total.errors(),
                result.perSecond(),
                total.quantileMs(0.5),
                total.quantileMs(0.99),
                cache == null ? null : cache.hitRate(),
                cache == null ? 0 : cache.invalidations(),
                cache == null ? 0 : cache.evictions());
        runs.add(run);
        line.accept(String.format(
                Locale.ROOT,
                "%-15s %-9s %9.1f/s  p50 %7.2f ms  p99 %8.2f ms%s",
                name,
                path.id(),
                run.perSecond(),
                run.p50Ms(),
                run.p99Ms(),
                cache == null ? "" : String.format(Locale.ROOT, "  hits %.1f%%", 100 * cache.hitRate())));
    }

    private static List<String> conclusions(List<Figure> figures, List<Staleness> staleness) {
        List<String> pays = new ArrayList<>();
        List<String> costs = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (Figure figure : figures) {
            List<String> kind =
                    !figure.different() ? undecided : figure.improvement().estimate() > 1 ? pays : costs;
            kind.add(text(figure));
        }
        List<String> conclusions = new ArrayList<>();
        conclusions.add("It pays for: " + joined(pays) + ".");
        conclusions.add("It is slower for: " + joined(costs) + ".");
        conclusions.add("No difference was shown for: " + joined(undecided) + ".");
        for (Staleness one : staleness) {
            conclusions.add(String.format(
                    Locale.ROOT,
                    "%s: median read %.2f ms, %.2f%% of %,d reads stale%s.",
                    one.mode(),
                    one.medianMs(),
                    100 * one.staleShare(),
                    one.reads(),
                    one.stale() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    ", by %.0f ms in the median, at most %.0f ms",
                                    one.ageP50Ms(),
                                    one.ageMaxMs())));
        }
        return conclusions;
    }

    private static String joined(List<String> parts) {
        return parts.isEmpty() ? "nothing that was measured" : String.join("; ", parts);
    }

    private static String text(Figure figure) {
        return String.format(
                Locale.ROOT, "%s %.2f×", figure.id(), figure.improvement().estimate());
    }
}
