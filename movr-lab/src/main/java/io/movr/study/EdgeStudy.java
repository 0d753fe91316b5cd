package io.movr.study;

import io.movr.UserError;
import io.movr.cache.CacheSettings;
import io.movr.cache.CacheStatistics;
import io.movr.cache.CachingDataSource;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Program;
import io.movr.published.PublishedFigures;
import io.movr.published.Verdict;
import io.movr.report.CpuSteal;
import io.movr.report.EdgeResults;
import io.movr.report.EdgeResults.Figure;
import io.movr.report.EdgeResults.Run;
import io.movr.report.EdgeResults.Staleness;
import io.movr.report.LabResults.Published;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
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
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Reproduces the published study of a cache. A client far from its database queries it directly, through a cache at a point of
 * presence near the client, and through a cache in its own process.
 */
public final class EdgeStudy {

    /** The path of the client's statements. */
    enum Way {
        DIRECT,
        PRESENCE,
        NEAR;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int TPCB_CLIENTS = 8;
    private static final Duration READY = Duration.ofSeconds(60);
    private static final int OPENINGS = 7;
    private static final long SEED = 1;
    private static final int ROWS_A_INSERT = 5;
    private static final String INSERT = "INSERT INTO edge_inserts (id, name) VALUES "
            + String.join(", ", Collections.nCopies(ROWS_A_INSERT, "(?, ?)"));

    /** The results of a study, and the folder that they were written to. */
    public record Outcome(EdgeResults results, RunBundle bundle) {}

    private final EdgePlan plan;
    private final Consumer<String> progress;
    private final Consumer<String> line;
    private final List<Run> runs = new ArrayList<>();
    private static final String TOO_FEW = "Too few measurements to judge: the minimum is " + RunStatistics.MIN_RUNS
            + " of each way, which --rounds 2 gives.";
    private final List<Draft> drafts = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long inserted;

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
        long begun = System.nanoTime();
        try (Databases databases = new Databases(cluster);
                Links links = new Links()) {
            Gateway database = databases.create("edge").with(PGProperty.PREPARE_THRESHOLD, "1");
            Gateway far = over(links, database, plan.distance());
            Gateway fromPresence = over(links, database, plan.distance().minus(plan.toPresence()));
            prepare(database);
            Duration opening = opening(links, database);
            Sources sources = new Sources(far, fromPresence, opening);
            CpuSteal stolen = new CpuSteal();
            progress.accept("Statements one at a time");
            statements(sources, database);
            load("ycsb-b", () -> new Ycsb(Ycsb.Settings.of("B", plan.rows())), false, sources, database);
            load("ycsb-c", () -> new Ycsb(Ycsb.Settings.of("C", plan.rows())), false, sources, database);
            load("tpcb-reconnect", () -> new Tpcb(plan.scale(), null), true, sources, database);
            load("tpcb", () -> new Tpcb(plan.scale(), null), false, sources, database);
            // A changefeed cannot watch a table of several column families, such as the table of YCSB.
            Gateway versions = databases.create("edge_staleness").with(PGProperty.PREPARE_THRESHOLD, "1");
            List<Staleness> staleness = new StalenessProbe(
                            plan, cluster, versions, over(links, versions, plan.distance()), progress)
                    .measure();
            staleness.forEach(one -> faults.addAll(one.faults()));
            judge();
            return new EdgeResults(
                    EdgeResults.SCHEMA_VERSION,
                    "edge",
                    started.toString(),
                    (System.nanoTime() - begun) / 1e9,
                    command,
                    faults.isEmpty(),
                    faults,
                    EnvironmentProbe.of(cluster, database, program).with(stolen),
                    new EdgeResults.Distances(
                            milliseconds(plan.distance()),
                            milliseconds(plan.toPresence()),
                            milliseconds(plan.distance().minus(plan.toPresence())),
                            milliseconds(opening)),
                    milliseconds(plan.timeToLive()),
                    runs,
                    figures,
                    staleness,
                    conclusions(staleness));
        } catch (SQLException failed) {
            throw new UserError("The study cannot use the database: " + UserError.firstLine(failed), failed);
        }
    }

