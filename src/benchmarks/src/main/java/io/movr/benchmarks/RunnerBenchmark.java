package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.benchmarks.ReferenceRunner.Speed;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.report.render.TextTable;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import io.movr.workload.ConnectionSource;
import io.movr.workload.KeyDistribution;
import io.movr.workload.MovrMix;
import io.movr.workload.MovrWorkload;
import io.movr.workload.RunListener;
import io.movr.workload.RunPlan;
import io.movr.workload.RunResult;
import io.movr.workload.Runner;
import io.movr.workload.Tpcb;
import io.movr.workload.Workload;
import io.movr.workload.Ycsb;
import io.movr.workload.YcsbMix;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the workload runner with the programs that others use for the same work: pgbench on PostgreSQL, {@code
 * cockroach workload} on CockroachDB. Both use one server and as many connections, and alternate.
 */
final class RunnerBenchmark {

    /** The workload of a comparison. */
    enum Kind {
        /** On PostgreSQL: pgbench's built-in script, scale 10. */
        TPCB,
        /** On PostgreSQL reads of one row by its key, uniformly from 10,000; on CockroachDB the workloads A to F. */
        YCSB,
        /** On CockroachDB: MovR's official mix on the schema of stage 6, of which both sides use the same rows. */
        MOVR
    }

    /**
     * The size of a comparison.
     *
     * @param rounds of four runs: runner, reference, reference, runner
     * @param seconds of each run
     * @param clients connections of each side; {@code null} for 4 on PostgreSQL, 1 and 8 on CockroachDB
     * @param jobs threads of pgbench; {@code null} for one per core. With fewer threads than connections, one thread
     *     drives several connections and continues with the first one that has an answer, which JDBC cannot do
     * @param letter of the YCSB workload on CockroachDB; {@code null} for A to F
     */
    record Plan(
            Kind kind,
            int rounds,
            int seconds,
            @Nullable Integer clients,
            @Nullable Integer jobs,
            @Nullable String letter) {

        public Plan {
            check(rounds >= 1 && rounds <= 100, "--rounds", rounds, "1 to 100");
            check(seconds >= 1 && seconds <= 3600, "--seconds", seconds, "1 to 3600");
            if (letter != null && !LETTERS.contains(letter)) {
                throw new UserError("--workload " + letter + " is unknown: choose A to F");
            }
            check(clients == null || (clients >= 1 && clients <= 150), "--clients", clients, "1 to 150");
            check(jobs == null || (jobs >= 1 && jobs <= 150), "--jobs", jobs, "1 to 150");
        }

        private static void check(boolean holds, String option, @Nullable Integer value, String range) {
            if (!holds) {
                throw new UserError(option + " " + value + " is out of range: " + range);
            }
        }
    }

    /** A workload with a number of connections. */
    private record Case(
            String title, Workload workload, ReferenceRunner reference, int clients, boolean insertsByKey) {}

    /**
     * The runs of both sides.
     *
     * @param title of the workload
     * @param clients connections of each side
     * @param runner the runs of movr's runner
     * @param reference the runs of the other program
     */
    record Measured(String title, int clients, List<Speed> runner, List<Speed> reference) {

        /** Returns the runner's median throughput divided by the reference's. */
        Interval ratio() {
            return Comparison.ofRuns(speeds(runner), speeds(reference));
        }

        private static double[] speeds(List<Speed> runs) {
            return runs.stream().mapToDouble(Speed::perSecond).toArray();
        }
    }

    /**
     * The result of the comparison.
     *
     * @param reference the name of the other program
     * @param bottlenecks that the runner reported
     */
    record Result(Plan plan, String reference, List<Measured> measured, List<String> bottlenecks) {

