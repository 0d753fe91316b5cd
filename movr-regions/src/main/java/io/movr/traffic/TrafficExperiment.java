package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Engine;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.environment.Preflight;
import io.movr.environment.Program;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.report.TrafficResults;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The measurement of traffic from several regions before and after rows are placed. It starts its own regions, and
 * writes a run bundle.
 */
public final class TrafficExperiment {

    /** The database of the later stage on nodes that the command starts. */
    private static final String AFTER_DATABASE = "movr_after";

    /** The tolerated relative difference of the number of rides, because traffic of earlier runs adds some. */
    private static final double MAX_DIFFERENCE = 0.1;

    private final Request request;
    private final TrafficPlan plan;
    private final DatabaseSource database;
    private final RegionMap map;
    private final Distances distances;
    private final RunDisplay display;
    private final RunningRegions.Listener starting;

    /**
     * The settings of the experiment.
     *
     * @param scale the name of the dataset's scale
     * @param out the folder in which the run bundle is made
     * @param command the words of the command line, for the record
     */
    public record Request(
            TrafficPlan plan,
            DatabaseSource database,
            RegionChoice regions,
            DatasetSpec rows,
            String scale,
            Path out,
            Program program,
            List<String> command) {}

    /**
     * A finished experiment.
     *
     * @param bundle the run bundle with the results
     */
    public record Outcome(TrafficResults results, RunBundle bundle, Engine engine) {}

    /**
     * Prepares an experiment.
     *
     * @param starting shows the start of the regions
     * @throws UserError if the experiment is not possible
     */
    public TrafficExperiment(Request request, RunDisplay display, RunningRegions.Listener starting) {
        this.request = request;
        this.plan = request.plan();
        this.database = request.database();
        this.display = display;
        this.starting = starting;
        if (!Stage.of(database.engine()).contains(plan.after()) && !database.isNamed()) {
            throw new UserError("There is no stage " + plan.after() + " on "
                    + database.engine().title() + ": the last one is " + Stage.latest(database.engine()));
        }
        map = request.regions().mapOr(RegionMap.standard());
        database.requireNodes(map);
        if (request.regions().hasRoundTrips()) {
            database.requireOwnLinks("--rtt");
        }
        if (plan.afterDatabase() != null && !database.hasUrl()) {
            throw new UserError(
                    "--after-database requires --url: where movr starts the servers, it makes a database for"
                            + " each stage");
        }
        distances = request.regions().distances(map);
        RunBundle.check(request.out());
        TrafficRun.requireLoadGenerator();
    }

    /**
     * Checks running databases, before other work is done on them.
     *
     * @param force whether to measure in spite of problems that the preflight finds
     * @throws UserError if the experiment is not possible on them
     */
    public void checkNamed(boolean force) {
        if (!database.hasUrl()) {
            return;
        }
        database.requireRegions(map);
        try (Cluster cluster = database.regions(map, distances, null, false)) {
            RunningRegions.requireStageNotPassed(cluster, map, plan.before());
            Cluster second = secondCluster(cluster);
            if (second != null) {
                RunningRegions.requireStageNotPassed(second, map, plan.after());
            }
            if (!force) {
                cluster.gateways().values().forEach(gateway -> Preflight.requireSound(TrafficRun.preflight(gateway)));
            }
        }
    }