    private static double milliseconds(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    static Gateway over(Links links, Gateway database, Duration roundTrip) {
        Links.Link link = links.open(0, database.host(), database.port(), roundTrip.dividedBy(2));
        return database.through(link.port());
    }

    private void prepare(Gateway database) throws SQLException {
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE edge_inserts (id BIGINT PRIMARY KEY, name VARCHAR NOT NULL)");
            new Ycsb(Ycsb.Settings.of("B", plan.rows())).init(connection, progress);
            new Tpcb(plan.scale(), null).init(connection, progress);
        }
    }

    /** Returns what opening a connection takes over the way to the point of presence, and not without it. */
    private Duration opening(Links links, Gateway database) throws SQLException {
        Gateway near = over(links, database, Duration.ZERO);
        Gateway away = over(links, database, plan.toPresence());
        return Duration.ofNanos((long) Math.max(0, medianOpening(away) - medianOpening(near)));
    }

    private static double medianOpening(Gateway gateway) throws SQLException {
        double[] nanos = new double[OPENINGS];
        for (int index = 0; index < OPENINGS; index++) {
            long begun = System.nanoTime();
            gateway.connect("movr-edge").close();
            nanos[index] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        return nanos[OPENINGS / 2];
    }

    /** The three ways to the database, each made anew for each run: a cache begins empty. */
    private final class Sources {

        private final Gateway far;
        private final Gateway fromPresence;
        private final Duration opening;

        Sources(Gateway far, Gateway fromPresence, Duration opening) {
            this.far = far;
            this.fromPresence = fromPresence;
            this.opening = opening;
        }

        Open open(Way way) throws InterruptedException {
            return switch (way) {
                case DIRECT -> new Open(unpooled(far), null);
                case NEAR -> {
                    CachingDataSource cache =
                            cached(far, CacheSettings.standard().withTimeToLive(plan.timeToLive()));
                    yield new Open(cache, cache);
                }
                case PRESENCE -> {
                    CachingDataSource cache =
                            cached(fromPresence, CacheSettings.standard().withTimeToLive(plan.timeToLive()));
                    yield new Open(new Hop(cache, plan.toPresence(), opening), cache);
                }
            };
        }
    }

    /** A way that is open. */
    private record Open(DataSource source, @Nullable CachingDataSource cache) implements AutoCloseable {

        @Override
        public void close() {
            if (cache != null) {
                cache.close();
            }
        }
    }

    static DataSource unpooled(Gateway gateway) {
        Properties properties = new Properties();
        PGProperty.APPLICATION_NAME.set(properties, "movr-edge");
        return new DriverManagerDataSource(gateway.url(), properties);
    }

    static CachingDataSource cached(Gateway gateway, CacheSettings settings) throws InterruptedException {
        CachingDataSource cache = new CachingDataSource(unpooled(gateway), settings);
        if (!cache.awaitReady(READY)) {
            cache.close();
            throw new UserError("The cache could not read the tables of " + gateway.shown() + " within "
                    + READY.toSeconds() + " s");
        }
        return cache;
    }

    /** Returns the ways in forward and reverse order, so that drift affects all ways alike. */
    private static List<Way> order() {
        List<Way> order = new ArrayList<>(List.of(Way.values()));
        List<Way> back = new ArrayList<>(order);
        Collections.reverse(back);
        order.addAll(back);
        return order;
    }

    private void statements(Sources sources, Gateway database) throws SQLException, InterruptedException {
        Map<Way, List<double[]>> selects = new EnumMap<>(Way.class);
        Map<Way, List<double[]>> inserts = new EnumMap<>(Way.class);
        for (int round = 0; round < plan.rounds(); round++) {
            for (Way way : order()) {
                progress.accept("SELECT 1 and inserts, " + way.id());
                try (Open open = sources.open(way);
                        Connection connection = open.source().getConnection()) {
                    selects.computeIfAbsent(way, first -> new ArrayList<>()).add(select(connection));
                    inserts.computeIfAbsent(way, first -> new ArrayList<>()).add(insert(connection));
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
        latency("edge-select-1", "SELECT 1", selects, Way.PRESENCE);
        latency("edge-select-1-local", "SELECT 1", selects, Way.NEAR);
        latency("edge-insert-5", "an INSERT of five rows", inserts, Way.NEAR);
    }

    private double[] select(Connection connection) throws SQLException {
        double[] milliseconds = new double[plan.samples()];
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            for (int index = -3; index < plan.samples(); index++) {
                long begun = System.nanoTime();
                try (var answer = statement.executeQuery()) {
                    if (!answer.next() || answer.getInt(1) != 1) {
                        faults.add("SELECT 1 did not answer 1");
                    }
                }
                if (index >= 0) {
                    milliseconds[index] = (System.nanoTime() - begun) / 1e6;
                }
            }
        }
        return milliseconds;
    }

    private double[] insert(Connection connection) throws SQLException {
        double[] milliseconds = new double[plan.samples()];
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (int index = -3; index < plan.samples(); index++) {
                for (int row = 0; row < ROWS_A_INSERT; row++) {
                    statement.setLong(2 * row + 1, inserted++);
                    statement.setString(2 * row + 2, "name " + row);
                }
                long begun = System.nanoTime();
                if (statement.executeUpdate() != ROWS_A_INSERT) {
                    faults.add("An INSERT of five rows wrote another number");
                }
                if (index >= 0) {
                    milliseconds[index] = (System.nanoTime() - begun) / 1e6;
                }
            }
        }
        return milliseconds;
    }

    private void latency(String id, String what, Map<Way, List<double[]>> samples, Way way) {
        List<double[]> before = samples.getOrDefault(Way.DIRECT, List.of());
        List<double[]> after = samples.getOrDefault(way, List.of());
        figure(id, what, "median latency", "ms", before, after, false);
    }

    private void load(String name, Supplier<Workload> workloads, boolean reconnect, Sources sources, Gateway database)
            throws SQLException, InterruptedException {
        boolean ycsb = name.startsWith("ycsb");
        Map<Way, List<double[]>> rates = new EnumMap<>(Way.class);
        Map<Way, List<double[]>> medians = new EnumMap<>(Way.class);
        Duration ramp = plan.run().dividedBy(3);
        // A slow transaction ends too seldom for the rate of one second to say anything.
        double sampleSeconds = ycsb ? 0.5 : Math.max(0.5, plan.run().toSeconds() / 2.0 - 0.5);
        RunPlan work = RunPlan.of(ycsb ? plan.concurrency() : TPCB_CLIENTS, plan.run())
                .withRamp(ramp)
                .withReconnect(reconnect)
                .withTolerateErrors(true);
        for (int round = 0; round < plan.rounds(); round++) {
            for (Way way : order()) {
                progress.accept(name + ", " + way.id() + ", round " + (round + 1) + " of " + plan.rounds());
                List<Double> perSecond = new ArrayList<>();
                List<Double> medianMs = new ArrayList<>();
                RunListener listener = new RunListener() {
                    private double seconds;
                    private long operations;

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
                        // The last one may be short.
                        if (tick.intervalSeconds() > 0.5) {
                            tick.operations().stream()
                                    .filter(part -> part.interval().name().equals("read"))
                                    .forEach(
                                            part -> medianMs.add(part.interval().quantileMs(0.5)));
                        }
                    }
                };
                Workload workload = workloads.get();
                try (Connection connection = database.connect("movr-edge")) {
                    workload.prepare(connection);
                }
                try (Open open = sources.open(way)) {
                    RunResult result = new Runner(workload, open.source()::getConnection, work, listener).run();
                    CachingDataSource cache = open.cache();
                    record(name, way, result, cache == null ? null : cache.statistics());
                }
                try (Connection connection = database.connect("movr-edge")) {
                    workload.check(connection).forEach(fault -> faults.add(name + ", " + way.id() + ": " + fault));
                }
                rates.computeIfAbsent(way, first -> new ArrayList<>()).add(array(perSecond));
                if (ycsb) {
                    medians.computeIfAbsent(way, first -> new ArrayList<>()).add(array(medianMs));
                }
            }
        }
        for (Way way : List.of(Way.PRESENCE, Way.NEAR)) {
            List<double[]> before = rates.getOrDefault(Way.DIRECT, List.of());
            List<double[]> after = rates.getOrDefault(way, List.of());
            // A higher rate is the better one.
            figure(
                    "edge-" + name + (way == Way.NEAR ? "-local" : ""),
                    name,
                    "throughput",
                    ycsb ? "ops/s" : "tps",
                    before,
                    after,
                    true);
        }
        if (name.equals("ycsb-b")) {
            latency("edge-ycsb-b-local-p50", "reads of ycsb-b, the median of each second", medians, Way.NEAR);
        }
    }

    private static double[] array(List<Double> values) {
        if (values.isEmpty()) {
            throw new UserError("Not one whole second was measured: use a longer --seconds");
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void record(String name, Way way, RunResult result, @Nullable CacheStatistics cache) {
        var total = result.total();
        if (total.errors() > 0) {
            faults.add(name + ", " + way.id() + ": " + total.errors() + " operations failed (" + result.firstFailure()
                    + ")");
        }
        Run run = new Run(
                name,
                way.id(),
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
                way.id(),
                run.perSecond(),
                run.p50Ms(),
                run.p99Ms(),
                cache == null ? "" : String.format(Locale.ROOT, "  hits %.1f%%", 100 * cache.hitRate())));
    }

    private void figure(
            String id,
            String what,
            String metric,
            String unit,
            List<double[]> allBefore,
            List<double[]> allAfter,
            boolean moreIsBetter) {
        int size = Stream.concat(allBefore.stream(), allAfter.stream())
                .mapToInt(block -> block.length)
                .min()
                .orElse(0);
        List<double[]> before = firstOf(allBefore, size);
        List<double[]> after = firstOf(allAfter, size);
        RunStatistics.Ratio improvement = moreIsBetter
                ? RunStatistics.ratioOfPairedMedians(after, before, SEED)
                : RunStatistics.ratioOfPairedMedians(before, after, SEED);
        drafts.add(new Draft(id, what, metric, unit, before, after, improvement));
    }

    /** What was measured of a published comparison, before it is judged among the others. */
    private record Draft(
            String id,
            String what,
            String metric,
            String unit,
            List<double[]> before,
            List<double[]> after,
            RunStatistics.Ratio improvement) {

        /** Returns whether there are enough measurements for a verdict. */
        boolean isJudged() {
            return Math.min(before.size(), after.size()) >= RunStatistics.MIN_RUNS;
        }
    }

    private void judge() {
        double[] adjusted = Holm.adjust(drafts.stream()
                .mapToDouble(draft -> draft.improvement().pValue())
                .toArray());
        for (int index = 0; index < adjusted.length; index++) {
            Draft draft = drafts.get(index);
            Interval improvement = draft.improvement().interval();
            double floor = noiseFloor(draft.before());
            boolean different = Comparison.isDifference(improvement, adjusted[index], floor);
            List<Published> published = PublishedFigures.load().of(draft.id()).stream()
                    .map(figure -> {
                        Verdict.Reasoned verdict = Verdict.of(improvement, different, floor, figure.improvement());
                        // One run of each was published.
                        return draft.isJudged()
                                ? figure.judged(null, true, verdict.verdict().id(), verdict.reason())
                                : figure.judged(null, true, Verdict.NOT_JUDGED, TOO_FEW);
                    })
                    .toList();
            figures.add(new Figure(
                    draft.id(),
                    draft.what(),
                    draft.metric(),
                    draft.unit(),
                    Comparison.median(draft.before()),
                    Comparison.median(draft.after()),
                    improvement,
                    floor,
                    draft.isJudged() ? adjusted[index] : null,
                    different,
                    published));
        }
    }

    /** Blocks of one size: the last second of a run may be missing. */
    private static List<double[]> firstOf(List<double[]> blocks, int size) {
        return blocks.stream().map(block -> Arrays.copyOf(block, size)).toList();
    }

    /** Returns the factor by which the direct way differs between the first and the second half of its rounds. */
    private static double noiseFloor(List<double[]> direct) {
        List<double[]> forth = new ArrayList<>();
        List<double[]> back = new ArrayList<>();
        for (int index = 0; index < direct.size(); index++) {
            (index % 2 == 0 ? forth : back).add(direct.get(index));
        }
        return RunStatistics.ratioOfPairedMedians(forth, back, SEED).interval().noiseFloor();
    }

    private List<String> conclusions(List<Staleness> staleness) {
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
