package io.movr.console;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import io.movr.database.ServerPing;
import io.movr.environment.StatementTimeout;
import io.movr.region.Region;
import io.movr.report.CpuSteal;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.sender.Latencies;
import io.movr.traffic.RegionCommands;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import io.movr.traffic.ServiceProcess.Metrics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The observer of running regions, which publishes measurements as events. */
final class Observer implements RegionCommands.Listener, AutoCloseable {

    /** The time span of rates and percentiles. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    /** The time span before a migration, with which later figures are compared. */
    private static final Duration BEFORE = Duration.ofSeconds(60);

    private static final Duration PING_LIMIT = Duration.ofSeconds(2);
    private static final long PING_MILLIS = 2_000;
    private static final long METRICS_MILLIS = 3_000;
    private static final long ROWS_MILLIS = 5_000;
    private static final long ROWS_MOVING_MILLIS = 1_000;
    /** The pause between two reads of the placement, as a multiple of the time of a read. */
    private static final long ROWS_PAUSE_FACTOR = 3;

    /** Enough threads for the ticks while others wait for lost responses. */
    private static final int THREADS = 12;

    private static final double MEBIBYTE = 1 << 20;

    private final RunningRegions running;
    private final RegionCommands commands;
    private final Events events;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "console-observer");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Set<Region>, Edge> edges = new ConcurrentHashMap<>();
    private final Map<Region, ProcessState> servers = new ConcurrentHashMap<>();
    private final Map<Region, ProcessState> services = new ConcurrentHashMap<>();
    private final Map<Long, Command> open = new ConcurrentHashMap<>();
    private final CpuSteal steal = new CpuSteal();
    private volatile String stage = "";
    /** The time of the last published measurement on request, by its type. */
    private final Map<String, String> published = new ConcurrentHashMap<>();

    private volatile long lastTick = System.nanoTime();

    Observer(RunningRegions running, RegionCommands commands, Events events) {
        this.running = running;
        this.commands = commands;
        this.events = events;
    }

    /**
     * The link between two regions.
     *
     * @param rttMs the measured round trip; {@code null} if there was no response
     * @param setMs the round trip set by {@code --rtt} or {@code movr regions slow}
     */
    private record Edge(String one, String other, @Nullable Double rttMs, double setMs, double firstMs, long t) {}

    /**
     * The last observed state of a process.
     *
     * @param state {@code up}, {@code no answer}, {@code ended} or {@code killed}
     */
    private record ProcessState(
            String state,
            @Nullable Double retriesPerSecond,
            @Nullable Double heapMebibytes,
            @Nullable Double cpuShare,
            double retries,
            long t) {

        static ProcessState of(String state) {
            return new ProcessState(state, null, null, null, -1, System.currentTimeMillis());
        }
    }

    private record Command(String verb, String line, long startMs, Map<String, Object> before) {}

    void start() {
        stage = stageNow();
        events.publish("hello", hello());
        commands.addListener(this);
        running.cluster()
                .links()
                .ifPresent(links -> links.pairs().forEach(pair -> {
                    List<Region> two = sorted(pair);
                    repeat(PING_MILLIS, () -> measure(links, two.get(0), two.get(1)));
                }));
        Map<Region, Gateway> pinged = running.cluster().servers().isEmpty()
                ? running.cluster().gateways()
                : running.cluster().servers();
        pinged.forEach((region, server) -> repeat(
                PING_MILLIS,
                () -> servers.put(
                        region,
                        ProcessState.of(
                                ServerPing.of(server.host(), server.port(), PING_LIMIT)
                                                .isPresent()
                                        ? "up"
                                        : "no answer"))));
        running.instances().forEach(instance -> repeat(METRICS_MILLIS, () -> readMetrics(instance)));
        threads.execute(this::readPlacement);
        var unused = threads.scheduleAtFixedRate(guarded(this::tick), 1, 1, TimeUnit.SECONDS);
    }

    private List<Region> sorted(Set<Region> pair) {
        return running.map().cities().keySet().stream().filter(pair::contains).toList();
    }

    private void repeat(long millis, Runnable task) {
        var unused = threads.scheduleWithFixedDelay(guarded(task), 0, millis, TimeUnit.MILLISECONDS);
    }

    /** Returns a task that reports failures as events, so that its schedule continues. */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failed) {
                if (!threads.isShutdown()) {
                    events.publish("trouble", Map.of("what", UserError.firstLine(failed)));
                }
            }
        };
    }

    private Map<String, Object> hello() {
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("engine", Cluster.product(running.cluster().version()));
        hello.put("windowSeconds", WINDOW.toSeconds());
        hello.put("hasLinks", running.cluster().links().isPresent());
        hello.put("isMultiRegion", running.cluster().engine().isMultiRegion());
        hello.put(
                "regions",
                running.map().cities().entrySet().stream()
                        .map(region -> Map.of(
                                "name",
                                region.getKey().name(),
                                "cities",
                                region.getValue(),
                                "service",
                                running.instances().stream()
                                        .filter(instance -> instance.region().equals(region.getKey()))
                                        .map(ServiceInstance::url)
                                        .findFirst()
                                        .orElse("")))
                        .toList());
        hello.put(
                "stages",
                Stage.of(running.cluster().engine()).stream()
                        .map(each -> Map.of("id", each.id(), "version", each.version(), "purpose", each.purpose()))
                        .toList());
        return hello;
    }

    private void measure(RegionLinks links, Region one, Region other) {
        Optional<Duration> measured = links.measure(one, other, PING_LIMIT);
        double set = links.distances().roundTrip(one, other).toNanos() / 1e6;
        edges.compute(
                Set.of(one, other),
                (pair, before) -> new Edge(
                        one.name(),
                        other.name(),
                        measured.map(time -> time.toNanos() / 1e6).orElse(null),
                        set,
                        before == null ? set : before.firstMs(),
                        System.currentTimeMillis()));
    }

    private void readMetrics(ServiceInstance instance) {
        Region region = instance.region();
        if (running.isKilled(region) || !instance.isAlive()) {
            services.put(region, ProcessState.of(running.isKilled(region) ? "killed" : "ended"));
            return;
        }
        try {
            Optional<Metrics> metrics = instance.metrics();
            if (metrics.isEmpty()) {
                services.put(region, ProcessState.of("no answer"));
                return;
            }
            double retries = metrics.get().sum("movr_transactions_retries_total");
            long now = System.currentTimeMillis();
            services.compute(
                    region,
                    (same, before) -> new ProcessState(
                            "up",
                            before == null || before.retries() < 0 || retries < before.retries()
                                    ? null
                                    : rounded(1_000 * (retries - before.retries()) / Math.max(1, now - before.t())),
                            rounded(metrics.get().sum("jvm_memory_used_bytes", "area=\"heap\"") / MEBIBYTE),
                            rounded(metrics.get().sum("process_cpu_usage")),
                            retries,
                            now));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void readPlacement() {
        long startNanos = System.nanoTime();
        guarded(() -> {
                    try {
                        Optional<Placement> seen = Placement.of(running.cluster(), running.map());
                        Map<String, Map<String, Double>> tables = new LinkedHashMap<>();
                        seen.ifPresent(placement -> placement
                                .sharesOfTables()
                                .forEach((table, shares) -> shares.forEach(
                                        (region, share) -> tables.computeIfAbsent(table, name -> new LinkedHashMap<>())
                                                .put(region, rounded(share.bytes() / MEBIBYTE)))));
                        events.publish("rows", Map.of("mebibytes", tables));
                        if (!isMigrating()) {
                            // Another process may have migrated the schema.
                            stage = stageNow();
                        }
                    } catch (SQLException failed) {
                        events.publish(
                                "trouble",
                                Map.of(
                                        "what",
                                        "Cannot read the placement of the rows: " + UserError.firstLine(failed)));
                    }
                })
                .run();
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        if (!threads.isShutdown()) {
            var unused = threads.schedule(
                    this::readPlacement,
                    Math.max(isMigrating() ? ROWS_MOVING_MILLIS : ROWS_MILLIS, took * ROWS_PAUSE_FACTOR),
                    TimeUnit.MILLISECONDS);
        }
    }

    /** Reads the stage with one query, because Flyway would read all of its scripts each time. */
    private String stageNow() {
        try (Connection connection = StatementTimeout.bounded(running.cluster().gateway(), StatementTimeout.LIMIT)
                .connect("movr-console")) {
            return Schema.readStage(connection).map(Stage::id).orElse("none");
        } catch (SQLException failed) {
            throw new UserError("Cannot read the stage: " + UserError.firstLine(failed), failed);
        }
    }

    private boolean isMigrating() {
        return open.values().stream().anyMatch(command -> command.verb().equals("migrate"));
    }

    private void tick() {
        long since = lastTick;
        lastTick = System.nanoTime();
        Map<String, Object> tick = new LinkedHashMap<>();
        tick.put("stage", stage);
        tick.put(
                "traffic",
                Map.of(
                        "perSecond",
                        running.traffic().perSecond(),
                        "remoteShare",
                        running.traffic().remoteShare(),
                        "writeShare",
                        running.traffic().writeShare()));
        tick.put("edges", new ArrayList<>(edges.values()));
        Map<String, Object> regions = new LinkedHashMap<>();
        for (Region region : running.map().cities().keySet()) {
            Map<String, Object> now = figures(region, WINDOW);
            Latencies latencies = running.traffic().latencies(region, since, lastTick);
            now.put("counts", latencies.countsByMicros());
            now.put("failed", latencies.errors());
            ProcessState service = services.get(region);
            ProcessState server = servers.get(region);
            now.put("service", service == null ? "not seen yet" : service.state());
            now.put("server", server == null ? "not seen yet" : server.state());
            now.put("retriesPerSecond", service == null ? null : service.retriesPerSecond());
            now.put("heapMebibytes", service == null ? null : service.heapMebibytes());
            now.put("cpuShare", service == null ? null : service.cpuShare());
            regions.put(region.name(), now);
        }
        tick.put("regions", regions);
        Double stolen = steal.share();
        tick.put("stolenShare", stolen == null ? null : Math.round(stolen * 1_000) / 1e3);
        events.publish("tick", tick);
        RegionCommands.MatrixResult matrix = commands.matrix();
        publishNew("matrix", matrix.at(), Map.of("at", matrix.at(), "stage", matrix.stage(), "cells", matrix.cells()));
        RegionCommands.PromoCodesResult promoCodes = commands.promoCodes();
        publishNew("promo-codes", promoCodes.at(), Map.of("at", promoCodes.at(), "modes", promoCodes.modes()));
        RegionCommands.LedgerResult ledger = commands.ledger();
        publishNew("ledger", ledger.at(), Map.of("ledger", ledger));
    }

    private void publishNew(String type, String at, Map<String, ?> content) {
        if (!at.isEmpty() && !at.equals(published.put(type, at))) {
            events.publish(type, content);
        }
    }

    private Map<String, Object> figures(Region region, Duration span) {
        long now = System.nanoTime();
        Latencies latencies = running.traffic().latencies(region, now - span.toNanos(), now);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("perSecond", rounded((double) latencies.answered() / span.toSeconds()));
        figures.put("errorsPerSecond", rounded((double) latencies.errors() / span.toSeconds()));
        figures.put("answers", latencies.answered());
        figures.put("p50Ms", rounded(latencies.percentileMs(50)));
        figures.put("p95Ms", rounded(latencies.percentileMs(95)));
        figures.put("p99Ms", rounded(latencies.percentileMs(99)));
        return figures;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null ? null : Double.valueOf(rounded(value.doubleValue()));
    }

    @Override
    public void began(long number, String verb, String commandLine) {
        Map<String, Object> before = new LinkedHashMap<>();
        if (verb.equals("migrate")) {
            running.map().cities().keySet().forEach(region -> before.put(region.name(), figures(region, BEFORE)));
        }
        open.put(number, new Command(verb, commandLine, System.currentTimeMillis(), before));
        publish(number, "began", "");
    }

    @Override
    public void progress(long number, String step) {
        publish(number, "progress", step);
    }

    @Override
    public void ended(long number, boolean done, String message) {
        publish(number, done ? "done" : "failed", message);
        Command command = open.remove(number);
        if (done && command != null && command.verb().equals("migrate")) {
            String from = stage;
            stage = stageNow();
            if (!from.equals(stage)) {
                events.publish(
                        "before",
                        Map.of(
                                "stage",
                                from,
                                "until",
                                command.startMs(),
                                "seconds",
                                BEFORE.toSeconds(),
                                "regions",
                                command.before()));
            }
        }
    }

    private void publish(long number, String state, String message) {
        Command command = open.get(number);
        if (command != null) {
            events.publish(
                    "command",
                    Map.of(
                            "number",
                            number,
                            "verb",
                            command.verb(),
                            "line",
                            command.line(),
                            "begun",
                            command.startMs(),
                            "state",
                            state,
                            "what",
                            message));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
