package io.movr.overhead;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Ports;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.overhead.ServiceRequests.Vehicle;
import io.movr.report.HoldResults.Window;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.traffic.RateSearch;
import io.movr.traffic.ServiceProcess;
import io.movr.traffic.TrafficPlan.Objective;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The service under a mix of reads and writes for a long time, at a share of the highest rate that it sustains. It runs in
 * a process of its own; requests are sent at a fixed rate, and their latency counts from when they were due.
 */
public final class HeldLoad {

    /** Of the highest sustainable rate, where no rate is given. */
    public static final double SHARE = 0.7;

    /** What is sent. */
    public static final String MIX = "4 of 5 arrivals read a front page, 1 of 5 starts a ride and ends it";

    private static final int SENDERS = 32;
    private static final int MOST_WINDOWS = 30;
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(5);
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);
    private static final Duration LONGEST_PHASE = Duration.ofMinutes(5);
    private static final int LEAST_PHASES = 6;
    private static final Duration PROBE = Duration.ofSeconds(10);
    private static final double FIRST_RATE = 200;
    private static final double LEAST_RATE = 10;
    private static final double KEPT_UP = 0.99;
    /** One of so many arrivals is a ride, of two requests; the others are front pages. */
    private static final int RIDE_EVERY = 5;

    /**
     * What is done.
     *
     * @param rate arrivals per second; null for the share of what the search finds
     * @param objective that the highest sustainable rate keeps
     * @param length of the load that is held, at least 30 s
     * @param warmUp at that rate, before it
     * @param connections of the service's pool
     */
    public record Plan(@Nullable Double rate, Objective objective, Duration length, Duration warmUp, int connections) {

        /** How long one line of the table lasts. */
        public Duration window() {
            Duration even = length.dividedBy(MOST_WINDOWS);
            if (even.compareTo(SHORTEST_WINDOW) < 0) {
                return SHORTEST_WINDOW;
            }
            return even.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW : even;
        }

        /** Whole windows; a rest is left out. */
        public int windows() {
            return (int) length.dividedBy(window());
        }

        /** As many windows as the first and the last part have that are compared. */
        public int compared() {
            Duration even = length.dividedBy(LEAST_PHASES);
            Duration phase = even.compareTo(LONGEST_PHASE) > 0 ? LONGEST_PHASE : even;
            return (int) Math.max(1, phase.dividedBy(window()));
        }
    }

    /** Is told what goes on. */
    public interface Listener {

        /** What is done now. */
        void step(String what);

        /** The search has tried a rate. */
        void probe(Probe probe);

        /** The load begins to be held; the capacity is null if the rate was given. */
        void begin(double rate, @Nullable Capacity capacity);

        /** The number-th of all windows has ended. */
        void window(int number, int windows, Window window);
    }

    /**
     * What was measured.
     *
     * @param capacity what the search found; null if the rate was given
     */
    public record Measured(double rate, @Nullable Capacity capacity, List<Window> windows, HoldVerdict verdict) {}

    private final Cluster cluster;
    private final DatasetSpec spec;
    private final Plan plan;
    private final Listener listener;
    private final Path log;

    /**
     * Sets up a run.
     *
     * @param log what the service says is added to this file
     */
    public HeldLoad(Cluster cluster, DatasetSpec spec, Plan plan, Listener listener, Path log) {
        this.cluster = cluster;
        this.spec = spec;
        this.plan = plan;
        this.listener = listener;
        this.log = log;
    }

    /**
     * Loads the rows, starts the service, looks for the rate, and holds it.
     *
     * @throws UserError if the service cannot be measured
     */
    public Measured run() {
        ServiceRequests.keepConnections(SENDERS);
        try (Databases databases = new Databases(cluster)) {
            listener.step("Loading the rows…");
            Gateway gateway = databases.create("service");
            new BulkLoader(cluster.engine(), gateway, new LoadProgress())
                    .load(spec, Math.max(1, Math.min(8, plan.connections())), IfFilled.REFUSE);
            new Schema(cluster.engine(), gateway).migrateTo(Stage.UNUSED_INDEX_DROPPED);
            listener.step("Starting the service…");
            try (ServiceProcess service = ServiceProcess.start(
                    "The service",
                    gateway,
                    Ports.find(0, 1).get(0),
                    log,
                    List.of("--set=movr.database.pool-size=" + plan.connections()))) {
                service.await();
                return measured(service);
            }
        } catch (IOException failed) {
            throw new UserError("The service cannot be measured: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Measuring the service was interrupted", interrupted);
        }
    }

    private Measured measured(ServiceProcess service) throws IOException, InterruptedException {
        FixedRate.Sender traffic = traffic(new ServiceRequests(service.url()));
        Capacity capacity = null;
        double rate;
        if (plan.rate() != null) {
            rate = plan.rate();
        } else {
            listener.step("Warming up at " + text(FIRST_RATE) + " arrivals/s…");
            new FixedRate(SENDERS).run(FIRST_RATE, plan.warmUp(), traffic);
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
        listener.step("Warming up at " + text(rate) + " arrivals/s…");
        new FixedRate(SENDERS).run(rate, plan.warmUp(), traffic);
        listener.begin(rate, capacity);
        return hold(rate, capacity, traffic, service);
    }

    /** Front pages and rides. */
    private FixedRate.Sender traffic(ServiceRequests requests) throws IOException {
        List<String> cities = spec.cities();
        List<Vehicle> vehicles = new ArrayList<>();
        for (String city : cities) {
            vehicles.addAll(requests.vehicles(city));
        }
        if (vehicles.size() < SENDERS) {
            throw new UserError("Only " + vehicles.size() + " vehicles are available, of " + SENDERS
                    + " that are needed: measure with more --vehicles");
        }
        FreeVehicles free = new FreeVehicles(vehicles, FreeVehicles.PATIENCE);
        return number -> {
            if (number % RIDE_EVERY == 0) {
                free.ride(requests);
            } else {
                requests.frontPage(cities.get((int) (number % cities.size())));
            }
        };
    }

    private Probe probe(double rate, FixedRate.Sender traffic) throws InterruptedException {
        Objective objective = plan.objective();
        listener.step("Looking for the highest rate: " + text(rate) + " arrivals/s…");
        FixedRate sent = new FixedRate(SENDERS);
        sent.run(rate, PROBE, traffic);
        Histogram micros = sent.latencyMicros();
        long answered = micros.getTotalCount();
        long all = answered + sent.errors();
        double perSecond = answered / sent.seconds();
        double inTime = answered == 0
                ? 0
                : micros.getCountBetweenValues(0, (long) (objective.limitMs() * 1_000)) / (double) all;
        String why = "";
        if (sent.errors() > 0) {
            why = String.format(Locale.ROOT, "%,d failed, the first with: %s", sent.errors(), sent.firstFailure());
        } else if (inTime < objective.quantile()) {
            why = String.format(Locale.ROOT, "%.1f%% within %s ms", 100 * inTime, text(objective.limitMs()));
        } else if (perSecond < KEPT_UP * rate) {
            why = String.format(Locale.ROOT, "%.0f/s were answered", perSecond);
        }
        Probe probe = new Probe(
                rate,
                perSecond,
                answered == 0 ? null : micros.getValueAtPercentile(100 * objective.quantile()) / 1e3,
                inTime,
                sent.errors(),
                why.isEmpty(),
                why,
                null);
        listener.probe(probe);
        return probe;
    }

    /** Sends on, and looks at the service at the end of each window. */
    private Measured hold(double rate, @Nullable Capacity capacity, FixedRate.Sender traffic, ServiceProcess service)
            throws InterruptedException {
        int count = plan.windows();
        long windowNanos = plan.window().toNanos();
        List<WindowLatency> latencies = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            latencies.add(new WindowLatency());
        }
        List<ServiceGauges> gauges = new ArrayList<>();
        long begin = System.nanoTime();
        Thread sender = new Thread(
                () -> {
                    try {
                        new FixedRate(SENDERS)
                                .run(
                                        rate,
                                        plan.window().multipliedBy(count),
                                        traffic,
                                        (number, micros, failure) -> latencies
                                                .get((int)
                                                        Math.min(count - 1, (long) (number / rate * 1e9) / windowNanos))
                                                .add(micros, failure));
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
            listener.window(number + 1, count, latencies.get(number).window(number, plan.window(), gauges.get(number)));
        }
        sender.join();
        List<Window> windows = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            windows.add(latencies.get(number).window(number, plan.window(), gauges.get(number)));
        }
        return new Measured(
                rate, capacity, windows, HoldVerdict.of(windows, latencies, plan.window(), plan.compared()));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }
}
