package io.movr.console;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.EmbeddedRegions;
import io.movr.database.ProcessEnd;
import io.movr.dataset.DatasetSpec;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import io.movr.schema.Stage;
import io.movr.traffic.Control;
import io.movr.traffic.RegionChoice;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Regions that run until another command stops them: servers, instances of the service, and the console. */
public final class RegionsRun {

    private final Request request;
    private final RegionMap map;
    private final Display display;

    /**
     * The settings of the regions.
     *
     * @param stage the stage of a new database; empty for the last stage of a single region
     * @param httpPort the port of the first instance, the others use the next ports; 0 for any free ports
     * @param keep whether PostgreSQL keeps the rows for the next start
     * @param consolePort the port of the console; 0 for any free port, {@code null} for the first free port from 8070
     *     on
     * @param listen the address of the console; {@code null} for the loopback address
     * @param out the parent folder of the recordings of the console
     */
    public record Request(
            DatabaseSource database,
            RegionChoice regions,
            DatasetSpec rows,
            Optional<Stage> stage,
            int httpPort,
            boolean keep,
            @Nullable Integer consolePort,
            @Nullable String listen,
            Path out) {}

    /** The display of regions. */
    public interface Display {

        /** Shows the start. */
        RunDisplay start();

        /** Returns the display of the steps while regions start. */
        RunningRegions.Listener starting();

        /** Shows regions that have started. */
        void started(RunningRegions running, Console page);

        /** Shows where the console has recorded the run. */
        void recorded(Path page);
    }

    private RegionsRun(Request request, RegionMap map, Display display) {
        this.request = request;
        this.map = map;
        this.display = display;
    }

    /** Returns the folder in which regions keep their files, and in which other commands find their control endpoint. */
    public static Path folder() {
        return Path.of(System.getProperty("movr.root", "."), ".movr", "regions");
    }

    /**
     * Starts regions, and returns when they have been stopped.
     *
     * @throws UserError if they cannot be started, or an instance of the service ends by itself
     */
    public static void of(Request request, Display display) throws InterruptedException {
        RegionMap map = request.regions().mapOr(RegionMap.standard());
        DatabaseSource database = request.database();
        database.requireNodes(map);
        if (request.regions().hasRoundTrips()) {
            database.requireOwnLinks("--rtt");
        }
        if (request.keep()) {
            database.requireEmbedded("--keep");
        }
        int lastPort = 65_536 - map.cities().size();
        if (request.httpPort() < 0 || request.httpPort() > lastPort) {
            throw new UserError("--http-port " + request.httpPort() + " is out of range: 0 to " + lastPort);
        }
        if (request.consolePort() != null) {
            Console.requirePort(request.consolePort());
        }
        RunBundle.check(request.out());
        new RegionsRun(request, map, display).run();
    }

    private void run() throws InterruptedException {
        DatabaseSource database = request.database();
        RunDisplay start = display.start();
        endWithParent();
        try (Control control = Control.lock(folder())) {
            if (database.startsNodes()) {
                start.line(map.cities().size() * map.nodes() + " nodes of CockroachDB: about "
                        + (request.stage().filter(Stage::isRegional).isPresent()
                                ? "7"
                                : database.hasOwnLinks() ? "2" : "5")
                        + " min until they are ready, on two cores at scale quick");
            }
            start.progress("Starting the database of each region…");
            EmbeddedRegions.endOrphans(folder());
            try (Cluster cluster = database.regions(
                            map, request.regions().distances(map), request.keep() ? folder() : null, false);
                    RunningRegions running = RunningRegions.start(
                            cluster,
                            map,
                            request.rows(),
                            request.stage(),
                            request.httpPort(),
                            folder(),
                            display.starting())) {
                start.clear();
                try (Console page = console(running, control)) {
                    display.started(running, page);
                    watch(running, control);
                    end(running, page);
                }
            }
        } finally {
            start.clear();
        }
    }

    /** Ends the traffic before the console and the instances. */
    private void end(RunningRegions running, Console page) {
        running.traffic().close();
        page.end().ifPresent(display::recorded);
    }

    private Console console(RunningRegions running, Control control) {
        RunBundle bundle = RunBundle.create(
                request.out(), Instant.now(), running.cluster().engine().folder(), "regions");
        Console page = Console.start(running, control, request.consolePort(), request.listen(), bundle);
        ProcessEnd.before(() -> end(running, page));
        return page;
    }

    /** Ends this process when its parent ends, because a killed parent does not stop its children. */
    private static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            Thread thread = new Thread(
                    () -> {
                        parent.onExit().join();
                        System.exit(143);
                    },
                    "parent-watch");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Waits until another command stops the regions; Ctrl-C ends the process. */
    private static void watch(RunningRegions running, Control control) throws InterruptedException {
        while (!control.awaitStop(Duration.ofSeconds(1))) {
            for (ServiceInstance instance : running.instances()) {
                if (!instance.isAlive() && !running.isKilled(instance.region()) && !ProcessEnd.hasBegun()) {
                    throw new UserError("The service of " + instance.region() + " has ended (log: " + instance.log()
                            + "): all others are stopped");
                }
            }
        }
    }
}