    /** Runs the experiment. */
    public Outcome run() throws InterruptedException {
        DatasetSpec rows = request.rows();
        display.line(String.format(
                Locale.ROOT,
                "%d runs of %d s at %s and at %s, %s, %s arrivals/s in %d regions: about %s, and what loading and the stages take",
                plan.runs(),
                plan.duration().toSeconds(),
                plan.before(),
                plan.after(),
                database.hasUrl() && plan.afterDatabase() == null ? "one stage after the other" : "alternating",
                BigDecimal.valueOf(plan.arrivalsPerSecond())
                        .stripTrailingZeros()
                        .toPlainString(),
                map.cities().size(),
                RunDisplay.duration(
                        TrafficRun.expectedDuration(plan, database.engine()).toMillis() / 1e3)));
        display.progress("Starting the database of each region…");
        try (Cluster cluster = database.regions(map, distances, null, plan.killed() != null);
                Cluster second = secondCluster(cluster)) {
            RunBundle bundle = RunBundle.create(
                    request.out(), Instant.now(), cluster.engine().folder(), "traffic");
            long startNanos = System.nanoTime();
            LoadTimer loadTimer = new LoadTimer(starting);
            try (RunningRegions before = start(cluster, rows, plan.before(), bundle.folder(), loadTimer);
                    RunningRegions after = second == null
                            ? null
                            : start(
                                    second,
                                    rows,
                                    firstStage(second),
                                    bundle.folder().resolve("after"),
                                    starting)) {
                if (second != null && plan.afterDatabase() != null) {
                    requireSimilarSize(cluster, second);
                }
                display.line("Regions ready after " + RunDisplay.duration((System.nanoTime() - startNanos) / 1e9));
                TrafficResults results = new TrafficRun(
                                before, after == null ? before : after, plan, bundle, display::progress)
                        .run(rows, request.scale(), request.program(), request.command(), loadTimer.seconds);
                return new Outcome(results, bundle, cluster.engine());
            }
        } finally {
            display.clear();
        }
    }

    /** Returns the cluster of the later stage; {@code null} if both stages share a database. */
    private @Nullable Cluster secondCluster(Cluster first) {
        if (!first.servers().isEmpty()) {
            return database.regions(map, distances, null, false);
        }
        String name = plan.afterDatabase();
        if (name != null) {
            if (name.equals(first.gateway().database())) {
                throw new UserError("--after-database " + name + " is the database of --url: name another one");
            }
            return OtherDatabase.of(first, name);
        }
        return database.hasUrl() ? null : OtherDatabase.create(first, AFTER_DATABASE);
    }

    /**
     * Returns the stage at which the database of the later stage starts: the first stage of the plan, unless an
     * earlier run has migrated it further.
     */
    private Stage firstStage(Cluster second) {
        RunningRegions.requireStageNotPassed(second, map, plan.after());
        return Schema.of(second, map).current().filter(plan.before()::isBefore).orElse(plan.before());
    }

    /** Checks that both databases have a similar size, which they do not have if one was loaded at another scale. */
    private static void requireSimilarSize(Cluster before, Cluster after) {
        long first = rides(before);
        long second = rides(after);
        if (Math.abs(first - second) > MAX_DIFFERENCE * Math.max(first, second)) {
            throw new UserError(String.format(
                    Locale.ROOT,
                    "There are %,d rides in %s and %,d in %s, which cannot be compared: load both at the same --scale",
                    first,
                    before.gateway().database(),
                    second,
                    after.gateway().database()));
        }
    }

    private static long rides(Cluster cluster) {
        try (Connection connection = cluster.gateway().connect()) {
            return Long.parseLong(Rows.one(connection, "SELECT count(*) FROM rides"));
        } catch (SQLException failed) {
            throw new UserError("Cannot count the rides: " + UserError.firstLine(failed), failed);
        }
    }

    private RunningRegions start(
            Cluster cluster, DatasetSpec rows, Stage stage, Path logs, RunningRegions.Listener listener)
            throws InterruptedException {
        return RunningRegions.start(cluster, map, rows, Optional.of(stage), 0, logs, listener);
    }

    /** Measures the time of the load, if there is one. */
    private static final class LoadTimer implements RunningRegions.Listener {

        private final RunningRegions.Listener delegate;
        private @Nullable Double seconds;

        private LoadTimer(RunningRegions.Listener delegate) {
            this.delegate = delegate;
        }

        @Override
        public void progress(String step) {
            delegate.progress(step);
        }

        @Override
        public Runnable loading(LoadProgress progress, DatasetSpec rows) {
            long startNanos = System.nanoTime();
            Runnable onLoaded = delegate.loading(progress, rows);
            return () -> {
                seconds = (System.nanoTime() - startNanos) / 1e9;
                onLoaded.run();
            };
        }
    }
}
