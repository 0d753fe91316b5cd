package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.environment.Preflight;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.TrafficPlan;
import io.movr.traffic.TrafficRun;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Regions that are started for traffic before and after rows are placed, with the bundle that this leaves. */
final class TrafficExperiment {

    /** On nodes that end with the command. */
    private static final String AFTER_DATABASE = "movr_after";

    /** Of the number of rides: traffic of earlier runs adds some. */
    private static final double MOST_DIFFERENCE = 0.1;

    private final TrafficPlan plan;
    private final RegionMap map;
    private final Distances distances;
    private final DatabaseOptions database;
    private final DatasetOptions dataset;
    private final Path out;
    private final Terminal terminal;
    private final List<String> words;

    /**
     * A finished one.
     *
     * @param bundle where everything about it is
     */
    record Outcome(TrafficResults results, RunBundle bundle, Engine engine) {}

    /**
     * Prepares it.
     *
     * @param roundTrips as {@code --rtt} names them
     * @param out folder that the run bundle is made in
     * @param words of the command line
     * @throws UserError when it cannot be run
     */
    TrafficExperiment(
            TrafficPlan plan,
            RegionOptions regions,
            List<String> roundTrips,
            DatabaseOptions database,
            DatasetOptions dataset,
            Path out,
            Terminal terminal,
            List<String> words) {
        this.plan = plan;
        this.database = database;
        this.dataset = dataset;
        this.out = out;
        this.terminal = terminal;
        this.words = words;
        if (!Stage.of(database.engine()).contains(plan.after()) && !database.isNamed()) {
            throw new UserError("There is no stage " + plan.after() + " on "
                    + database.engine().title() + ": the last one is " + Stage.latest(database.engine()));
        }
        map = regions.map();
        database.checkNodes(map);
        if (!roundTrips.isEmpty()) {
            database.requireOwnLinks("--rtt");
        }
        if (plan.afterDatabase() != null && !database.hasUrl()) {
            throw new UserError(
                    "--after-database is about a cluster that --url names, because movr makes a database for"
                            + " each stage where it starts the servers: leave it out, or add --url");
        }
        distances = RegionsCommand.distances(roundTrips, map);
        RunBundle.check(out);
        TrafficRun.check();
    }

    /**
     * Makes sure that databases which are named are fit for it, when it is to come after other work.
     *
     * @param force whether to measure although the preflight finds a problem
     */
    void checkNamed(boolean force) {
        if (!database.hasUrl()) {
            return;
        }
        database.requireRegions(map);
        try (Cluster cluster = database.regions(map, distances, null)) {
            RunningRegions.check(cluster, map, plan.before());
            Cluster second = second(cluster);
            if (second != null) {
                RunningRegions.check(second, map, plan.after());
            }
            if (!force) {
                cluster.gateways().values().forEach(gateway -> Preflight.requireSound(TrafficRun.preflight(gateway)));
            }
        }
    }

    /** Runs it and shows its progress in the terminal. */
    Outcome run() throws InterruptedException {
        DatasetSpec rows = dataset.spec();
        terminal.line(String.format(
                Locale.ROOT,
                "%d runs of %d s at %s and at %s, %s, %s arrivals/s in %d regions: about %s, and what loading and the stages take",
                plan.runs(),
                plan.duration().toSeconds(),
                plan.before(),
                plan.after(),
                database.hasUrl() && plan.afterDatabase() == null ? "one after the other" : "in turn",
                BigDecimal.valueOf(plan.arrivalsPerSecond())
                        .stripTrailingZeros()
                        .toPlainString(),
                map.cities().size(),
                Terminal.duration(TrafficRun.expected(plan, database.engine()).toMillis() / 1e3)));
        terminal.progress("Starting the database of each region…");
        try (Cluster cluster = database.regions(map, distances, null, plan.killed() != null);
                Cluster second = second(cluster)) {
            RunBundle bundle =
                    RunBundle.create(out, Instant.now(), cluster.engine().folder(), "traffic");
            long begun = System.nanoTime();
            RunningRegions.Listener display = new RegionsCommand.Display(terminal);
            Loading loading = new Loading(display);
            try (RunningRegions before = start(cluster, rows, plan.before(), bundle.folder(), loading);
                    RunningRegions after = second == null
                            ? null
                            : start(second, rows, first(second), bundle.folder().resolve("after"), display)) {
                if (second != null && plan.afterDatabase() != null) {
                    requireLikeRows(cluster, second);
                }
                terminal.line("Regions ready after " + Terminal.duration((System.nanoTime() - begun) / 1e9));
                TrafficResults results = new TrafficRun(
                                before, after == null ? before : after, plan, bundle, terminal::progress)
                        .run(rows, dataset.scaleName(), Build.program(), words, loading.seconds);
                return new Outcome(results, bundle, cluster.engine());
            }
        } finally {
            terminal.clear();
        }
    }

    /** Where the runs after have a database of their own; {@code null} where both stages share one. */
    private @Nullable Cluster second(Cluster first) {
        if (!first.servers().isEmpty()) {
            return database.regions(map, distances, null);
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

    /** At which stage the database of the runs after begins: the same as the other, unless an earlier run left it further. */
    private Stage first(Cluster second) {
        RunningRegions.check(second, map, plan.after());
        return Schema.of(second, map).current().filter(plan.before()::isBefore).orElse(plan.before());
    }

    /** Refuses databases that differ in size, as they do if one of them was loaded at another scale. */
    private static void requireLikeRows(Cluster before, Cluster after) {
        long first = rides(before);
        long second = rides(after);
        if (Math.abs(first - second) > MOST_DIFFERENCE * Math.max(first, second)) {
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

    /** Takes the time of the load, if there is one. */
    private static final class Loading implements RunningRegions.Listener {

        private final RunningRegions.Listener shown;
        private @Nullable Double seconds;

        private Loading(RunningRegions.Listener shown) {
            this.shown = shown;
        }

        @Override
        public void progress(String what) {
            shown.progress(what);
        }

        @Override
        public Runnable loading(LoadProgress progress, DatasetSpec rows) {
            long begun = System.nanoTime();
            Runnable over = shown.loading(progress, rows);
            return () -> {
                seconds = (System.nanoTime() - begun) / 1e9;
                over.run();
            };
        }
    }
}
