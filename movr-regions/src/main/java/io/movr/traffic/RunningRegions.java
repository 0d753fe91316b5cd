package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Ports;
import io.movr.database.ProcessEnd;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.MigrationProgress;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A cluster of several regions with loaded rows, and an instance of the service in each region. */
public final class RunningRegions implements AutoCloseable {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(10);

    private final Cluster cluster;
    private final RegionMap map;
    private final Schema schema;
    private final List<ServiceInstance> instances = new ArrayList<>();
    private final Set<Region> killed = ConcurrentHashMap.newKeySet();
    private final SteadyTraffic traffic;

    /** Creates regions without instances of the service. */
    public RunningRegions(Cluster cluster, RegionMap map) {
        this.cluster = cluster;
        this.map = map;
        this.schema = Schema.of(cluster, map);
        this.traffic = new SteadyTraffic(map);
    }

    /** Receives the progress while regions start. */
    public interface Listener {

        /** Reports the next step. */
        void progress(String step);

        /** Reports the start of a load, and returns an action that runs after it. */
        Runnable loading(LoadProgress progress, DatasetSpec rows);
    }

    /**
     * Checks that traffic can start at a stage, before the cluster is changed.
     *
     * @throws UserError if the schema is past that stage
     */
    public static void requireStageNotPassed(Cluster cluster, RegionMap map, Stage stage) {
        requireStageNotPassed(stage, Schema.of(cluster, map).current());
    }

    private static void requireStageNotPassed(Stage wanted, Optional<Stage> current) {
        if (current.isPresent() && wanted.isBefore(current.get())) {
            throw new UserError("The existing rows are at stage " + current.get() + ", which is after " + wanted
                    + ", and migrations only go forward: choose a later stage or an empty database");
        }
    }

    /**
     * Loads an empty cluster, migrates it to a stage, and starts an instance in each region.
     *
     * @param cluster a cluster with a gateway in each region of the map, which these regions do not close
     * @param stage the stage of the schema; empty for the last stage of a single region, or the current stage if it
     *     is later
     * @param firstPort the port of the first instance, the others use the next ports; 0 for any free ports
     * @param logs the folder of the logs, created if it is missing
     * @throws UserError if the cluster has other regions or is past the stage, or an instance does not start
     */
    public static RunningRegions start(
            Cluster cluster,
            RegionMap map,
            DatasetSpec rows,
            Optional<Stage> stage,
            int firstPort,
            Path logs,
            Listener listener)
            throws InterruptedException {
        if (!cluster.gateways().keySet().equals(map.cities().keySet())) {
            throw new UserError("The gateways are in " + cluster.gateways().keySet() + ", but the cities are in "
                    + map.cities().keySet() + ": name one --url and one --home for each region");
        }
        RunningRegions regions = new RunningRegions(cluster, map);
        try {
            regions.loadAndMigrate(rows, stage, listener);
            ProcessEnd.before(regions::close);
            listener.progress("Starting an instance of the service in each region");
            List<Integer> ports = ports(firstPort, map.cities().size());
            createFolder(logs);
            for (Region region : map.cities().keySet()) {
                regions.instances.add(ServiceInstance.start(
                        region,
                        map,
                        Objects.requireNonNull(cluster.gateways().get(region)),
                        ports.get(regions.instances.size()),
                        logs.resolve("app-" + region + ".log")));
            }
            for (ServiceInstance instance : regions.instances) {
                instance.await();
                regions.traffic.open(instance.region(), instance.url());
            }
            return regions;
        } catch (RuntimeException | InterruptedException failed) {
            regions.close();
            throw failed;
        }
    }

    private void loadAndMigrate(DatasetSpec rows, Optional<Stage> wanted, Listener listener)
            throws InterruptedException {
        Optional<Stage> current = schema.current();
        wanted.ifPresent(stage -> requireStageNotPassed(stage, current));
        // Nothing is measured yet, and loading over the simulated distances takes minutes.
        cluster.distant(false);
        // An interrupted load leaves the schema without rows.
        if (current.isEmpty() || !Stage.FOREIGN_KEYS.isBefore(current.get())) {
            LoadProgress progress = new LoadProgress();
            Runnable onLoaded = listener.loading(progress, rows);
            try {
                new BulkLoader(cluster.engine(), cluster.gateway(), progress).load(rows, 2, IfFilled.KEEP);
            } finally {
                onLoaded.run();
            }
        }
        Stage target = wanted.orElseGet(() -> current.filter(stage -> !stage.isBefore(Stage.UNUSED_INDEX_DROPPED))
                .orElse(Stage.UNUSED_INDEX_DROPPED));
        listener.progress("Migrating the schema to stage " + target);
        schema.migrateTo(target, now -> listener.progress(now.what()));
        Placement.settle(cluster.engine(), cluster.gateway(), map, target, PLACEMENT_LIMIT, listener::progress);
        cluster.distant(true);
    }

    private static List<Integer> ports(int first, int count) {
        try {
            return Ports.find(first, count);
        } catch (IOException taken) {
            throw new UserError(UserError.firstLine(taken) + ": choose others with --http-port", taken);
        }
    }

    private static void createFolder(Path logs) {
        try {
            Files.createDirectories(logs);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot create the folder '" + logs + "' (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** Migrates the schema while the instances serve requests. */
    public List<Stage> migrate(Stage stage, Consumer<MigrationProgress> progress) {
        return schema.migrateTo(stage, progress);
    }

    /**
     * Waits until every row is in its home region. CockroachDB moves rows asynchronously after a stage is applied.
     *
     * @return what is missing after the time limit, see {@link Placement#missing}; empty if every row is in its home
     *     region
     */
    public List<String> awaitPlacement(Duration limit, Consumer<String> progress) {
        return cluster.engine().isMultiRegion()
                ? Placement.await(cluster.gateway(), map, limit, progress).missing()
                : List.of();
    }

    public Cluster cluster() {
        return cluster;
    }

    public RegionMap map() {
        return map;
    }

    public Schema schema() {
        return schema;
    }

    /** Returns the instances, with the instance of the primary region first. */
    public List<ServiceInstance> instances() {
        return List.copyOf(instances);
    }

    /** Returns the traffic to the instances, which has a rate of 0 at first. */
    public SteadyTraffic traffic() {
        return traffic;
    }

    /** Kills the instance in a region by SIGKILL. */
    void killService(Region region) {
        ServiceInstance instance = instance(region);
        killed.add(region);
        try {
            instance.kill();
        } catch (IOException failed) {
            killed.remove(region);
            throw new UserError(
                    "The service of " + region + " cannot be killed: " + UserError.firstLine(failed), failed);
        }
    }

    /** Restarts the instance in a region, and waits until it is ready. */
    void restartService(Region region) throws InterruptedException {
        try {
            instance(region).restart();
            killed.remove(region);
        } catch (IOException failed) {
            throw new UserError(
                    "The service of " + region + " cannot be started: " + UserError.firstLine(failed), failed);
        }
    }

    /** Returns whether a command has killed the instance in a region, and it was not restarted. */
    public boolean isKilled(Region region) {
        return killed.contains(region);
    }

    private ServiceInstance instance(Region region) {
        return instances.stream()
                .filter(instance -> instance.region().equals(region))
                .findFirst()
                .orElseThrow(() -> new UserError("No service runs in " + region));
    }

    /** Ends the instances, which finish their current requests. */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>(List.of(traffic::close));
        instances.forEach(instance -> steps.add(instance::release));
        instances.forEach(instance -> steps.add(instance::close));
        Closeables.closeAll(steps, Runnable::run);
    }
}
