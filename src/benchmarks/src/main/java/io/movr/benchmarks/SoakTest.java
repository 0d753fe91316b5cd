package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.benchmarks.SoakVerdict.Window;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Ports;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.sender.Latencies;
import io.movr.sender.OpenModel;
import io.movr.traffic.RateSearch;
import io.movr.traffic.ServiceProcess;
import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import io.movr.traffic.TrafficPlan.Objective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A steady load of reads and writes on the service for a long time, at a share of the highest rate that it sustains. The
 * service is a separate process; arrivals are sent at a fixed rate in an {@link OpenModel}.
 */
final class SoakTest {

    /** The default rate, as a share of the highest sustainable rate. */
    private static final double SHARE = 0.7;

    private static final int LEAST_VEHICLES = 32;
    private static final int MOST_WINDOWS = 30;
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(5);
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);
    private static final Duration LONGEST_PHASE = Duration.ofMinutes(5);
    private static final int LEAST_PHASES = 6;
    private static final Duration PROBE = Duration.ofSeconds(10);
    private static final double FIRST_RATE = 200;
    private static final double LEAST_RATE = 10;
    private static final double KEPT_UP = 0.99;
    /** One of this number of arrivals is a ride, of two requests; the others are front pages. */
    private static final int RIDE_EVERY = 5;

    /**
     * The size of the test.
     *
     * @param rate arrivals per second; {@code null} for a share of the highest sustainable rate
     * @param objective of the highest sustainable rate
     * @param length of the steady load, at least 30 s
     * @param warmUp at the same rate
     * @param connections of the service's pool
     */
    record Plan(@Nullable Double rate, Objective objective, Duration length, Duration warmUp, int connections) {

        /** Returns the duration of one line of the table. */
        Duration window() {
            Duration even = length.dividedBy(MOST_WINDOWS);
            if (even.compareTo(SHORTEST_WINDOW) < 0) {
                return SHORTEST_WINDOW;
            }
            return even.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW : even;
        }

        /** Returns the number of whole windows. */
        int windows() {
            return (int) length.dividedBy(window());
        }

        /** Returns the number of windows in each of the two compared parts. */
        int compared() {
            Duration even = length.dividedBy(LEAST_PHASES);
            Duration phase = even.compareTo(LONGEST_PHASE) > 0 ? LONGEST_PHASE : even;
            return (int) Math.max(1, phase.dividedBy(window()));
        }
    }

    private final Cluster cluster;
    private final DatasetSpec spec;
    private final Plan plan;
    private final SoakReport report;

    SoakTest(Cluster cluster, DatasetSpec spec, Plan plan, SoakReport report) {
        this.cluster = cluster;
        this.spec = spec;
        this.plan = plan;
        this.report = report;
    }

    /**
     * Loads the rows, starts the service, searches for the rate, and runs the steady load.
     *
     * @throws UserError if the service cannot be measured
     */
    SoakVerdict run() {
        try (Databases databases = new Databases(cluster)) {
            report.step("Loading the rows…");
            Gateway gateway = databases.create("service");
            new BulkLoader(cluster.engine(), gateway, new LoadProgress())
                    .load(spec, Math.max(1, Math.min(8, plan.connections())), IfFilled.REFUSE);
            new Schema(cluster.engine(), gateway).migrateTo(Stage.UNUSED_INDEX_DROPPED);
            report.step("Starting the service…");
            // The log is kept if something fails.
            Path log = Files.createTempFile("movr-service-", ".log");
            SoakVerdict verdict;
            try (ServiceProcess service = ServiceProcess.start(
                    "The service",
                    gateway,
                    Ports.find(0, 1).get(0),
                    log,
                    List.of("--set=movr.database.pool-size=" + plan.connections()))) {
                service.await();
                verdict = measured(service);
            }
            Files.deleteIfExists(log);
            return verdict;
        } catch (IOException failed) {
            throw new UserError("The service cannot be measured: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Measuring the service was interrupted", interrupted);
        }
    }

    private SoakVerdict measured(ServiceProcess service) throws IOException, InterruptedException {
        OpenModel.Action traffic = traffic(Service.requests(service));
        Capacity capacity = null;
        double rate;
        if (plan.rate() != null) {
            rate = plan.rate();
        } else {
            warmUp(FIRST_RATE, traffic);
            capacity = RateSearch.search(
                    Stage.UNUSED_INDEX_DROPPED.toString(),
                    plan.objective(),
                    FIRST_RATE,
                    LEAST_RATE,
                    tried -> probe(tried, traffic));
            Double highest = capacity.highestKept();
            if (highest == null) {
                throw new UserError("No rate keeps " + plan.objective().percentile() + " within "
                        + plan.objective().limitMs() + " ms (" + capacity.reason() + "): set a longer one with --slo");
            }
            rate = SHARE * highest;
        }
        warmUp(rate, traffic);
        report.begin(rate, capacity);
        return hold(rate, traffic, service);
    }

    private void warmUp(double rate, OpenModel.Action traffic) throws InterruptedException {
        report.step("Warming up at " + text(rate) + " arrivals/s…");
        Latencies unread = new Latencies(2);
        Service.run(rate, plan.warmUp(), traffic, number -> unread);
    }

    /** The mix of front pages and rides. */
    private OpenModel.Action traffic(ServiceRequests requests) {
        List<String> cities = spec.cities();
        List<Vehicle> vehicles = new ArrayList<>();
        for (String city : cities) {
            vehicles.addAll(Service.vehicles(requests, city));
        }
        if (vehicles.size() < LEAST_VEHICLES) {
            throw new UserError("Only " + vehicles.size() + " vehicles are available, of " + LEAST_VEHICLES
                    + " that are needed: measure with more --vehicles");
        }
        FreeVehicles free = new FreeVehicles(vehicles, FreeVehicles.PATIENCE);
        return number -> number % RIDE_EVERY == 0
                ? free.ride(requests)
                : Service.frontPage(requests, cities.get((int) (number % cities.size())));
    }

    private Probe probe(double rate, OpenModel.Action traffic) throws InterruptedException {
        Objective objective = plan.objective();
        report.step("Looking for the highest rate: " + text(rate) + " arrivals/s…");
        Latencies latencies = new Latencies(3);
        double seconds = Service.run(rate, PROBE, traffic, number -> latencies);
        long answered = latencies.answered();
        long errors = latencies.errors();
        double perSecond = answered / seconds;
        double inTime =
                answered == 0 ? 0 : latencies.answeredWithin(objective.limitMs()) / (double) (answered + errors);
        String why = "";
        if (errors > 0) {
            why = String.format(
                    Locale.ROOT,
                    "%,d failed: %s",
                    errors,
                    String.join("; ", latencies.failures().keySet()));
        } else if (inTime < objective.quantile()) {
            why = String.format(Locale.ROOT, "%.1f%% within %s ms", 100 * inTime, text(objective.limitMs()));
        } else if (perSecond < KEPT_UP * rate) {
            why = String.format(Locale.ROOT, "%.0f/s were answered", perSecond);
        }
        Probe probe = new Probe(
                rate,
                perSecond,
                latencies.percentileMs(100 * objective.quantile()),
                inTime,
                errors,
                why.isEmpty(),
                why,
                null);
        report.probe(probe);
        return probe;
    }

    /** Sends the arrivals, and reads the gauges of the service at the end of each window. */
    private SoakVerdict hold(double rate, OpenModel.Action traffic, ServiceProcess service)
            throws InterruptedException {
        int count = plan.windows();
        long windowNanos = plan.window().toNanos();
        List<Latencies> latencies = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            latencies.add(new Latencies(3));
        }
        List<ServiceGauges> gauges = new ArrayList<>();
        long begin = System.nanoTime();
        Thread sender = new Thread(
                () -> {
                    try {
                        Service.run(
                                rate,
                                plan.window().multipliedBy(count),
                                traffic,
                                number -> latencies.get(
                                        (int) Math.min(count - 1, (long) (number / rate * 1e9) / windowNanos)));
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                "held-load");
        sender.setDaemon(true);
        sender.start();
        for (int number = 0; number < count; number++) {
            TimeUnit.NANOSECONDS.sleep(begin + (number + 1) * windowNanos - System.nanoTime());
            gauges.add(ServiceGauges.of(service));
            report.window(Window.of(number, plan.window(), latencies.get(number), gauges.get(number)));
        }
        sender.join();
        List<Window> windows = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            windows.add(Window.of(number, plan.window(), latencies.get(number), gauges.get(number)));
        }
        return SoakVerdict.of(windows, latencies, plan.window(), plan.compared());
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }
}
