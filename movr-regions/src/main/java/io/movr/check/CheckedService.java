package io.movr.check;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.FaultTarget;
import io.movr.database.Gateway;
import io.movr.database.Ports;
import io.movr.database.Rows;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.Invariants;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.traffic.ServiceInstance;
import io.movr.traffic.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The instances of the service that a check goes through: one, or one in each region. */
final class CheckedService implements AutoCloseable {

    /** The table of the schema changes. */
    static final String TABLE = "rides";

    private static final int LOADERS = 2;

    private final List<ServiceProcess> instances = new ArrayList<>();
    /** The URLs that clients use. */
    private final List<String> baseUrls = new ArrayList<>();

    private CheckedService() {}

    /** Loads the smallest data set, and migrates the schema to the last stage of a single region. */
    static void load(Cluster cluster, Gateway database, @Nullable ClientDefect defect) {
        // Nothing is measured yet, and the load is faster without the simulated distances.
        cluster.distant(false);
        new BulkLoader(cluster.engine(), database, new LoadProgress())
                .load(Scale.TINY.spec(1), LOADERS, IfFilled.REFUSE);
        new Schema(cluster.engine(), database).migrateTo(Stage.UNUSED_INDEX_DROPPED);
        cluster.distant(true);
        if (defect == ClientDefect.BYPASS) {
            try (Connection connection = database.connect("movr-check")) {
                Rows.execute(
                        connection,
                        "UPDATE vehicles SET status = 'in_use'"
                                + " WHERE id = (SELECT id FROM vehicles WHERE status = 'available' ORDER BY id LIMIT 1)");
            } catch (SQLException failed) {
                throw new UserError("Cannot change a vehicle: " + UserError.firstLine(failed), failed);
            }
        }
    }

    /**
     * Starts the instances.
     *
     * @param gateways the gateway of each instance, by region, or by {@code server}
     * @param faults the faults that can be injected into the instances; {@code null} for none
     * @param logs the folder of their logs
     */
    static CheckedService start(
            Map<String, Gateway> gateways,
            boolean inRegions,
            RegionMap map,
            AppendRun.Settings settings,
            @Nullable Faults faults,
            Path logs)
            throws InterruptedException {
        CheckedService service = new CheckedService();
        try {
            List<Integer> ports = Ports.find(0, gateways.size());
            for (Map.Entry<String, Gateway> gateway : gateways.entrySet()) {
                String name = inRegions ? "service-" + gateway.getKey() : "service";
                List<String> options = new ArrayList<>(List.of(
                        "--set=movr.database.isolation=" + settings.isolation().id()));
                if (inRegions) {
                    options.addAll(ServiceInstance.options(new Region(gateway.getKey()), map));
                }
                ServiceProcess instance = ServiceProcess.start(
                        "The " + name,
                        gateway.getValue(),
                        ports.get(service.instances.size()),
                        logs.resolve(name + ".log"),
                        options);
                service.instances.add(instance);
                service.baseUrls.add(
                        faults == null
                                ? instance.url()
                                : "http://127.0.0.1:"
                                        + faults.addService(new InstanceFaultTarget(name, instance), instance.port()));
            }
            for (ServiceProcess instance : service.instances) {
                instance.await();
            }
            return service;
        } catch (IOException failed) {
            service.close();
            throw new UserError("There is no free port (" + UserError.firstLine(failed) + ")", failed);
        } catch (RuntimeException | InterruptedException failed) {
            service.close();
            throw failed;
        }
    }

    /** Returns the lists that the endpoints of the instances store. */
    ServiceLists lists(List<String> cities, AppendRun.Settings settings) {
        return new ServiceLists(
                baseUrls,
                instances.stream().map(ServiceProcess::url).toList(),
                cities,
                settings.shape(),
                settings.seed(),
                settings.defect() != ClientDefect.RETRY);
    }

    /** Returns the violated invariants of the MovR rows, a sentence each. */
    static List<String> invariantViolations(Gateway database) {
        try {
            return Invariants.violations(database).stream()
                    .map(violation -> String.format(Locale.ROOT, "%s (%,d rows)", violation.rule(), violation.rows()))
                    .toList();
        } catch (SQLException failed) {
            throw new UserError("Cannot check MovR's rows: " + UserError.firstLine(failed), failed);
        }
    }

    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>();
        instances.forEach(instance -> steps.add(instance::release));
        instances.forEach(instance -> steps.add(instance::close));
        Closeables.closeAll(steps, Runnable::run);
    }

    private record InstanceFaultTarget(String name, ServiceProcess process) implements FaultTarget {

        private interface Step {
            void run() throws IOException, InterruptedException;
        }

        private static void run(Step step) {
            try {
                step.run();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("The start of an instance was interrupted", interrupted);
            }
        }

        @Override
        public void kill() {
            run(process::kill);
        }

        @Override
        public void start() {
            run(process::restart);
        }

        @Override
        public void pause() {
            run(process::pause);
        }

        @Override
        public void resume() {
            run(process::resume);
        }
    }
}