        /** Returns the figures for a terminal. */
        String text() {
            TextTable table = new TextTable("lrrrrrr")
                    .row(
                            "workload",
                            "connections",
                            reference + " ops/s",
                            "movr ops/s",
                            "ratio [95%]",
                            "p50 ms",
                            "p99 ms");
            for (Measured one : measured) {
                table.row(
                        one.title(),
                        Integer.toString(one.clients()),
                        String.format(Locale.ROOT, "%,.0f", perSecond(one.reference())),
                        String.format(Locale.ROOT, "%,.0f", perSecond(one.runner())),
                        one.ratio().text(2),
                        both(one, Speed::p50Ms),
                        both(one, Speed::p99Ms));
            }
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%d runs of %d s of each, in turns; medians%n%n%s",
                    2 * plan.rounds(),
                    plan.seconds(),
                    table));
            bottlenecks.stream()
                    .distinct()
                    .forEach(why -> text.append("! ").append(why).append(System.lineSeparator()));
            return text.toString();
        }

        private static String both(Measured one, Function<Speed, @Nullable Double> latency) {
            return one.reference().stream().anyMatch(run -> latency.apply(run) == null)
                    ? String.format(Locale.ROOT, "%.2f", median(one.runner(), latency))
                    : String.format(
                            Locale.ROOT,
                            "%.2f → %.2f",
                            median(one.reference(), latency),
                            median(one.runner(), latency));
        }
    }

    private static final int SCALE = 10;
    private static final int ROWS = 10_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int CLIENTS = 4;
    private static final List<Integer> COCKROACH_CLIENTS = List.of(1, 8);
    private static final List<String> LETTERS = List.of("A", "B", "C", "D", "E", "F");
    private static final List<String> INSERTING = List.of("D", "E");

    // pgbench has integer variables only. The statement builds the key, on both sides alike.
    private static final String READ = "SELECT * FROM usertable WHERE ycsb_key = 'user' || CAST(%s AS TEXT)";
    private static final String READ_SCRIPT =
            "\\set key abs(hash_fnv1a(random(0, " + (ROWS - 1) + "), 0))\n" + String.format(READ, ":key") + ";\n";

    private final Cluster cluster;
    private final Plan plan;
    private final Consumer<String> step;
    private final List<Case> cases;
    private final List<String> bottlenecks = new ArrayList<>();

    /**
     * Creates a comparison.
     *
     * @param cockroach returns the {@code cockroach} program; called on CockroachDB only
     * @param step receives the progress
     * @throws UserError if there is no such benchmark on the engine
     */
    RunnerBenchmark(Cluster cluster, Plan plan, Supplier<Path> cockroach, Consumer<String> step) {
        this.cluster = cluster;
        this.plan = plan;
        this.step = step;
        this.cases = switch (cluster.engine()) {
            case POSTGRESQL -> List.of(besidePgbench());
            case COCKROACHDB -> besideCockroachWorkload(cockroach.get());
        };
    }

    private Case besidePgbench() {
        if (plan.letter() != null && !plan.letter().equals("C")) {
            throw new UserError(
                    "Beside pgbench only workload C is measured: leave --workload out, or add --engine cockroach");
        }
        int clients = plan.clients() == null ? CLIENTS : plan.clients();
        int jobs = plan.jobs() == null ? Runtime.getRuntime().availableProcessors() : plan.jobs();
        return switch (plan.kind()) {
            case TPCB ->
                new Case(
                        "TPC-B, scale " + SCALE,
                        new Tpcb(SCALE, Tpcb.Order.PGBENCH),
                        new ReferenceRunner.OfPgbench(Pgbench.unlimited(List.of(), jobs)),
                        clients,
                        false);
            case YCSB ->
                new Case(
                        "YCSB C, uniform",
                        new Ycsb(
                                new Ycsb.Settings(YcsbMix.named("C"), ROWS, KeyDistribution.UNIFORM, false),
                                String.format(READ, "?")),
                        new ReferenceRunner.OfPgbench(Pgbench.unlimited(List.of(READ_SCRIPT), jobs)),
                        clients,
                        false);
            case MOVR ->
                throw new UserError("MovR's mix is compared with 'cockroach workload run movr', on CockroachDB: add"
                        + " --engine cockroach");
        };
    }

    private List<Case> besideCockroachWorkload(Path cockroach) {
        if (plan.jobs() != null) {
            throw new UserError("--jobs is about pgbench, which measures PostgreSQL: leave --jobs out");
        }
        List<Integer> clients = plan.clients() == null ? COCKROACH_CLIENTS : List.of(plan.clients());
        return switch (plan.kind()) {
            case TPCB ->
                throw new UserError(
                        "TPC-B is compared with pgbench, on PostgreSQL: leave --engine and --url out, or name a PostgreSQL");
            case YCSB ->
                LETTERS.stream()
                        .filter(letter -> plan.letter() == null || plan.letter().equals(letter))
                        .flatMap(letter -> clients.stream().map(many -> ycsb(cockroach, letter, many)))
                        .toList();
            case MOVR ->
                clients.stream()
                        .map(many -> new Case(
                                "movr at stage 6",
                                new MovrWorkload(MovrMix.named("movr"), 0.95, List.of()),
                                new CockroachWorkload(cockroach, "movr", List.of(), false),
                                many,
                                false))
                        .toList();
        };
    }

    private static Case ycsb(Path cockroach, String letter, int clients) {
        Ycsb.Settings settings = Ycsb.Settings.of(letter, ROWS);
        return new Case(
                "YCSB " + letter,
                new Ycsb(settings),
                new CockroachWorkload(
                        cockroach,
                        "ycsb",
                        List.of(
                                "--workload=" + letter,
                                "--insert-count=" + ROWS,
                                "--families=" + settings.mix().families(),
                                // The keys depend on the seed. By default run draws another seed than init, and
                                // reads rows that do not exist.
                                "--seed=1"),
                        true),
                clients,
                INSERTING.contains(letter));
    }

    /** Returns the duration of all runs, without the creation of tables. */
    Duration duration() {
        return Duration.ofSeconds(cases.size() * 2L * (2L * plan.rounds() * plan.seconds() + warmUpSeconds()));
    }

    private int warmUpSeconds() {
        return Math.min(WARM_UP_SECONDS, plan.seconds());
    }

    /**
     * Runs the comparison in databases that it creates and drops.
     *
     * @throws UserError if the other program is missing, or a run fails
     */
    Result run() throws InterruptedException {
        List<Measured> measured = new ArrayList<>();
        try (Databases databases = new Databases(cluster)) {
            for (Case one : cases) {
                step.accept(one.title() + ": making the tables…");
                Gateway ours = databases.create("runner");
                Gateway theirs = one.reference().hasOwnTables() ? databases.create("reference") : ours;
                init(one, ours, theirs);
                measured.add(measure(one, ours, theirs, cases.indexOf(one) + 1));
                databases.drop(ours);
                if (one.reference().hasOwnTables()) {
                    databases.drop(theirs);
                }
            }
        } catch (IOException | SQLException failed) {
            throw new UserError("The benchmark failed: " + UserError.firstLine(failed), failed);
        }
        return new Result(plan, cases.get(0).reference().name(), measured, bottlenecks);
    }

    private void init(Case one, Gateway ours, Gateway theirs) throws SQLException, IOException, InterruptedException {
        if (plan.kind() == Kind.MOVR) {
            new BulkLoader(cluster.engine(), ours, new LoadProgress()).load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
            new Schema(cluster.engine(), ours).migrateTo(Stage.UNUSED_INDEX_DROPPED);
        }
        try (Connection connection = ours.connect();
                Statement statement = connection.createStatement()) {
            if (one.insertsByKey()) {
                statement.execute("DROP TABLE IF EXISTS "
                        + String.join(", ", one.workload().tables()));
            }
            one.workload().init(connection, step);
            one.workload().prepare(connection);
        }
        if (one.reference().hasOwnTables()) {
            one.reference().init(theirs);
        }
    }

    private Measured measure(Case one, Gateway ours, Gateway theirs, int number)
            throws IOException, SQLException, InterruptedException {
        List<Speed> runner = new ArrayList<>();
        List<Speed> reference = new ArrayList<>();
        step.accept(one.title() + ": warming up…");
        runOnce(one, ours, warmUpSeconds());
        one.reference().run(theirs, one.clients(), warmUpSeconds());
        for (int round = 0; round < plan.rounds(); round++) {
            for (boolean isOurs : List.of(true, false, false, true)) {
                if (one.insertsByKey()) {
                    init(one, ours, theirs);
                }
                Server.checkpoint(cluster);
                step.accept(String.format(
                        Locale.ROOT,
                        "%d/%d %s, connections: %d, round %d of %d, %s…",
                        number,
                        cases.size(),
                        one.title(),
                        one.clients(),
                        round + 1,
                        plan.rounds(),
                        isOurs ? "movr" : one.reference().name()));
                if (isOurs) {
                    runner.add(runOnce(one, ours, plan.seconds()));
                } else {
                    reference.add(one.reference().run(theirs, one.clients(), plan.seconds()));
                }
            }
        }
        return new Measured(one.title(), one.clients(), runner, reference);
    }

    private Speed runOnce(Case one, Gateway gateway, int seconds) throws InterruptedException {
        RunResult result = new Runner(
                        one.workload(),
                        ConnectionSource.of(gateway, "movr-benchmark"),
                        RunPlan.of(one.clients(), Duration.ofSeconds(seconds)),
                        RunListener.NONE)
                .run();
        if (!result.succeeded()) {
            throw new UserError("The benchmark failed: " + result.firstFailure());
        }
        result.cost().bottleneck().ifPresent(bottlenecks::add);
        return new Speed(
                result.perSecond(),
                result.total().quantileMs(0.5),
                result.total().quantileMs(0.99));
    }

    /** Returns the median of runs. */
    static double perSecond(List<Speed> runs) {
        return median(runs, Speed::perSecond);
    }

    private static double median(List<Speed> runs, Function<Speed, @Nullable Double> of) {
        double[] sorted = runs.stream()
                .map(of)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
