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

/** A cluster of several regions with rows in it, and an instance of the service in each region. */
public final class RunningRegions implements AutoCloseable {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(10);

    private final Cluster cluster;
    private final RegionMap map;
    private final Schema schema;
    private final List<ServiceInstance> instances = new ArrayList<>();
    private final Set<Region> killed = ConcurrentHashMap.newKeySet();
    private final SteadyTraffic traffic;

    /** Regions as they are, without an instance of the service. */
    public RunningRegions(Cluster cluster, RegionMap map) {
        this.cluster = cluster;
        this.map = map;
        this.schema = Schema.of(cluster, map);
        this.traffic = new SteadyTraffic(map);
    }

    /** What is told while regions are started. */
    public interface Listener {

        /** Something that is about to be done. */
        void progress(String what);

        /** A load begins, whose progress can be watched; what is answered is run when it is over. */
        Runnable loading(LoadProgress progress, DatasetSpec rows);
    }

    /**
     * Makes sure that traffic can begin at a stage, before anything is done in a cluster.
     *
     * @throws UserError when its rows are past that stage
     */
    public static void check(Cluster cluster, RegionMap map, Stage stage) {
        requireNotPast(stage, Schema.of(cluster, map).current());
    }

    private static void requireNotPast(Stage wanted, Optional<Stage> current) {
        if (current.isPresent() && wanted.isBefore(current.get())) {
            throw new UserError("The rows that are there are at stage " + current.get() + ", past " + wanted
                    + ", and stages go forward only: choose a later one, or begin with a database without rows");
        }
    }

    /**
     * Loads an empty cluster, brings it to a stage, and starts an instance in each region.
     *
     * @param cluster with a gateway in each region of the map; it is not closed with this
     * @param stage that at which a new cluster begins; empty for the last of one region. One that is further is left there
     * @param firstPort of the instances, which take one after the other; 0 for any that are free
     * @param logs a folder for theirs, made when it is missing
     * @throws UserError when the cluster has other regions, is past the stage, or an instance does not start
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
            throw new UserError("There are gateways of " + cluster.gateways().keySet() + ", and cities in "
                    + map.cities().keySet() + ": name one --url and one --home a region");
        }
        RunningRegions regions = new RunningRegions(cluster, map);
        try {
            regions.fill(rows, stage, listener);
            ProcessEnd.before(regions::close);
            listener.progress("Starting an instance of the service in each region");
            List<Integer> ports = ports(firstPort, map.cities().size());
            makeFolder(logs);
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

    private void fill(DatasetSpec rows, Optional<Stage> wanted, Listener listener) throws InterruptedException {
        Optional<Stage> current = schema.current();
        wanted.ifPresent(stage -> requireNotPast(stage, current));
        // Nobody measures yet, and what crosses an ocean statement by statement takes minutes.
        cluster.distant(false);
        // A load that was cut off has left the stage, but no rows.
        if (current.isEmpty() || !Stage.FOREIGN_KEYS.isBefore(current.get())) {
            LoadProgress progress = new LoadProgress();
            Runnable over = listener.loading(progress, rows);
            try {
                new BulkLoader(cluster.engine(), cluster.gateway(), progress).load(rows, 2, IfFilled.KEEP);
            } finally {
                over.run();
            }
        }
        Stage target = wanted.orElseGet(() -> current.filter(stage -> !stage.isBefore(Stage.UNUSED_INDEX_DROPPED))
                .orElse(Stage.UNUSED_INDEX_DROPPED));
        listener.progress("Bringing the schema to stage " + target);
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

    private static void makeFolder(Path logs) {
        try {
            Files.createDirectories(logs);
        } catch (IOException failed) {
            throw new UserError("Cannot make the folder '" + logs + "' (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** Brings the schema to another stage while the instances serve. */
    public List<Stage> migrate(Stage stage, Consumer<MigrationProgress> progress) {
        return schema.migrateTo(stage, progress);
    }

    /**
     * Waits until every row is placed in its home region, which CockroachDB goes on doing after a stage is applied.
     *
     * @return what is still missing after the limit, see {@link Placement#missing}; empty if nothing is
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

    /** The instances, that of the primary region first. */
    public List<ServiceInstance> instances() {
        return List.copyOf(instances);
    }

    /** The traffic that can be sent to the instances; none is until it is told to. */
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

    /** Starts the instance in a region again, and waits until it answers. */
    void restartService(Region region) throws InterruptedException {
        try {
            instance(region).restart();
            killed.remove(region);
        } catch (IOException failed) {
            throw new UserError(
                    "The service of " + region + " cannot be started: " + UserError.firstLine(failed), failed);
        }
    }

    /** Whether the instance in a region was killed on purpose, and not started again. */
    public boolean isKilled(Region region) {
        return killed.contains(region);
    }

    private ServiceInstance instance(Region region) {
        return instances.stream()
                .filter(instance -> instance.region().equals(region))
                .findFirst()
                .orElseThrow(() -> new UserError("No service runs in " + region));
    }

    /** Ends the instances; they finish the requests that are under way. */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>(List.of(traffic::close));
        instances.forEach(instance -> steps.add(instance::release));
        instances.forEach(instance -> steps.add(instance::close));
        Closeables.closeAll(steps, Runnable::run);
    }
}
